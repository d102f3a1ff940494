// Diffs of texts: few changed lines, as `diff -u` writes them, near linear in long texts.
#include "tools/line_diff.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/process.h"

namespace mo {
namespace {

std::string diff(std::string_view before, std::string_view after, unsigned context = 3) {
  return unified_diff(before, after, {"a", "b", context, false});
}

// The text after, made of the text before and the pieces; checks that the pieces are what they say.
std::string rebuilt(const std::vector<std::string_view>& before,
                    const std::vector<std::string_view>& after) {
  std::string text;
  uint32_t a = 0, b = 0;
  for (const DiffPiece& p : diff_lines(before, after)) {
    EXPECT_EQ(p.first, a);
    EXPECT_EQ(p.new_first, b);
    const bool same = p.kind == DiffPiece::Kind::Same;
    for (uint32_t i = 0; i < (same ? p.count : p.new_count); ++i)
      text += std::string(same ? before[p.first + i] : after[p.new_first + i]) + "\n";
    a += p.count;
    b += p.new_count;
  }
  EXPECT_EQ(a, before.size());
  EXPECT_EQ(b, after.size());
  return text;
}

uint32_t changed_lines(std::string_view before, std::string_view after) {
  uint32_t changed = 0;
  for (const DiffPiece& p : diff_lines(lines_of(before), lines_of(after)))
    if (p.kind == DiffPiece::Kind::Changed)
      changed += p.count + p.new_count;
  return changed;
}

std::string random_text(std::mt19937& rng, unsigned lines, unsigned words) {
  std::string text;
  for (unsigned i = 0; i < lines; ++i)
    text += "line " + std::to_string(rng() % words) + "\n";
  return text;
}

TEST(LineDiff, IsEmptyForEqualTexts) {
  EXPECT_EQ(diff("x\ny\n", "x\ny\n"), "");
  EXPECT_EQ(diff("", ""), "");
}

TEST(LineDiff, ShowsAChangedLineWithItsContext) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST(LineDiff, ChangesFarApartAreHunksOfTheirOwn) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n", "one\n2\n3\n4\n5\nsix\n", 1),
            "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n@@ -5,2 +5,2 @@\n 5\n-6\n+six\n");
}

TEST(LineDiff, ChangesNearEachOtherShareAHunk) {
  EXPECT_EQ(diff("1\n2\n3\n4\n", "one\n2\n3\nfour\n", 1),
            "--- a\n+++ b\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n-4\n+four\n");
}

TEST(LineDiff, AnEmptySideIsNamedAsDiffNamesIt) {
  EXPECT_EQ(diff("", "1\n2\n"), "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+1\n+2\n");
  EXPECT_EQ(diff("1\n", ""), "--- a\n+++ b\n@@ -1 +0,0 @@\n-1\n");
}

TEST(LineDiff, ColoursWholeLines) {
  EXPECT_EQ(unified_diff("1\n2\n", "1\n3\n", {"a", "b", 3, true}),
            "\x1b[1m--- a\x1b[0m\n\x1b[1m+++ b\x1b[0m\n\x1b[36m@@ -1,2 +1,2 @@\x1b[0m\n 1\n"
            "\x1b[31m-2\x1b[0m\n\x1b[32m+3\x1b[0m\n");
}

TEST(LineDiff, AnInsertedBlockIsShownWhole) {
  EXPECT_EQ(diff("one {\n}\ntwo {\n}\n", "one {\n}\nnew {\n}\ntwo {\n}\n", 1),
            "--- a\n+++ b\n@@ -2,2 +2,4 @@\n }\n+new {\n+}\n two {\n");
}

TEST(LineDiff, FindsTheFewestChangesWhereNoLineIsUnique) {
  EXPECT_EQ(changed_lines("x\ny\nx\ny\nx\ny\n", "y\nx\ny\nx\ny\nx\n"), 2u);
  EXPECT_EQ(changed_lines("a\na\nb\nb\na\na\n", "a\nb\nb\na\n"), 2u);
}

TEST(LineDiff, TurnsOneTextIntoTheOtherWhateverTheyAre) {
  std::mt19937 rng(7);
  for (unsigned round = 0; round < 400; ++round) {
    const unsigned words = 1 + round % 40;
    const std::string before = random_text(rng, static_cast<unsigned>(rng() % 50), words);
    const std::string after = random_text(rng, static_cast<unsigned>(rng() % 50), words);
    EXPECT_EQ(rebuilt(lines_of(before), lines_of(after)), after) << before << "---\n" << after;
  }
}

TEST(LineDiff, IsReadByPatch) {
  if (testing::run_process({"patch", "--version"}).status != 0)
    GTEST_SKIP() << "no patch on the PATH";
  std::mt19937 rng(11);
  for (unsigned round = 0; round < 20; ++round) {
    const std::string before = random_text(rng, 40, 30), after = random_text(rng, 40, 30);
    const testing::TemporaryDirectory dir;
    testing::write_file(dir / "a", before);
    const auto ended =
        testing::run_process({"patch", "--quiet", dir / "a"}, diff(before, after, round % 4));
    EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
    EXPECT_EQ(testing::read_file(dir / "a"), after);
  }
}

TEST(LineDiff, LongTextsWithoutALineInCommonAreChangedAsAWhole) {
  std::string before, after;
  for (unsigned i = 0; i < 40000; ++i) {
    before += "old " + std::to_string(i) + "\n";
    after += "new " + std::to_string(i) + "\n";
  }
  EXPECT_EQ(changed_lines(before, after), 80000u);
}

TEST(LineDiff, LongTextsOfRepeatedLinesAreComparedAllTheSame) {
  std::mt19937 rng(3);
  const std::string before = random_text(rng, 20000, 5), after = random_text(rng, 20000, 5);
  EXPECT_EQ(rebuilt(lines_of(before), lines_of(after)), after);
}

TEST(LineDiff, UniqueLinesNestedDeeplyDoNotCostTheSquare) {
  // Every stretch has one unique line, and the rest of the text on one side of it:
  // ... u3 u4 u2 u3 u1 u2 u0 u1, with what differs around each.
  std::string before, after;
  for (unsigned i = 20000; i-- > 0;) {
    before += "u" + std::to_string(i) + "\nx\nu" + std::to_string(i + 1) + "\n";
    after += "u" + std::to_string(i) + "\ny\nu" + std::to_string(i + 1) + "\n";
  }
  EXPECT_EQ(rebuilt(lines_of(before), lines_of(after)), after);
}

TEST(LineDiff, ALastLineWithoutABreakIsALine) {
  EXPECT_EQ(lines_of("a\nb"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(lines_of("a\n\n"), (std::vector<std::string_view>{"a", ""}));
  EXPECT_TRUE(lines_of("").empty());
}

} // namespace
} // namespace mo

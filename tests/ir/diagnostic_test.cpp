#include <gtest/gtest.h>

#include <set>

#include "ir/diagnostic.h"

namespace mo {
namespace {

std::string rendered(const std::string& text, Loc loc) {
  return render(Diagnostic{DiagId::UnknownOp, loc, "message", {}}, {"f.tir", text}, false);
}

TEST(Diagnostic, ShowsPlaceMessageLineAndCaret) {
  EXPECT_EQ(rendered("one\ntwo three\n", {2, 5}), "f.tir:2:5: error: message\n"
                                                  "two three\n"
                                                  "    ^\n");
}

TEST(Diagnostic, NotesFollowInTheSameForm) {
  const Diagnostic d{DiagId::ValueRedefined, {2, 1}, "twice", {{{1, 1}, "first"}}};
  EXPECT_EQ(render(d, {"f.tir", "a\nb\n"}, false), "f.tir:2:1: error: twice\nb\n^\n"
                                                   "f.tir:1:1: note: first\na\n^\n");
}

TEST(Diagnostic, NowhereHasNoLine) {
  EXPECT_EQ(rendered("x", {}), "f.tir: error: message\n");
}

TEST(Diagnostic, TheCaretLinesUpBehindTabs) {
  EXPECT_EQ(rendered("\ta\tb", {1, 4}), "f.tir:1:4: error: message\n"
                                        "        a       b\n"
                                        "                ^\n");
}

TEST(Diagnostic, ControlBytesAreSpelledOut) {
  EXPECT_EQ(rendered(std::string("a\0\x1B\xFF z", 6), {1, 6}), "f.tir:1:6: error: message\n"
                                                               "a<00><1B><FF> z\n"
                                                               "              ^\n");
}

TEST(Diagnostic, ACharacterOfSeveralBytesIsOneColumnWide) {
  EXPECT_EQ(rendered("\xC3\xA9 x", {1, 4}), "f.tir:1:4: error: message\n\xC3\xA9 x\n  ^\n");
}

TEST(Diagnostic, ALongLineIsShownAroundTheCaret) {
  const std::string text =
      rendered(std::string(5000, 'a') + "b" + std::string(5000, 'c'), {1, 5001});
  const size_t caret_line = text.rfind('\n', text.size() - 2) + 1;
  const size_t line = text.find('\n') + 1;
  EXPECT_LT(text.size(), 500u);
  EXPECT_EQ(text[line + (text.find('^') - caret_line)], 'b');
}

TEST(Diagnostic, APlaceBehindTheEndOfItsLineIsAtTheEnd) {
  EXPECT_EQ(rendered("ab", {1, 9}), "f.tir:1:9: error: message\nab\n  ^\n");
  EXPECT_EQ(rendered("ab", {7, 1}), "f.tir:7:1: error: message\n\n^\n");
}

TEST(Diagnostic, WindowsLineEndsAreNotShown) {
  EXPECT_EQ(rendered("ab\r\ncd\r\n", {1, 1}), "f.tir:1:1: error: message\nab\n^\n");
}

TEST(Diagnostic, ColoursChangeNothingElse) {
  const Diagnostic d{DiagId::UnknownOp, {1, 1}, "m", {{{1, 1}, "n"}}};
  std::string coloured = render(d, {"f", "x"}, true);
  for (size_t at; (at = coloured.find('\033')) != coloured.npos;)
    coloured.erase(at, coloured.find('m', at) - at + 1);
  EXPECT_EQ(coloured, render(d, {"f", "x"}, false));
}

TEST(Diagnostics, KeepTheFirstAndCountTheRest) {
  Diagnostics diagnostics;
  for (size_t i = 0; i < Diagnostics::kMaxErrors + 7; ++i)
    diagnostics.error(DiagId::UnknownOp, {1, 1}, "m");
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxErrors);
  EXPECT_EQ(diagnostics.count(), Diagnostics::kMaxErrors + 7);
  EXPECT_TRUE(render(diagnostics, {"f", "x"}, false).ends_with("f: 7 more errors\n"));
}

TEST(LineIndex, FindsTheLinesInAnyOrder) {
  const std::string text = "one\r\n\nthree\nfour";
  LineIndex index;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(index.line(text, 3), "three");
    EXPECT_EQ(index.line(text, 1), "one");
    EXPECT_EQ(index.line(text, 4), "four");
    EXPECT_EQ(index.line(text, 2), "");
  }
}

TEST(LineIndex, ALineThatIsNotThereIsEmpty) {
  LineIndex index;
  EXPECT_EQ(index.line("", 1), "");
  EXPECT_EQ(index.line("", 2), "");
  EXPECT_EQ(index.line("a\n", 0), "");
  EXPECT_EQ(index.line("a\n", 2), "");
  EXPECT_EQ(index.line("a\n", UINT32_MAX), "");
  EXPECT_EQ(index.line("a\n", 1), "a");
}

TEST(LineIndex, AnotherTextStartsItAfresh) {
  const SourceFile source{"a.tir", "first\nsecond\n"};
  const Diagnostic d{DiagId::UnknownOp, {2, 1}, "m", {}};
  EXPECT_EQ(render(d, source, false), "a.tir:2:1: error: m\nsecond\n^\n");
  SourceFile copy = source;
  copy.text = "1\n2\n3\n";
  EXPECT_EQ(render(d, copy, false), "a.tir:2:1: error: m\n2\n^\n");
}

TEST(Diagnostics, EveryIdIsUniqueAndInKebabCase) {
  std::set<std::string_view> ids;
  for (unsigned i = 0; i < num_diag_ids(); ++i) {
    const std::string_view id = spelling(static_cast<DiagId>(i));
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), id.npos) << id;
  }
}

} // namespace
} // namespace mo

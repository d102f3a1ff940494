// Remarks as text.
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

const SourceFile kSource{"model.tir", "line one\n  %1 = linalg.generic\n  %2 = other\n"};

TEST(Remarks, ShowPlacePassReasonLineAndCaretThenTheirNotes) {
  const Remark remark{Remark::Kind::Missed,
                      "fuse",
                      "transposed-read",
                      "f",
                      {2, 8},
                      "the maps do not line up",
                      {{{3, 3}, "the producer is here"}}};
  EXPECT_EQ(render(remark, kSource, false),
            "model.tir:2:8: remark: fuse missed [transposed-read]: the maps do not line up\n"
            "  %1 = linalg.generic\n"
            "       ^\n"
            "model.tir:3:3: note: the producer is here\n"
            "  %2 = other\n"
            "  ^\n");
}

TEST(Remarks, ManyOfOneTextShowEachItsLineInWhateverOrderTheyCome) {
  constexpr uint32_t kLines = 20000;
  SourceFile source{"many.tir", ""};
  for (uint32_t line = 1; line <= kLines; ++line)
    source.text += "line " + std::to_string(line) + "\n";
  for (uint32_t line = kLines; line >= 2; --line) {
    const std::string here = std::to_string(line), above = std::to_string(line - 1);
    const Remark remark{Remark::Kind::Passed,  "fuse", "fused", "f", {line, 1}, "m",
                        {{{line - 1, 6}, "n"}}};
    ASSERT_EQ(render(remark, source, false),
              "many.tir:" + here + ":1: remark: fuse passed [fused]: m\nline " + here + "\n^\n" +
                  "many.tir:" + above + ":6: note: n\nline " + above + "\n     ^\n");
  }
}

TEST(Remarks, ColourEachKindInItsOwn) {
  std::vector<std::string> texts;
  for (Remark::Kind kind : {Remark::Kind::Passed, Remark::Kind::Missed, Remark::Kind::Analysis})
    texts.push_back(render({kind, "fuse", "r", "f", {1, 1}, "m", {}}, kSource, true));
  EXPECT_NE(texts[0].find("\x1b[1;32mremark"), std::string::npos);
  EXPECT_NE(texts[1].find("\x1b[1;33mremark"), std::string::npos);
  EXPECT_NE(texts[2].find("\x1b[1;34mremark"), std::string::npos);
}

TEST(Remarks, SpellTheirKindsAsLlvmDoes) {
  EXPECT_EQ(spelling(Remark::Kind::Passed), "passed");
  EXPECT_EQ(spelling(Remark::Kind::Missed), "missed");
  EXPECT_EQ(spelling(Remark::Kind::Analysis), "analysis");
}

TEST(Remarks, AreKeptInTheOrderTheyCame) {
  RemarkCollector collector;
  collector.remark({Remark::Kind::Passed, "fuse", "a", "f", {}, "", {}});
  collector.remark({Remark::Kind::Missed, "fuse", "b", "f", {}, "", {}});
  ASSERT_EQ(collector.all().size(), 2u);
  EXPECT_EQ(collector.all()[1].reason, "b");
}

} // namespace
} // namespace mo

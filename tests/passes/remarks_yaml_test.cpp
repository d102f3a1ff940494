// Remarks in the form of LLVM's remark files.
#include "passes/remarks_yaml.h"

#include <gtest/gtest.h>

namespace mo {
namespace {

TEST(RemarksYaml, OfARemarkHasPlaceMessageFactsAndNotes) {
  const SourceFile source{"model.tir", ""};
  const Remark remark{Remark::Kind::Missed,
                      "fuse",
                      "transposed-read",
                      "f",
                      {22, 8},
                      "the maps do not line up",
                      {{{10, 8}, "the producer is here"}},
                      {{"Value", "%0", {10, 8}}, {"ReadMap", "(d0) -> (d0)"}}};
  EXPECT_EQ(to_yaml(remark, source, false),
            "--- !Missed\n"
            "Pass:            fuse\n"
            "Name:            transposed-read\n"
            "DebugLoc:        { File: model.tir, Line: 22, Column: 8 }\n"
            "Function:        f\n"
            "Args:\n"
            "  - String:          'the maps do not line up'\n"
            "  - Value:           '%0'\n"
            "    DebugLoc:        { File: model.tir, Line: 10, Column: 8 }\n"
            "  - ReadMap:         '(d0) -> (d0)'\n"
            "  - Note:            'the producer is here'\n"
            "    DebugLoc:        { File: model.tir, Line: 10, Column: 8 }\n"
            "...\n");
}

TEST(RemarksYaml, OfAnAttemptSaysSo) {
  const Remark remark{Remark::Kind::Missed, "fuse", "other-use", "f", {}, "m", {}};
  EXPECT_NE(to_yaml(remark, {"m.tir", ""}, true).find("- Attempt:         'true'"),
            std::string::npos);
  EXPECT_EQ(to_yaml(remark, {"m.tir", ""}, false).find("Attempt"), std::string::npos);
}

TEST(YamlScalar, IsPlainOnlyWhereNothingCanBeMistaken) {
  EXPECT_EQ(yaml_scalar("transposed-read"), "transposed-read");
  EXPECT_EQ(yaml_scalar("examples/fusion.tir"), "examples/fusion.tir");
  for (const char* text :
       {"",    "12",  "-",  "%0", "true", "No", "null", "a: b", "a #b", "[a]", "~",
        "a,b", "a b", " a", "*a", "&a",   "!a", "@a",   "`",    "{",    "1.5", ".5"})
    EXPECT_EQ(yaml_scalar(text), "'" + std::string(text) + "'");
}

TEST(YamlScalar, DoublesASingleQuoteAndLeavesOthersAlone) {
  EXPECT_EQ(yaml_scalar("h'q\"x\\y"), "'h''q\"x\\y'");
}

TEST(YamlScalar, EscapesControlCharactersInDoubleQuotes) {
  EXPECT_EQ(yaml_scalar("a\nb"), "\"a\\x0Ab\"");
  EXPECT_EQ(yaml_scalar("'\t\"\\"), "\"'\\x09\\\"\\\\\"");
  EXPECT_EQ(yaml_scalar(std::string("\0", 1)), "\"\\x00\"");
  EXPECT_EQ(yaml_scalar("\x7F"), "\"\\x7F\"");
  EXPECT_EQ(yaml_scalar("\xC2\x85"), "\"\\u0085\"");
  EXPECT_EQ(yaml_scalar("\xE2\x80\xA8"), "\"\\u2028\"");
}

TEST(YamlScalar, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(yaml_scalar("gr\xC3\xBC\xC3\x9F"), "'gr\xC3\xBC\xC3\x9F'");
  EXPECT_EQ(yaml_scalar("a\xFF\xFE"), "\"a\\uFFFD\\uFFFD\"");
  EXPECT_EQ(yaml_scalar("\xC3"), "\"\\uFFFD\"");
}

TEST(YamlScalar, OfAnyByteIsOneLineOfUtf8) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text = yaml_scalar(std::string("x") + static_cast<char>(byte) + "y");
    EXPECT_EQ(text.find_first_of("\n\r\t"), std::string::npos) << byte;
    for (const char c : text)
      EXPECT_TRUE(c >= 0x20 && c < 0x7F) << byte; // all the lone bytes above are no UTF-8
  }
}

} // namespace
} // namespace mo

#include <gtest/gtest.h>

#include "ir/lexer.h"

namespace mo {
namespace {

/// The tokens of a text: "Word:x", ...
std::vector<std::string> tokens(std::string_view text) {
  constexpr const char* kNames[] = {"End",     "Word",  "Percent", "At",    "Hash",  "Caret",
                                    "Integer", "Float", "String",  "Punct", "Arrow", "Error"};
  std::vector<std::string> out;
  Lexer lexer(text);
  for (Token token = lexer.next(); !token.is(TokenKind::End); token = lexer.next())
    out.push_back(std::string(kNames[static_cast<size_t>(token.kind)]) + ":" +
                  std::string(token.text));
  return out;
}

using Texts = std::vector<std::string>;

TEST(Lexer, WordsHoldDotsAndDollars) {
  EXPECT_EQ(tokens("arith.addf _x$1 tensor"),
            (Texts{"Word:arith.addf", "Word:_x$1", "Word:tensor"}));
}

TEST(Lexer, NamesComeWithoutTheirSign) {
  EXPECT_EQ(tokens("%x %0 @f #map1 ^bb0"),
            (Texts{"Percent:x", "Percent:0", "At:f", "Hash:map1", "Caret:bb0"}));
}

TEST(Lexer, ValueNamesHoldDashesAndNumbersEndWithTheirDigits) {
  EXPECT_EQ(tokens("%c-7_i32 %0_a"), (Texts{"Percent:c-7_i32", "Percent:0", "Word:_a"}));
}

TEST(Lexer, SymbolsMayBeQuoted) {
  EXPECT_EQ(tokens("@\"a b\""), (Texts{"At:a b"}));
}

TEST(Lexer, NumbersAreIntegersOrFloats) {
  EXPECT_EQ(tokens("42 0x2A 1.0 1. 1.5e-3 1.0E+10"),
            (Texts{"Integer:42", "Integer:0x2A", "Float:1.0", "Float:1.", "Float:1.5e-3",
                   "Float:1.0E+10"}));
}

TEST(Lexer, AFloatNeedsADot) {
  EXPECT_EQ(tokens("1e5"), (Texts{"Integer:1", "Word:e5"}));
}

TEST(Lexer, ADashIsNoPartOfANumber) {
  EXPECT_EQ(tokens("-1"), (Texts{"Punct:-", "Integer:1"}));
}

TEST(Lexer, AnArrowIsOneToken) {
  EXPECT_EQ(tokens("->-"), (Texts{"Arrow:->", "Punct:-"}));
}

TEST(Lexer, CommentsAreBlanks) {
  EXPECT_EQ(tokens("a // b \"\n// c\nd"), (Texts{"Word:a", "Word:d"}));
}

TEST(Lexer, CommentsAndStringsHoldUtf8) {
  EXPECT_EQ(tokens("// \xC3\xA9\n\"\xE2\x82\xAC\""), (Texts{"String:\xE2\x82\xAC"}));
}

TEST(Lexer, AnEscapedQuoteDoesNotEndAString) {
  EXPECT_EQ(tokens(R"("a\"b" c)"), (Texts{R"(String:a\"b)", "Word:c"}));
}

TEST(Lexer, PlacesCountLinesAndBytesFromOne) {
  Lexer lexer("a\n  b\r\n\tc");
  EXPECT_EQ(lexer.next().loc, (Loc{1, 1}));
  EXPECT_EQ(lexer.next().loc, (Loc{2, 3}));
  EXPECT_EQ(lexer.next().loc, (Loc{3, 2}));
}

TEST(Lexer, ARunOfBadBytesIsOneError) {
  EXPECT_EQ(tokens("a \xFF\xFE\xFF b").size(), 3u);
  EXPECT_EQ(tokens("a ;;;; b").size(), 3u);
}

TEST(Lexer, ADotOrADollarStartsNoToken) {
  EXPECT_EQ(tokens(". $x"), (Texts{"Error:.", "Error:$", "Word:x"}));
  EXPECT_EQ(tokens("."), (Texts{"Error:."}));
}

TEST(Lexer, EveryByteAloneIsOneTokenOrNone) {
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_LE(tokens(std::string(1, static_cast<char>(byte))).size(), 1u) << byte;
}

TEST(Lexer, ASignWithoutANameIsAnError) {
  Lexer lexer("% x");
  const Token token = lexer.next();
  EXPECT_TRUE(token.bad);
  EXPECT_EQ(token.problem, DiagId::StrayCharacter);
}

TEST(Lexer, AStringThatIsNotClosedEndsWithItsLine) {
  Lexer lexer("\"abc\nd");
  const Token token = lexer.next();
  EXPECT_TRUE(token.is(TokenKind::String));
  EXPECT_EQ(token.problem, DiagId::UnterminatedString);
  EXPECT_TRUE(lexer.next().is_word("d"));
}

TEST(Lexer, ABlockCommentIsReadOver) {
  Lexer lexer("/* a\n b */ c");
  EXPECT_EQ(lexer.next().problem, DiagId::BlockComment);
  const Token after = lexer.next();
  EXPECT_TRUE(after.is_word("c"));
  EXPECT_EQ(after.loc, (Loc{2, 7}));
}

TEST(Lexer, ExtentsOfAShapeAreReadOneByOne) {
  Lexer lexer("0x4 x 8xf32>");
  Token digits;
  EXPECT_TRUE(lexer.next_extent(digits));
  EXPECT_EQ(digits.text, "0");
  EXPECT_TRUE(lexer.next_extent(digits));
  EXPECT_EQ(digits.text, "4");
  EXPECT_TRUE(lexer.next_extent(digits));
  EXPECT_EQ(digits.text, "8");
  EXPECT_FALSE(lexer.next_extent(digits));
  EXPECT_TRUE(lexer.next().is_word("f32"));
}

TEST(Lexer, Utf8IsAsTheStandardSays) {
  EXPECT_EQ(utf8_length("a"), 1u);
  EXPECT_EQ(utf8_length("\xC3\xA9"), 2u);
  EXPECT_EQ(utf8_length("\xE2\x82\xAC"), 3u);
  EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80"), 4u);
  for (const char* bad : {"\x80", "\xC0\x80", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"})
    EXPECT_EQ(utf8_length(bad), 0u) << quoted(bad);
}

} // namespace
} // namespace mo

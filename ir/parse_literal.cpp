// Numbers: the text of a literal and a type become the bits of an element.
#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

// Decimal or 0x hexadecimal, without a sign.
uint64_t Parser::magnitude(const Token& integer) {
  const bool hex = integer.text.starts_with("0x");
  const uint64_t base = hex ? 16 : 10;
  uint64_t value = 0;
  for (const char c : integer.text.substr(hex ? 2 : 0)) {
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    uint64_t scaled = 0;
    if (__builtin_mul_overflow(value, base, &scaled) ||
        __builtin_add_overflow(scaled, static_cast<uint64_t>(digit), &value))
      fail(DiagId::IntegerTooLarge, integer.loc,
           fmt::format("the integer {} does not fit in 64 bits", quoted(integer.text)));
  }
  return value;
}

int64_t Parser::to_int64(const Token& token, bool negative) {
  const uint64_t size = magnitude(token);
  if (size > static_cast<uint64_t>(INT64_MAX))
    fail(DiagId::IntegerTooLarge, token.loc,
         fmt::format("the integer {} is larger than {}", quoted(token.text), INT64_MAX));
  return negative ? -static_cast<int64_t>(size) : static_cast<int64_t>(size);
}

// [-] number, or true, or false.
Parser::Literal Parser::parse_literal() {
  Literal literal;
  literal.negative = accept('-');
  const bool number = tok_.is(TokenKind::Integer) || tok_.is(TokenKind::Float);
  const bool truth = tok_.is_word("true") || tok_.is_word("false");
  if (!number && (!truth || literal.negative))
    fail_expected(literal.negative ? "a number behind '-'" : "a number, true or false");
  literal.token = take();
  return literal;
}

uint64_t Parser::literal_bits(const Literal& literal, ElementType type) {
  return is_float(type) ? float_bits(literal, type) : integer_bits(literal, type);
}

// As in MLIR an iN literal may be anything that N bits hold, signed or unsigned.
uint64_t Parser::integer_bits(const Literal& literal, ElementType type) {
  const Token& token = literal.token;
  if (token.is(TokenKind::Word)) {
    if (type != ElementType::I1)
      fail(DiagId::LiteralKind, token.loc,
           fmt::format("{} is an i1, not a value of {}", token.text, spelling(type)));
    return token.text == "true";
  }
  if (token.is(TokenKind::Float))
    fail(DiagId::LiteralKind, token.loc,
         fmt::format("{} is a float, not a value of {}", quoted(token.text), spelling(type)));
  const uint64_t size = magnitude(token);
  const unsigned width = bit_width(type);
  const uint64_t all_ones = ~0ull >> (64 - width);
  const uint64_t largest = literal.negative ? all_ones / 2 + 1 : all_ones;
  if (size > largest)
    fail(DiagId::LiteralRange, token.loc,
         fmt::format("{}{} does not fit in {}", literal.negative ? "-" : "", cut(token.text),
                     spelling(type)));
  return (literal.negative ? 0 - size : size) & all_ones;
}

// Decimal literals go through double, also those of f32, as MLIR reads them.
uint64_t Parser::float_bits(const Literal& literal, ElementType type) {
  const Token& token = literal.token;
  if (token.is(TokenKind::Word))
    fail(DiagId::LiteralKind, token.loc,
         fmt::format("{} is an i1, not a value of {}", token.text, spelling(type)));
  if (token.is(TokenKind::Integer) && token.text.starts_with("0x")) {
    const size_t digits = token.text.size() - 2, needed = bit_width(type) / 4;
    if (digits != needed)
      fail(DiagId::HexFloatWidth, token.loc,
           fmt::format("the bits of an {} are {} hex digits; here are {}", spelling(type), needed,
                       digits));
    if (literal.negative)
      fail(DiagId::LiteralKind, token.loc, "a float given by its bits has no sign in front");
    return magnitude(token);
  }
  if (token.is(TokenKind::Integer))
    fail(DiagId::LiteralKind, token.loc,
         fmt::format("{} is an integer, not a value of {}: write a dot, as in {}.0",
                     quoted(token.text), spelling(type), token.text.substr(0, 20)));
  double value = std::strtod(std::string(token.text).c_str(), nullptr);
  if (literal.negative)
    value = -value;
  const auto narrow = static_cast<float>(value);
  const bool fits = type == ElementType::F64 ? std::isfinite(value) : std::isfinite(narrow);
  if (!fits)
    fail(DiagId::LiteralRange, token.loc,
         fmt::format("{} is too large for {}", quoted(token.text), spelling(type)));
  return type == ElementType::F64 ? std::bit_cast<uint64_t>(value)
                                  : std::bit_cast<uint32_t>(narrow);
}

} // namespace mo

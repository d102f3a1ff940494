// Dense constants: dense<1.0>, dense<[[1, 2], [3, 4]]>, dense<"0x...">.
//
// The type comes behind the values, so the text is read twice: once for its structure, and, when
// the type is known, once for the bits. That keeps memory at 8 bytes per element.
#include <utility>

#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

struct Parser::DenseText {
  Lexer lexer; // to come back to the values
  Token first; // the first token of them
  Loc loc;
  bool splat = false, bytes = false;
  std::optional<size_t> rank; // of the list, once an element has been seen
  Shape shape;                // per depth; -1 where no list has been closed yet
  size_t count = 0;           // elements
};

// Behind arith.constant: dense<...> : tensor
DenseOp Parser::parse_dense(Type& type) {
  const DenseText text = parse_dense_text();
  expect(':');
  const Loc type_loc = tok_.loc;
  type = parse_type();
  if (!type.is_tensor())
    fail(DiagId::DenseShape, type_loc,
         fmt::format("a dense constant is a tensor, not {}", to_string(type)));
  return dense_value(text, type);
}

// Behind memref.global ... : type =, so that the type is known: dense<...>
DenseOp Parser::parse_dense_of(const Type& type) {
  return dense_value(parse_dense_text(), type);
}

DenseOp Parser::dense_value(const DenseText& text, const Type& type) {
  if (text.bytes)
    return dense_from_bytes(text.first, type);
  check_dense_shape(text, type);
  return dense_from_literals(text, type);
}

Parser::DenseText Parser::parse_dense_text() {
  expect_word("dense");
  if (!tok_.is('<'))
    fail_expected("'<'");
  const Loc loc = tok_.loc;
  advance();
  DenseText text{lexer_, tok_, loc, false, false, {}, {}, 0};
  if (tok_.is(TokenKind::String)) {
    text.bytes = true;
    advance();
  } else if (tok_.is('[')) {
    parse_dense_list(text, 0);
  } else if (!tok_.is('>')) {
    text.splat = true;
    text.count = 1;
    parse_literal();
  }
  expect('>');
  return text;
}

void Parser::parse_dense_list(DenseText& text, unsigned depth) {
  const Token open = tok_;
  expect('[');
  if (depth >= kMaxDepth)
    fail(DiagId::TooDeep, open.loc, fmt::format("more than {} nested lists", kMaxDepth));
  if (text.shape.size() == depth)
    text.shape.push_back(-1);
  int64_t count = 0;
  while (!tok_.is(']')) {
    if (tok_.is('[')) {
      parse_dense_list(text, depth + 1);
    } else {
      const Loc loc = tok_.loc;
      parse_literal();
      ++text.count;
      if (!text.rank)
        text.rank = depth + 1;
      if (text.rank != depth + 1)
        fail(DiagId::RaggedList, loc,
             fmt::format("an element inside {} bracket{}, the first one is inside {}", depth + 1,
                         depth == 0 ? "" : "s", *text.rank));
    }
    ++count;
    if (!accept(','))
      break;
  }
  expect(']');
  int64_t& extent = text.shape[depth];
  if (extent == -1)
    extent = count;
  if (extent != count)
    fail(DiagId::RaggedList, open.loc,
         fmt::format("a list of {} where the first one at this depth has {}", count, extent));
}

void Parser::check_dense_shape(const DenseText& text, const Type& type) {
  const bool as_many = std::cmp_equal(text.count, element_count(type));
  const bool empty = text.count == 0 && as_many; // however it is nested
  if (text.splat || empty || (text.shape == type.shape && as_many))
    return;
  if (text.shape.empty())
    fail(DiagId::DenseShape, text.loc,
         fmt::format("no values for the {} elements of {}", element_count(type), to_string(type)));
  std::string shape;
  for (const int64_t extent : text.shape)
    shape += fmt::format("{}{}", shape.empty() ? "" : "x", extent);
  fail(DiagId::DenseShape, text.loc,
       fmt::format("the values have the shape {}, the type is {}", shape, to_string(type)));
}

DenseOp Parser::dense_from_literals(const DenseText& text, const Type& type) {
  DenseOp op;
  op.splat = text.splat;
  op.bits.reserve(text.count);
  Lexer lexer = text.lexer;
  Token token = text.first;
  Literal literal;
  while (op.bits.size() < text.count) {
    const bool value = !token.is(TokenKind::Punct) && !token.is(TokenKind::Error);
    literal.negative = token.is('-') || (literal.negative && value);
    if (value) {
      literal.token = token;
      op.bits.push_back(literal_bits(literal, type.element));
      literal.negative = false;
    }
    token = lexer.next();
  }
  return op;
}

// "0x" and the elements as they stand in memory; one element alone is a splat. Eight i1 share a
// byte, the first in bit 0.
DenseOp Parser::dense_from_bytes(const Token& bytes, const Type& type) {
  const auto bad = [&](std::string message) {
    fail(DiagId::DenseBytes, bytes.loc, std::move(message));
  };
  std::string_view hex = bytes.text;
  if (!hex.starts_with("0x") || hex.find_first_not_of("0123456789abcdefABCDEF", 2) != hex.npos)
    bad("the bytes of a dense constant are written \"0x\" and hex digits");
  hex.remove_prefix(2);
  const auto nibble = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  const auto byte = [&](size_t i) {
    return static_cast<uint64_t>(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
  };

  const auto count = static_cast<size_t>(element_count(type));
  const bool packed = type.element == ElementType::I1;
  const size_t element_bytes = byte_size(type.element);
  const size_t all_bytes = packed ? count / 8 + (count % 8 != 0) : count * element_bytes;
  DenseOp op;
  op.splat = hex.size() == 2 * element_bytes && count != 1 && !(packed && count <= 8);
  if (!op.splat && hex.size() != 2 * all_bytes)
    bad(fmt::format("{} hex digits for a {}, whose elements have {} bytes", hex.size(),
                    to_string(type), all_bytes));
  const size_t stored = op.splat ? 1 : count;
  op.bits.reserve(stored);
  for (size_t i = 0; i < stored; ++i) {
    if (packed) {
      op.bits.push_back(byte(i / 8) >> (i % 8) & 1);
      continue;
    }
    uint64_t bits = 0;
    for (size_t b = 0; b < element_bytes; ++b)
      bits |= byte(i * element_bytes + b) << (8 * b);
    op.bits.push_back(bits);
  }
  return op;
}

} // namespace mo

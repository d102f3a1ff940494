// Types: f32, tensor<4x8xf32>, memref<i1>.
#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

Type Parser::parse_type() {
  if (tok_.is_word("tensor"))
    return parse_shaped_type(Type::Kind::Tensor, take());
  if (tok_.is_word("memref"))
    return parse_shaped_type(Type::Kind::MemRef, take());
  return scalar_type(parse_element_type());
}

std::vector<Type> Parser::parse_arrow_types(bool attributes) {
  std::vector<Type> types;
  if (!tok_.is(TokenKind::Arrow))
    return types;
  advance();
  if (!accept('(')) {
    types.push_back(parse_type());
    return types;
  }
  while (!tok_.is(')')) {
    types.push_back(parse_type());
    if (attributes && tok_.is('{'))
      skip_dictionary();
    if (!accept(','))
      break;
  }
  expect(')');
  return types;
}

ElementType Parser::parse_element_type() {
  if (!tok_.is(TokenKind::Word)) {
    if (tok_.is('!') || tok_.is('('))
      fail(DiagId::UnknownType, tok_.loc,
           "only f32, f64, i1, i32, i64, index, and tensors and "
           "memrefs of them are known as types");
    fail_expected("a type");
  }
  const std::optional<ElementType> element = element_type_from(tok_.text);
  if (!element)
    fail(DiagId::UnknownType, tok_.loc,
         fmt::format("{} is no type here; the element types are f32, f64, i1, i32, i64 and index",
                     describe(tok_)));
  advance();
  return *element;
}

// Behind "tensor" or "memref".
Type Parser::parse_shaped_type(Type::Kind kind, const Token& word) {
  if (!tok_.is('<'))
    fail_expected("'<'");
  // The lexer stands behind the '<': a shape is read from it directly, since `4x8xf32` is no token.
  Type type;
  type.kind = kind;
  Token digits;
  while (lexer_.next_extent(digits)) {
    type.shape.push_back(to_int64(digits, /*negative=*/false));
    if (type.shape.size() > AffineMap::kMaxDims)
      fail(DiagId::TypeRank, word.loc,
           fmt::format("a {} has at most {} dimensions", word.text, AffineMap::kMaxDims));
  }
  advance();
  if (tok_.is('?') || tok_.is('*'))
    fail(DiagId::DynamicShape, tok_.loc,
         fmt::format("{} in a shape: extents have to be numbers", describe(tok_)));
  type.element = parse_element_type();
  if (tok_.is(','))
    fail(DiagId::TypeLayout, tok_.loc,
         fmt::format("a {} has nothing behind its element type here: {}", word.text,
                     kind == Type::Kind::MemRef ? "no layout but row-major, no memory space"
                                                : "no encoding"));
  expect('>');
  if (!checked_element_count(type.shape, type.element))
    fail(DiagId::ElementCount, word.loc,
         fmt::format("the bytes of a {} do not fit in 64 bits", to_string(type)));
  return type;
}

} // namespace mo

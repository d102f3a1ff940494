// Constant buffers: memref.global at module level, memref.get_global in a function. The IR has no
// globals: each get_global becomes a DenseOp of its own.
#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

// Elements that are copied for the second and later uses of globals, so that memory stays bounded.
static constexpr size_t kMaxCopiedElements = size_t{1} << 22;

// memref.global ["private"] constant @name : type = dense<...> [{attributes}]
void Parser::parse_global() {
  const Token word = take();
  if (tok_.is(TokenKind::String))
    advance();
  if (!accept_word("constant"))
    fail(DiagId::GlobalKind, word.loc, "a memref.global has to be a constant here");
  const Token name = expect(TokenKind::At, "the name of the global, like @g");
  define_symbol(name);
  expect(':');
  const Loc type_loc = tok_.loc;
  Type type = parse_type();
  if (!type.is_memref())
    fail(DiagId::GlobalKind, type_loc,
         fmt::format("a memref.global is a memref, not {}", to_string(type)));
  if (!tok_.is('='))
    fail(DiagId::GlobalKind, word.loc, fmt::format("@{} has no value", cut(name.text)));
  advance();
  DenseOp value = parse_dense_of(type);
  if (tok_.is('{'))
    skip_dictionary();
  skip_location();
  globals_.try_emplace(name.text, Global{std::move(type), std::move(value), name.loc});
}

// @name : type
void Parser::parse_get_global(const Names& names, const Token& op) {
  const Token name = expect(TokenKind::At, "the name of a global, like @g");
  expect(':');
  const Type type = parse_type();
  const auto found = globals_.find(name.text);
  if (found == globals_.end())
    fail(DiagId::UnknownGlobal, name.loc,
         fmt::format("no memref.global {} is defined above this line", describe(name)));
  Global& global = found->second;
  if (type != global.type)
    fail(DiagId::WrittenType, name.loc,
         fmt::format("@{} is used as {} here but has type {}", cut(name.text), to_string(type),
                     to_string(global.type)),
         {{global.loc, fmt::format("@{} is defined here", cut(name.text))}});
  copied_elements_ += global.used ? global.value.bits.size() : 0;
  global.used = true;
  if (copied_elements_ > kMaxCopiedElements)
    fail(DiagId::GlobalUses, name.loc,
         fmt::format("@{} and other globals are used so often that their copies would have more "
                     "than {} elements",
                     cut(name.text), kMaxCopiedElements));
  finish_op(names, op, DenseOp(global.value), {type});
}

} // namespace mo

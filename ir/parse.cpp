#include "ir/parse.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/parser.h"
#include "ir/verify.h"

namespace mo {

Module parse_what_parses(const SourceFile& source, Diagnostics& diagnostics) {
  Parser parser(source, diagnostics);
  parser.parse_file();
  return parser.take_module();
}

std::optional<Module> parse(const SourceFile& source, Diagnostics& diagnostics) {
  const size_t before = diagnostics.count();
  Module module = parse_what_parses(source, diagnostics);
  if (diagnostics.count() > before)
    return std::nullopt;
  return module;
}

std::optional<Module> parse_and_verify(const SourceFile& source, Diagnostics& diagnostics) {
  const size_t before = diagnostics.count();
  Module module = parse_what_parses(source, diagnostics);
  verify(module, diagnostics);
  if (diagnostics.count() > before)
    return std::nullopt;
  return module;
}

Parser::Parser(const SourceFile& source, Diagnostics& diagnostics)
    : lexer_(source.text), diagnostics_(diagnostics) {}

void Parser::parse_file() {
  try {
    advance();
    parse_top_level(/*in_module=*/false);
  } catch (TooManyErrors) {
  }
  flush_errors();
}

// ---- tokens ------------------------------------------------------------------------------------

void Parser::advance() {
  previous_end_line_ = tok_.loc.line;
  do {
    tok_ = lexer_.next();
    if (tok_.bad)
      error(tok_.problem, tok_.loc, lexical_error(tok_));
  } while (tok_.is(TokenKind::Error));
}

Token Parser::peek() const {
  Lexer ahead = lexer_;
  Token token = ahead.next();
  while (token.is(TokenKind::Error))
    token = ahead.next();
  return token;
}

Token Parser::take() {
  Token token = tok_;
  advance();
  return token;
}

bool Parser::accept(char punct) {
  if (!tok_.is(punct))
    return false;
  advance();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!tok_.is_word(word))
    return false;
  advance();
  return true;
}

Token Parser::expect(TokenKind kind, std::string_view what) {
  if (!tok_.is(kind))
    fail_expected(what);
  return take();
}

void Parser::expect(char punct) {
  if (!accept(punct))
    fail_expected(fmt::format("'{}'", punct));
}

void Parser::expect_word(std::string_view word) {
  if (!accept_word(word))
    fail_expected(fmt::format("'{}'", word));
}

// ---- errors and recovery -----------------------------------------------------------------------

void Parser::error(DiagId id, Loc loc, std::string message, std::vector<Note> notes) {
  const auto ended = [](const Diagnostic& d) { return d.id == DiagId::UnexpectedEnd; };
  if (id == DiagId::UnexpectedEnd && std::any_of(errors_.begin(), errors_.end(), ended))
    return; // one thing after the other is unfinished then
  errors_.push_back({id, loc, std::move(message), std::move(notes)});
  if (errors_.size() >= kStopAfter)
    throw TooManyErrors{};
}

void Parser::fail(DiagId id, Loc loc, std::string message, std::vector<Note> notes) {
  error(id, loc, std::move(message), std::move(notes));
  throw Abandoned{};
}

void Parser::fail_expected(std::string_view what) {
  const DiagId id = tok_.is(TokenKind::End) ? DiagId::UnexpectedEnd : DiagId::UnexpectedToken;
  fail(id, tok_.loc, fmt::format("expected {}, found {}", what, describe(tok_)));
}

bool Parser::starts_statement() const {
  if (tok_.is_word("func.func") || tok_.is(TokenKind::End))
    return true;
  if (!at_line_start())
    return false;
  if (tok_.is(TokenKind::Percent)) {
    const Token behind = peek();
    return behind.is('=') || behind.is(':');
  }
  return tok_.is(TokenKind::Word) &&
         (tok_.text == "return" || tok_.text.find('.') != std::string_view::npos);
}

void Parser::skip_to_statement() {
  unsigned depth = 0; // of the braces opened on the way
  while (!starts_statement() || (depth > 0 && !tok_.is(TokenKind::End))) {
    if (tok_.is_word("func.func"))
      return;
    if (tok_.is('{'))
      ++depth;
    if (tok_.is('}') && depth-- == 0)
      return;
    advance();
  }
}

void Parser::flush_errors() {
  const auto before = [](const Diagnostic& a, const Diagnostic& b) {
    return std::pair(a.loc.line, a.loc.col) < std::pair(b.loc.line, b.loc.col);
  };
  std::stable_sort(errors_.begin(), errors_.end(), before);
  for (Diagnostic& d : errors_)
    diagnostics_.error(d.id, d.loc, std::move(d.message), std::move(d.notes));
}

// ---- file level --------------------------------------------------------------------------------

void Parser::parse_top_level(bool in_module) {
  const auto starts_something = [&] {
    return tok_.is(TokenKind::End) || tok_.is_word("func.func") || tok_.is_word("module") ||
           tok_.is_word("memref.global") || (tok_.is(TokenKind::Hash) && at_line_start());
  };
  while (!tok_.is(TokenKind::End) && !(in_module && tok_.is('}'))) {
    const Loc start = tok_.loc;
    try {
      parse_top_level_item(in_module);
    } catch (Abandoned) {
      if (tok_.loc == start)
        advance();
      while (!starts_something())
        advance();
    }
  }
}

void Parser::parse_top_level_item(bool in_module) {
  if (tok_.is_word("func.func")) {
    if (!in_module && module_.explicit_module)
      error(DiagId::ModuleContents, tok_.loc, "a function behind the module: put it inside");
    parse_function();
  } else if (tok_.is_word("module") || tok_.is_word("builtin.module")) {
    if (in_module)
      skip_nested_module();
    else
      parse_module();
  } else if (tok_.is_word("memref.global")) {
    parse_global();
  } else if (tok_.is(TokenKind::Hash)) {
    parse_alias();
  } else {
    fail_expected(in_module ? "'func.func' or the '}' of the module"
                            : "'func.func', 'module' or '#name = ...'");
  }
}

void Parser::parse_alias() {
  const Token name = take();
  expect('=');
  if (tok_.is_word("loc")) {
    skip_location();
    return;
  }
  if (!tok_.is_word("affine_map"))
    fail_expected("'affine_map<...>'");
  AffineMap map;
  try {
    map = parse_map();
  } catch (Abandoned) {
    bad_aliases_.insert(name.text);
    throw;
  }
  const auto [entry, fresh] = aliases_.try_emplace(name.text, std::move(map), name.loc);
  if (!fresh)
    error(DiagId::AliasRedefined, name.loc, fmt::format("{} is defined twice", describe(name)),
          {{entry->second.second, "the first definition is here"}});
}

void Parser::parse_module() {
  const Token word = take();
  if (module_.explicit_module)
    error(DiagId::ModuleContents, word.loc, "a second module: one file has one module at most");
  else if (!module_.functions.empty())
    error(DiagId::ModuleContents, word.loc,
          "a module behind functions that stand outside of it: put all functions inside");
  module_.explicit_module = true;
  if (tok_.is(TokenKind::At))
    advance();
  if (accept_word("attributes"))
    skip_dictionary();
  expect('{');
  parse_top_level(/*in_module=*/true);
  if (!accept('}'))
    fail(DiagId::UnexpectedEnd, tok_.loc, "the file ends inside the module",
         {{word.loc, "the module starts here"}});
  skip_location();
}

void Parser::skip_nested_module() {
  error(DiagId::ModuleContents, tok_.loc, "a module inside a module");
  unsigned depth = 0;
  do {
    if (tok_.is('{'))
      ++depth;
    if (tok_.is('}') && depth > 0)
      --depth;
    advance();
  } while (!tok_.is(TokenKind::End) && (depth > 0 || !at_line_start()));
}

void Parser::define_symbol(const Token& name) {
  const auto [first, fresh] = symbols_.try_emplace(name.text, name.loc);
  if (!fresh)
    error(DiagId::FunctionRedefined, name.loc, fmt::format("@{} is defined twice", cut(name.text)),
          {{first->second, "the first definition is here"}});
}

void Parser::skip_location() {
  if (!tok_.is_word("loc") || !peek().is('('))
    return;
  advance();
  unsigned depth = 0;
  do {
    if (tok_.is(TokenKind::End))
      fail_expected("the ')' of loc(...)");
    if (tok_.is('('))
      ++depth;
    if (tok_.is(')'))
      --depth;
    advance();
  } while (depth > 0);
}

} // namespace mo

// Functions: signature, attributes, the list of ops.
#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

void Parser::parse_function() {
  const size_t errors_before = errors_.size();
  function_ = Function{};
  names_ = {}; // clear() would walk the buckets of the largest function so far
  scope_.clear();
  unresolved_.clear();

  const Token word = take(); // func.func
  function_.loc = word.loc;
  parse_signature();
  if (!tok_.is('{')) {
    if (starts_statement() || tok_.is('}'))
      fail(DiagId::FunctionWithoutBody, function_.loc,
           fmt::format("@{} is declared without a body", cut(function_.name)));
    fail_expected("'{'");
  }
  parse_function_body();
  skip_location();
  report_unresolved(0, /*end_of_function=*/true);
  if (errors_.size() == errors_before)
    module_.functions.push_back(std::move(function_));
}

void Parser::parse_signature() {
  if (accept_word("private"))
    function_.visibility = Visibility::Private;
  else if (accept_word("public"))
    function_.visibility = Visibility::Public;
  const Token name = expect(TokenKind::At, "the name of the function, like @f");
  function_.name = std::string(name.text);
  define_symbol(name);
  expect('(');
  if (!tok_.is(')')) {
    do
      parse_argument();
    while (accept(','));
  }
  expect(')');
  function_.result_types = parse_arrow_types(/*attributes=*/true);
  if (accept_word("attributes"))
    skip_dictionary();
}

void Parser::parse_argument() {
  if (!tok_.is(TokenKind::Percent) && (tok_.is(TokenKind::Word) || tok_.is('!')))
    fail(DiagId::FunctionWithoutBody, tok_.loc,
         fmt::format("the arguments of @{} have no names, as in a declaration without a body",
                     cut(function_.name)));
  const Token name = expect(TokenKind::Percent, "an argument, like %x: f32");
  expect(':');
  Argument argument;
  argument.value = function_.add_value(std::string(name.text), parse_type(), name.loc);
  define(name.text, name.loc, argument.value);
  if (tok_.is('{'))
    parse_argument_attributes(argument);
  skip_location();
  function_.args.push_back(argument);
}

void Parser::parse_argument_attributes(Argument& argument) {
  expect('{');
  while (!tok_.is('}')) {
    const Token name = expect(TokenKind::Word, "the name of an attribute");
    if (name.text == "bufferization.writable") {
      if (argument.writable)
        error(DiagId::AttributeRedefined, name.loc, fmt::format("{} is given twice", name.text));
      expect('=');
      argument.writable = tok_.is_word("true");
      if (!accept_word("true"))
        expect_word("false");
    } else if (name.text == "bufferize.result") {
      if (argument.is_result)
        error(DiagId::AttributeRedefined, name.loc, fmt::format("{} is given twice", name.text));
      argument.is_result = true;
    } else if (name.text.starts_with("bufferiz")) {
      fail(DiagId::UnknownAttribute, name.loc,
           fmt::format("{} is not known; an argument may have 'bufferization.writable = true' or "
                       "'false', and 'bufferize.result'",
                       describe(name)));
    } else if (accept('=')) {
      skip_attribute();
    }
    if (!accept(','))
      break;
  }
  expect('}');
}

void Parser::parse_function_body() {
  const Token open = take(); // {
  bool returned = false, reported = false;
  while (!tok_.is('}')) {
    if (tok_.is(TokenKind::End) || tok_.is_word("func.func"))
      fail(tok_.is(TokenKind::End) ? DiagId::UnexpectedEnd : DiagId::UnexpectedToken, tok_.loc,
           fmt::format("{} before the '}}' of @{}",
                       tok_.is(TokenKind::End) ? "the file ends" : "another function starts",
                       cut(function_.name)),
           {{open.loc, fmt::format("the body of @{} starts here", cut(function_.name))}});
    if (returned && !reported) {
      error(DiagId::AfterTerminator, tok_.loc, "nothing can stand behind the return");
      reported = true;
    }
    const Loc start = tok_.loc;
    try {
      if (tok_.is_word("return") || tok_.is_word("func.return")) {
        returned = true;
        parse_return();
      } else {
        parse_statement();
      }
    } catch (Abandoned) {
      if (tok_.loc == start)
        advance();
      skip_to_statement();
    }
  }
  if (!returned)
    error(DiagId::MissingTerminator, tok_.loc,
          fmt::format("@{} has no return", cut(function_.name)),
          {{open.loc, "its body starts here"}});
  expect('}');
}

void Parser::parse_statement() {
  Names names = parse_result_names();
  try {
    parse_op(names);
    skip_location();
  } catch (Abandoned) {
    poison_results(names);
    throw;
  }
}

void Parser::parse_return() {
  const Token word = take();
  ReturnOp op;
  if (tok_.is(TokenKind::Percent) && !starts_statement())
    op.values = parse_typed_operands();
  skip_location();
  function_.ops.push_back({word.loc, {}, std::move(op)});
}

} // namespace mo

// linalg.generic: attributes, operands, the body.
#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

void Parser::parse_generic(const Names& names, const Token& op) {
  GenericOp generic;
  bool good = true;
  try {
    parse_generic_header(generic, op);
  } catch (Abandoned) {
    if (!skip_to_body()) // the body may have errors of its own
      throw;
    good = false;
  }
  parse_body(generic.body);
  std::vector<Type> types = parse_arrow_types();
  if (good)
    finish_op(names, op, std::move(generic), std::move(types));
  else
    poison_results(names);
}

// {attributes} [ins(...)] [outs(...)] [attrs = {...}]
void Parser::parse_generic_header(GenericOp& op, const Token& word) {
  parse_generic_attributes(op, word);
  if (tok_.is_word("ins"))
    op.inputs = parse_list("ins");
  if (tok_.is_word("outs"))
    op.inits = parse_list("outs");
  if (accept_word("attrs")) {
    expect('=');
    skip_dictionary();
  }
  if (!tok_.is('{'))
    fail_expected(op.inits.empty() ? "'outs' or the '{' of the body" : "the '{' of the body");
}

void Parser::parse_generic_attributes(GenericOp& op, const Token& word) {
  bool have_maps = false, have_iterators = false;
  expect('{');
  while (!tok_.is('}')) {
    const Token name = expect(TokenKind::Word, "the name of an attribute");
    if (name.text == "indexing_maps" || name.text == "iterator_types") {
      bool& have = name.text == "indexing_maps" ? have_maps : have_iterators;
      if (have)
        error(DiagId::AttributeRedefined, name.loc, fmt::format("{} is given twice", name.text));
      have = true;
      expect('=');
      if (name.text == "indexing_maps")
        op.maps = parse_indexing_maps();
      else
        op.iterators = parse_iterator_types();
    } else if (accept('=')) {
      skip_attribute(); // doc, library_call, ...
    }
    if (!accept(','))
      break;
  }
  expect('}');
  if (!have_maps || !have_iterators)
    fail(DiagId::MissingAttribute, word.loc,
         fmt::format("linalg.generic needs {}",
                     have_maps        ? "iterator_types = [...]"
                     : have_iterators ? "indexing_maps = [...]"
                                      : "indexing_maps = [...] and iterator_types = [...]"));
}

std::vector<AffineMap> Parser::parse_indexing_maps() {
  std::vector<AffineMap> maps;
  expect('[');
  while (!tok_.is(']')) {
    maps.push_back(parse_map());
    if (!accept(','))
      break;
  }
  expect(']');
  return maps;
}

std::vector<IteratorType> Parser::parse_iterator_types() {
  std::vector<IteratorType> types;
  expect('[');
  while (!tok_.is(']')) {
    const Token type = expect(TokenKind::String, "\"parallel\" or \"reduction\"");
    if (type.text == "parallel")
      types.push_back(IteratorType::Parallel);
    else if (type.text == "reduction")
      types.push_back(IteratorType::Reduction);
    else
      fail(DiagId::IteratorKind, type.loc,
           fmt::format("a loop is \"parallel\" or \"reduction\", not {}", quoted(type.text)));
    if (!accept(','))
      break;
  }
  expect(']');
  return types;
}

// ---- the body ----------------------------------------------------------------------------------

bool Parser::skip_to_body() {
  while (!(tok_.is('{') && peek().is(TokenKind::Caret))) {
    if (starts_statement())
      return false;
    advance();
  }
  return true;
}

void Parser::parse_body(Body& body) {
  body.loc = tok_.loc;
  expect('{');
  const size_t scope = enter_scope(), first_use = unresolved_.size();
  const auto leave = [&] {
    report_unresolved(first_use, /*end_of_function=*/false);
    leave_scope(scope);
  };
  try {
    parse_body_arguments(body);
    parse_body_statements(body);
  } catch (Abandoned) {
    leave();
    throw;
  }
  leave();
  expect('}');
}

// ^bb0(%in: f32, %out: f32):
void Parser::parse_body_arguments(Body& body) {
  if (!tok_.is(TokenKind::Caret))
    return; // a block without arguments
  body.loc = tok_.loc;
  advance();
  if (accept('(')) {
    while (!tok_.is(')')) {
      const Token name = expect(TokenKind::Percent, "an argument of the block, like %in: f32");
      expect(':');
      body.args.push_back(function_.add_value(std::string(name.text), parse_type(), name.loc));
      define(name.text, name.loc, body.args.back());
      skip_location();
      if (!accept(','))
        break;
    }
    expect(')');
  }
  expect(':');
}

void Parser::parse_body_statements(Body& body) {
  bool yielded = false, reported = false;
  while (!tok_.is('}')) {
    if (tok_.is(TokenKind::End))
      fail(DiagId::UnexpectedEnd, tok_.loc, "the file ends inside the body of a linalg.generic",
           {{body.loc, "the body starts here"}});
    const std::string_view next = yielded ? op_of_statement().text : tok_.text;
    const bool leaves = next == "func.func" || next == "return" || next == "func.return";
    if (leaves || (yielded && function_op(next)))
      fail(DiagId::UnexpectedToken, tok_.loc,
           fmt::format("expected the '}}' of the body in front of {}", quoted(next)),
           {{body.loc, "the body starts here"}});
    if (yielded && !reported) {
      error(DiagId::AfterTerminator, tok_.loc, "nothing can stand behind the linalg.yield");
      reported = true;
    }
    const Loc start = tok_.loc;
    try {
      if (accept_word("linalg.yield")) {
        yielded = true;
        body.yield_loc = start;
        if (tok_.is(TokenKind::Percent) && !starts_statement())
          body.yields = parse_typed_operands();
        skip_location();
      } else {
        parse_body_statement(body);
      }
    } catch (Abandoned) {
      if (tok_.loc == start)
        advance();
      skip_to_statement();
    }
  }
  if (!yielded)
    error(DiagId::MissingTerminator, tok_.loc, "the body of a linalg.generic has no linalg.yield",
          {{body.loc, "the body starts here"}});
}

void Parser::parse_body_statement(Body& body) {
  const Names names = parse_result_names();
  try {
    const Token word = expect(TokenKind::Word, "an op");
    const std::optional<ScalarOp> op = scalar_op_from(word.text);
    if (!op && function_op(word.text))
      fail(DiagId::OpPlace, word.loc,
           fmt::format("{} cannot stand in the body of a linalg.generic", word.text));
    if (!op)
      fail_unknown_op(word);
    if (tok_.is_word("dense"))
      fail(DiagId::OpPlace, tok_.loc,
           "a tensor constant cannot stand in the body of a linalg.generic");
    body.insts.push_back(parse_scalar(*op, names, word));
    skip_location();
  } catch (Abandoned) {
    poison_results(names);
    throw;
  }
}

Token Parser::op_of_statement() const {
  if (!tok_.is(TokenKind::Percent))
    return tok_;
  Lexer ahead = lexer_;
  Token token = ahead.next();
  while (token.is(TokenKind::Percent) || token.is(TokenKind::Integer) || token.is(',') ||
         token.is(':') || token.is('='))
    token = ahead.next();
  return token;
}

} // namespace mo

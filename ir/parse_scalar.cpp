// Scalar ops: arith.addf %a, %b : f32, and their like. Read as the table in scalar_op.def says.
#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

// Checks what the text states against the operands; whether the op takes such types is for the
// verifier.
ScalarInst Parser::parse_scalar(ScalarOp op, const Names& names, const Token& word) {
  const ScalarOpInfo& row = info(op);
  ScalarInst inst;
  inst.op = op;
  inst.loc = word.loc;
  Type result;
  std::vector<Loc> locs;
  switch (row.rule) {
  case TypeRule::Constant: parse_scalar_constant(inst, result); break;
  case TypeRule::LoopIndex: {
    const Token number = expect(TokenKind::Integer, "the number of a loop");
    inst.immediate = static_cast<uint64_t>(to_int64(number, /*negative=*/false));
    expect(':');
    expect_word("index");
    result = scalar_type(ElementType::Index);
    break;
  }
  default: {
    if (row.rule == TypeRule::CompareFloat || row.rule == TypeRule::CompareInt)
      inst.predicate = parse_predicate(op);
    parse_scalar_operands(inst, locs);
    parse_arith_flags();
    expect(':');
    const Type written = parse_scalar_type(row.spelling);
    const bool select = row.rule == TypeRule::Select;
    for (unsigned i = 0; i < row.arity; ++i)
      check_type(inst.operands[i], select && i == 0 ? scalar_type(ElementType::I1) : written,
                 locs[i]);
    result = written;
    if (is_cast(row.rule)) {
      expect_word("to");
      result = parse_scalar_type(row.spelling);
    } else if (row.rule == TypeRule::CompareFloat || row.rule == TypeRule::CompareInt) {
      result = scalar_type(ElementType::I1);
    }
  }
  }
  const std::vector<ValueId> results = define_results(names, {result}, word.loc, row.spelling);
  inst.result = results.empty() ? kPoison : results[0];
  return inst;
}

void Parser::parse_scalar_operands(ScalarInst& inst, std::vector<Loc>& locs) {
  const ScalarOpInfo& row = info(inst.op);
  for (unsigned i = 0; i < row.arity; ++i) {
    if (i > 0 && !accept(','))
      fail_expected(fmt::format("',' and operand {} of the {} that {} takes", i + 1, row.arity,
                                row.spelling));
    locs.push_back(tok_.loc);
    inst.operands[i] = parse_operand();
  }
  if (tok_.is(','))
    fail(DiagId::UnexpectedToken, tok_.loc,
         fmt::format("{} takes {} operand{}, here are more", row.spelling, row.arity,
                     row.arity == 1 ? "" : "s"));
}

// true | false | number : type
void Parser::parse_scalar_constant(ScalarInst& inst, Type& type) {
  const Literal literal = parse_literal();
  type = scalar_type(ElementType::I1);
  if (literal.token.is(TokenKind::Word) && !tok_.is(':')) {
    inst.immediate = literal_bits(literal, type.element);
    return;
  }
  expect(':');
  const Loc type_loc = tok_.loc;
  type = parse_type();
  if (!type.is_scalar())
    fail(DiagId::LiteralKind, type_loc,
         fmt::format("a constant of type {} is written dense<...>", to_string(type)));
  inst.immediate = literal_bits(literal, type.element);
}

// fastmath<...>, overflow<...>, exact, nneg, {...}: licences that nobody here takes.
void Parser::parse_arith_flags() {
  for (;;) {
    if (tok_.is_word("fastmath") || tok_.is_word("overflow")) {
      advance();
      expect('<');
      do
        expect(TokenKind::Word, "a flag");
      while (accept(','));
      expect('>');
    } else if (tok_.is('{')) {
      skip_dictionary();
    } else if (!accept_word("exact") && !accept_word("nneg")) {
      return;
    }
  }
}

uint8_t Parser::parse_predicate(ScalarOp op) {
  const Token word = expect(TokenKind::Word, "a comparison, like olt or slt");
  expect(',');
  if (op == ScalarOp::CmpF) {
    if (const auto p = cmpf_predicate_from(word.text))
      return static_cast<uint8_t>(*p);
  } else if (const auto p = cmpi_predicate_from(word.text)) {
    return static_cast<uint8_t>(*p);
  }
  fail(DiagId::UnknownPredicate, word.loc,
       fmt::format("{} does not compare by {}; it knows {}", info(op).spelling, describe(word),
                   op == ScalarOp::CmpF
                       ? "false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge, "
                         "ult, ule, une, uno and true"
                       : "eq, ne, slt, sle, sgt, sge, ult, ule, ugt and uge"));
}

Type Parser::parse_scalar_type(std::string_view op) {
  const Loc loc = tok_.loc;
  Type type = parse_type();
  if (!type.is_scalar())
    fail(DiagId::ScalarOnShaped, loc,
         fmt::format("{} works on single elements here, not on a {}: put it in a linalg.generic",
                     op, to_string(type)));
  return type;
}

} // namespace mo

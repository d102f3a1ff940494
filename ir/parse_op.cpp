// The ops of a function, one reader each; linalg.generic is in parse_generic.cpp.
#include <algorithm>

#include <fmt/format.h>

#include "ir/parser.h"

namespace mo {

const Parser::FunctionOp Parser::kFunctionOps[9] = {
    {"linalg.generic", &Parser::parse_generic},
    {"linalg.fill", &Parser::parse_fill},
    {"tensor.empty", &Parser::parse_empty},
    {"bufferization.to_tensor", &Parser::parse_to_tensor},
    {"bufferization.materialize_in_destination", &Parser::parse_materialize},
    {"memref.alloc", &Parser::parse_alloc},
    {"memref.dealloc", &Parser::parse_dealloc},
    {"memref.copy", &Parser::parse_copy},
    {"memref.get_global", &Parser::parse_get_global},
};

const Parser::FunctionOp* Parser::function_op(std::string_view spelling) {
  for (const FunctionOp& op : kFunctionOps)
    if (op.spelling == spelling)
      return &op;
  return nullptr;
}

void Parser::parse_op(const Names& names) {
  if (tok_.is(TokenKind::String))
    fail(DiagId::UnknownOp, tok_.loc,
         fmt::format("{} in quotes: the generic form of ops is not read, only the usual one",
                     quoted(tok_.text)));
  const Token word = expect(TokenKind::Word, "an op");
  if (word.text == "arith.constant" && tok_.is_word("dense"))
    return parse_constant(names, word);
  if (const FunctionOp* op = function_op(word.text))
    return (this->*op->parse)(names, word);
  const std::optional<ScalarOp> op = scalar_op_from(word.text);
  if (!op && word.text != "linalg.yield")
    fail_unknown_op(word);
  if (!op || op == ScalarOp::LoopIndex)
    fail(DiagId::OpPlace, word.loc,
         fmt::format("{} can only stand in the body of a linalg.generic", word.text));
  ScalarInst inst = parse_scalar(*op, names, word);
  const ValueId result = inst.result;
  function_.ops.push_back({word.loc, {result}, std::move(inst)});
}

void Parser::finish_op(const Names& names, const Token& op, Op::Kind kind,
                       std::vector<Type> types) {
  std::vector<ValueId> results = define_results(names, std::move(types), op.loc, op.text);
  function_.ops.push_back({op.loc, std::move(results), std::move(kind)});
}

// ---- constants, fill, empty --------------------------------------------------------------------

void Parser::parse_constant(const Names& names, const Token& op) {
  Type type;
  DenseOp dense = parse_dense(type);
  finish_op(names, op, std::move(dense), {std::move(type)});
}

void Parser::parse_empty(const Names& names, const Token& op) {
  expect('(');
  if (tok_.is(TokenKind::Percent))
    fail(DiagId::DynamicShape, tok_.loc, "tensor.empty takes no sizes here: its type states them");
  expect(')');
  expect(':');
  finish_op(names, op, EmptyOp{}, {parse_type()});
}

// ins(%c : f32) outs(%t : type) [-> type]
void Parser::parse_fill(const Names& names, const Token& op) {
  if (tok_.is('{'))
    skip_dictionary();
  const Loc ins_loc = tok_.loc;
  const std::vector<ValueId> inputs = parse_list("ins");
  const std::vector<ValueId> inits = parse_list("outs");
  std::vector<Type> types = parse_arrow_types();
  if (inputs.size() != 1 || inits.size() != 1)
    fail(DiagId::UnexpectedToken, ins_loc,
         fmt::format("linalg.fill takes one value and one init, here are {} and {}", inputs.size(),
                     inits.size()));
  finish_op(names, op, FillOp{inputs[0], inits[0]}, std::move(types));
}

std::vector<ValueId> Parser::parse_list(std::string_view keyword) {
  std::vector<ValueId> values;
  expect_word(keyword);
  expect('(');
  if (!tok_.is(')'))
    values = parse_typed_operands();
  expect(')');
  return values;
}

// ---- between tensors and memory ----------------------------------------------------------------

// %m [restrict] [writable] : memref<..> [to tensor<..>]
void Parser::parse_to_tensor(const Names& names, const Token& op) {
  const Loc use_loc = tok_.loc;
  ToTensorOp result;
  result.memref = parse_operand();
  result.restrict = accept_word("restrict");
  result.writable = accept_word("writable");
  expect(':');
  const Type type = parse_type();
  check_type(result.memref, type, use_loc);
  Type tensor = tensor_type(type.shape, type.element); // what mlir-opt 19 left out
  if (accept_word("to"))
    tensor = parse_type();
  finish_op(names, op, result, {std::move(tensor)});
}

// %t in [restrict] [writable] %d : (type, type) -> () or type
void Parser::parse_materialize(const Names& names, const Token& op) {
  MaterializeOp result;
  const Loc source_loc = tok_.loc;
  result.source = parse_operand();
  expect_word("in");
  result.restrict = accept_word("restrict");
  result.writable = accept_word("writable");
  const Loc dest_loc = tok_.loc;
  result.dest = parse_operand();
  expect(':');
  expect('(');
  check_type(result.source, parse_type(), source_loc);
  expect(',');
  check_type(result.dest, parse_type(), dest_loc);
  expect(')');
  if (!tok_.is(TokenKind::Arrow))
    fail_expected("'->'");
  finish_op(names, op, result, parse_arrow_types());
}

// ---- buffers -----------------------------------------------------------------------------------

// () [{alignment = 64 : i64}] : type
void Parser::parse_alloc(const Names& names, const Token& op) {
  AllocOp result;
  expect('(');
  if (tok_.is(TokenKind::Percent))
    fail(DiagId::DynamicShape, tok_.loc, "memref.alloc takes no sizes here: its type states them");
  expect(')');
  if (accept('{')) {
    while (!tok_.is('}')) {
      const Token name = expect(TokenKind::Word, "the name of an attribute");
      if (name.text == "alignment") {
        if (result.alignment)
          error(DiagId::AttributeRedefined, name.loc, "alignment is given twice");
        expect('=');
        result.alignment = to_int64(expect(TokenKind::Integer, "a number of bytes"), false);
        if (accept(':'))
          expect_word("i64");
      } else if (accept('=')) {
        skip_attribute();
      }
      if (!accept(','))
        break;
    }
    expect('}');
  }
  expect(':');
  finish_op(names, op, result, {parse_type()});
}

void Parser::parse_dealloc(const Names& names, const Token& op) {
  const Loc use_loc = tok_.loc;
  const ValueId memref = parse_operand();
  expect(':');
  check_type(memref, parse_type(), use_loc);
  finish_op(names, op, DeallocOp{memref}, {});
}

// %source, %target : type to type
void Parser::parse_copy(const Names& names, const Token& op) {
  CopyOp result;
  const Loc source_loc = tok_.loc;
  result.source = parse_operand();
  expect(',');
  const Loc target_loc = tok_.loc;
  result.target = parse_operand();
  expect(':');
  check_type(result.source, parse_type(), source_loc);
  expect_word("to");
  check_type(result.target, parse_type(), target_loc);
  finish_op(names, op, result, {});
}

} // namespace mo

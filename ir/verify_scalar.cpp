// Verifier: the types of scalar ops.
#include <fmt/format.h>

#include "ir/verify_context.h"

namespace mo {

namespace {

// What the type of the operands has to be, in words. Casts have their own message.
std::string_view wanted(TypeRule rule) {
  switch (rule) {
  case TypeRule::CompareFloat:
  case TypeRule::FloatSame: return "f32 or f64";
  case TypeRule::CompareInt:
  case TypeRule::IntSame: return "i1, i32, i64 or index";
  case TypeRule::LoopIndex: return "index";
  default: return "a scalar type";
  }
}

void check_is(VerifyContext& context, const ScalarInst& inst, std::string_view what, ValueId v,
              ElementType expected) {
  const ElementType is = context.type(v).element;
  if (is != expected)
    context.error(DiagId::ScalarType, inst.loc,
                  fmt::format("{} of {} is {} where {} is needed", what, info(inst.op).spelling,
                              spelling(is), spelling(expected)));
}

// Every operand from `first` on has the type of operand `first`; returns that type.
ElementType check_operands_alike(VerifyContext& context, const ScalarInst& inst, unsigned first) {
  const ElementType type = context.type(inst.operands[first]).element;
  for (unsigned k = first + 1; k < info(inst.op).arity; ++k) {
    const ElementType other = context.type(inst.operands[k]).element;
    if (other != type)
      context.error(DiagId::ScalarType, inst.loc,
                    fmt::format("operand {} of {} is {}, but operand {} is {}", k,
                                info(inst.op).spelling, spelling(other), first, spelling(type)));
  }
  return type;
}

void check_rule(VerifyContext& context, const ScalarInst& inst, ElementType from, ElementType to) {
  const ScalarOpInfo& row = info(inst.op);
  if (types_agree(row.rule, from, to))
    return;
  context.error(DiagId::ScalarType, inst.loc,
                is_cast(row.rule) ? fmt::format("{} does not go from {} to {}", row.spelling,
                                                spelling(from), spelling(to))
                                  : fmt::format("{} works on {}, not on {}", row.spelling,
                                                wanted(row.rule), spelling(from)));
}

// All operands and the result must be scalars before their element types mean anything.
bool check_all_scalars(VerifyContext& context, const ScalarInst& inst) {
  const unsigned arity = info(inst.op).arity;
  bool all = true;
  for (unsigned k = 0; k <= arity; ++k) {
    const ValueId v = k < arity ? inst.operands[k] : inst.result;
    if (context.type(v).is_scalar())
      continue;
    all = false;
    context.error(DiagId::OperandKind, inst.loc,
                  fmt::format("{} works on scalars, but {} is none", info(inst.op).spelling,
                              context.describe(v)),
                  {context.defined_here(v)});
  }
  return all;
}

} // namespace

void verify_scalar_types(VerifyContext& context, const ScalarInst& inst) {
  if (!check_all_scalars(context, inst))
    return;
  switch (info(inst.op).rule) {
  case TypeRule::Constant: break;
  case TypeRule::LoopIndex:
    check_is(context, inst, "the result", inst.result, ElementType::Index);
    break;
  case TypeRule::CompareFloat:
  case TypeRule::CompareInt: {
    const ElementType compared = check_operands_alike(context, inst, 0);
    check_rule(context, inst, compared, compared);
    check_is(context, inst, "the result", inst.result, ElementType::I1);
    break;
  }
  case TypeRule::Select:
    check_is(context, inst, "the condition", inst.operands[0], ElementType::I1);
    check_is(context, inst, "the result", inst.result, check_operands_alike(context, inst, 1));
    break;
  case TypeRule::FloatSame:
  case TypeRule::IntSame: {
    const ElementType type = check_operands_alike(context, inst, 0);
    check_rule(context, inst, type, type);
    check_is(context, inst, "the result", inst.result, type);
    break;
  }
  default: // the casts
    check_rule(context, inst, context.type(inst.operands[0]).element,
               context.type(inst.result).element);
  }
}

} // namespace mo

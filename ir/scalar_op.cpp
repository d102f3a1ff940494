#include "ir/scalar_op.h"

#include <array>
#include <cassert>
#include <unordered_map>

namespace mo {

namespace {

using enum Cost;

// The ops whose shape no column of the table describes.
constexpr ScalarOpInfo special(ScalarOp op, std::string_view spelling) {
  switch (op) {
  case ScalarOp::Constant: return {op, spelling, 0, TypeRule::Constant, Cheap};
  case ScalarOp::LoopIndex: return {op, spelling, 0, TypeRule::LoopIndex, Cheap};
  case ScalarOp::CmpF: return {op, spelling, 2, TypeRule::CompareFloat, Cheap};
  case ScalarOp::CmpI: return {op, spelling, 2, TypeRule::CompareInt, Cheap};
  default: return {op, spelling, 3, TypeRule::Select, Cheap};
  }
}

constexpr auto kInfos = std::to_array<ScalarOpInfo>({
#define FLOAT_UNARY(Name, Spelling, Cost, Expr)                                                    \
  {ScalarOp::Name, Spelling, 1, TypeRule::FloatSame, Cost},
#define FLOAT_BINARY(Name, Spelling, Cost, Expr)                                                   \
  {ScalarOp::Name, Spelling, 2, TypeRule::FloatSame, Cost},
#define FLOAT_TERNARY(Name, Spelling, Cost, Expr)                                                  \
  {ScalarOp::Name, Spelling, 3, TypeRule::FloatSame, Cost},
#define INT_BINARY(Name, Spelling, Cost, Expr)                                                     \
  {ScalarOp::Name, Spelling, 2, TypeRule::IntSame, Cost},
#define CAST(Name, Spelling, Rule, Expr) {ScalarOp::Name, Spelling, 1, TypeRule::Rule, Cheap},
#define SPECIAL(Name, Spelling) special(ScalarOp::Name, Spelling),
#include "ir/scalar_op.def"
});

// info() finds a row by its enumerator.
constexpr bool rows_are_in_order() {
  for (size_t i = 0; i < kInfos.size(); ++i)
    if (kInfos[i].op != static_cast<ScalarOp>(i))
      return false;
  return true;
}
static_assert(rows_are_in_order());

// MLIR's numbers: the position is the number.
constexpr std::array<std::string_view, 16> kCmpF = {"false", "oeq", "ogt", "oge", "olt", "ole",
                                                    "one",   "ord", "ueq", "ugt", "uge", "ult",
                                                    "ule",   "une", "uno", "true"};
constexpr std::array<std::string_view, 10> kCmpI = {"eq",  "ne",  "slt", "sle", "sgt",
                                                    "sge", "ult", "ule", "ugt", "uge"};

template <class Predicate, size_t N>
std::optional<Predicate> find_predicate(const std::array<std::string_view, N>& spellings,
                                        std::string_view spelling) {
  for (size_t i = 0; i < N; ++i)
    if (spellings[i] == spelling)
      return static_cast<Predicate>(i);
  return std::nullopt;
}

bool is_fixed_width_integer(ElementType t) {
  return is_integer(t) && t != ElementType::Index;
}

} // namespace

const ScalarOpInfo& info(ScalarOp op) {
  assert(static_cast<size_t>(op) < kInfos.size());
  return kInfos[static_cast<size_t>(op)];
}

unsigned num_scalar_ops() {
  return kInfos.size();
}

unsigned allowed_ulps(ScalarOp op) {
  switch (op) {
  case ScalarOp::Exp:
  case ScalarOp::Exp2:
  case ScalarOp::Log:
  case ScalarOp::Log2:
  case ScalarOp::Rsqrt: return 2;
  case ScalarOp::ExpM1:
  case ScalarOp::Log1p:
  case ScalarOp::Tanh:
  case ScalarOp::Erf:
  case ScalarOp::Sin:
  case ScalarOp::Cos:
  case ScalarOp::PowF: return 4;
  default: return 0;
  }
}

std::optional<ScalarOp> scalar_op_from(std::string_view spelling) {
  static const auto by_spelling = [] {
    std::unordered_map<std::string_view, ScalarOp> table;
    for (const ScalarOpInfo& row : kInfos)
      table.emplace(row.spelling, row.op);
    return table;
  }();
  const auto found = by_spelling.find(spelling);
  return found == by_spelling.end() ? std::nullopt : std::optional(found->second);
}

bool types_agree(TypeRule rule, ElementType from, ElementType to) {
  const bool both_fixed = is_fixed_width_integer(from) && is_fixed_width_integer(to);
  switch (rule) {
  case TypeRule::Constant:
  case TypeRule::Select: return from == to;
  case TypeRule::LoopIndex: return from == to && to == ElementType::Index;
  case TypeRule::CompareFloat:
  case TypeRule::FloatSame: return from == to && is_float(to);
  case TypeRule::CompareInt:
  case TypeRule::IntSame: return from == to && is_integer(to);
  case TypeRule::IntToFloat: return is_fixed_width_integer(from) && is_float(to);
  case TypeRule::FloatToInt: return is_float(from) && is_fixed_width_integer(to);
  case TypeRule::FloatWiden: return from == ElementType::F32 && to == ElementType::F64;
  case TypeRule::FloatNarrow: return from == ElementType::F64 && to == ElementType::F32;
  case TypeRule::IntWiden: return both_fixed && bit_width(from) < bit_width(to);
  case TypeRule::IntNarrow: return both_fixed && bit_width(from) > bit_width(to);
  case TypeRule::IndexToInt:
    return (from == ElementType::Index && is_fixed_width_integer(to)) ||
           (is_fixed_width_integer(from) && to == ElementType::Index);
  case TypeRule::SameWidth:
    return from != ElementType::Index && to != ElementType::Index &&
           bit_width(from) == bit_width(to);
  }
  return false;
}

std::string_view spelling(CmpFPredicate p) {
  const auto number = static_cast<size_t>(p);
  return number < kCmpF.size() ? kCmpF[number] : "<bad predicate>";
}

std::string_view spelling(CmpIPredicate p) {
  const auto number = static_cast<size_t>(p);
  return number < kCmpI.size() ? kCmpI[number] : "<bad predicate>";
}

std::optional<CmpFPredicate> cmpf_predicate_from(std::string_view spelling) {
  return find_predicate<CmpFPredicate>(kCmpF, spelling);
}

std::optional<CmpIPredicate> cmpi_predicate_from(std::string_view spelling) {
  return find_predicate<CmpIPredicate>(kCmpI, spelling);
}

} // namespace mo

// The closed set of scalar ops, read from the table in scalar_op.def.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/type.h"

namespace mo {

enum class ScalarOp : uint8_t {
#define ROW(Name) Name,
#define FLOAT_UNARY(Name, Spelling, Cost, Expr) ROW(Name)
#define FLOAT_BINARY(Name, Spelling, Cost, Expr) ROW(Name)
#define FLOAT_TERNARY(Name, Spelling, Cost, Expr) ROW(Name)
#define INT_BINARY(Name, Spelling, Cost, Expr) ROW(Name)
#define CAST(Name, Spelling, Rule, Expr) ROW(Name)
#define SPECIAL(Name, Spelling) ROW(Name)
#include "ir/scalar_op.def"
#undef ROW
};

/// How operand and result types hang together.
enum class TypeRule : uint8_t {
  Constant,     // () -> T
  LoopIndex,    // () -> index
  CompareFloat, // T, T -> i1
  CompareInt,   // T, T -> i1
  Select,       // i1, T, T -> T
  FloatSame,    // T.. -> T, T a float
  IntSame,      // T, T -> T, T an integer, index included
  // one operand; the source type and the result type are both written
  IntToFloat,  // i1 i32 i64 -> f32 f64 (not index)
  FloatToInt,  // f32 f64 -> i1 i32 i64 (not index)
  FloatWiden,  // f32 -> f64
  FloatNarrow, // f64 -> f32
  IntWiden,    // i1 i32 i64, to a wider one
  IntNarrow,   // i1 i32 i64, to a narrower one
  IndexToInt,  // index -> i1 i32 i64, or the other way
  SameWidth,   // between types of the same bit_width, not index
};

/// What recomputing the op many times would cost; fusion asks (passes/fuse.h).
enum class Cost : uint8_t { Cheap, Expensive };

struct ScalarOpInfo {
  ScalarOp op;
  std::string_view spelling; // "arith.addf"
  unsigned arity;            // 0 to 3
  TypeRule rule;
  Cost cost;
};

const ScalarOpInfo& info(ScalarOp op);
/// How far compiled code may be from the exact result, in units in the last place. 0: the op is the
/// table's expression to the bit, wherever it runs. More: the functions that codegen approximates.
/// Their bits may differ between instruction sets and from libm, but follow from the operands
/// alone.
unsigned allowed_ulps(ScalarOp op);
std::optional<ScalarOp> scalar_op_from(std::string_view spelling);
unsigned num_scalar_ops();

constexpr bool is_cast(TypeRule rule) {
  return rule >= TypeRule::IntToFloat;
}

/// May an operand of type `from` give a result of type `to`? For the rules that write one type
/// (`T.. -> T`), both are that type.
bool types_agree(TypeRule rule, ElementType from, ElementType to);

/// arith.cmpf: O = ordered (false if either side is NaN), U = unordered (true then).
/// MLIR's numbers.
// clang-format off
enum class CmpFPredicate : uint8_t {
  False, OEQ, OGT, OGE, OLT, OLE, ONE, ORD,
  UEQ, UGT, UGE, ULT, ULE, UNE, UNO, True,
};
// clang-format on
/// arith.cmpi: S = signed, U = unsigned. MLIR's numbers.
enum class CmpIPredicate : uint8_t { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };

std::string_view spelling(CmpFPredicate p); // "false", "oeq", ...
std::string_view spelling(CmpIPredicate p); // "eq", "ne", "slt", ...
std::optional<CmpFPredicate> cmpf_predicate_from(std::string_view spelling);
std::optional<CmpIPredicate> cmpi_predicate_from(std::string_view spelling);

} // namespace mo

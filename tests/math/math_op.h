// The functions whose accuracy is promised, and the promise.
#pragma once

#include <ostream>
#include <span>
#include <string_view>

#include "ir/scalar_op.h"

namespace mo::testing {

/// A scalar op whose accuracy is promised.
struct MathOp {
  ScalarOp op;
  std::string_view name; // the spelling without "math."
  /// How far the result may be from the exact one, in units in the last place (ULP) of the result;
  /// one half is correctly rounded.
  double bound() const { return op == ScalarOp::Sqrt ? 0.5 : allowed_ulps(op); }
};

inline constexpr MathOp kMathOps[] = {
    {ScalarOp::Exp, "exp"},   {ScalarOp::Exp2, "exp2"}, {ScalarOp::ExpM1, "expm1"},
    {ScalarOp::Log, "log"},   {ScalarOp::Log2, "log2"}, {ScalarOp::Log1p, "log1p"},
    {ScalarOp::Tanh, "tanh"}, {ScalarOp::Erf, "erf"},   {ScalarOp::Sin, "sin"},
    {ScalarOp::Cos, "cos"},   {ScalarOp::PowF, "powf"}, {ScalarOp::Rsqrt, "rsqrt"},
    {ScalarOp::Sqrt, "sqrt"}};

/// How GoogleTest shows a parameter.
inline void PrintTo(const MathOp& op, std::ostream* to) {
  *to << op.name;
}

inline unsigned arity(const MathOp& op) {
  return info(op.op).arity;
}

} // namespace mo::testing

// The functions whose accuracy is promised, and the promise.
#pragma once

#include <span>
#include <string_view>

#include "ir/scalar_op.h"

namespace mo::testing {

/// A scalar op that is approximated, with how far its result may be from the exact one, in units in
/// the last place (ULP) of the result; one half is correctly rounded.
struct MathOp {
  ScalarOp op;
  std::string_view name; // the spelling without "math."
  double bound;
};

inline constexpr MathOp kMathOps[] = {
    {ScalarOp::Exp, "exp", 2},     {ScalarOp::Exp2, "exp2", 2}, {ScalarOp::ExpM1, "expm1", 4},
    {ScalarOp::Log, "log", 2},     {ScalarOp::Log2, "log2", 2}, {ScalarOp::Log1p, "log1p", 4},
    {ScalarOp::Tanh, "tanh", 4},   {ScalarOp::Erf, "erf", 4},   {ScalarOp::Sin, "sin", 4},
    {ScalarOp::Cos, "cos", 4},     {ScalarOp::PowF, "powf", 4}, {ScalarOp::Rsqrt, "rsqrt", 2},
    {ScalarOp::Sqrt, "sqrt", 0.5},
};

inline unsigned arity(const MathOp& op) {
  return info(op.op).arity;
}

} // namespace mo::testing

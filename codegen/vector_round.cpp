// Rounding to an integral value.
#include <cmath>

#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

using namespace asmjit;

VecReg round_to_integral(VectorAsm& as, ElementType type, const VecReg& a, int mode) {
  constexpr int kNoInexactFlag = 8;
  return as.unary(pick(as.avx512() ? inst::round_scale : inst::round, type), a,
                  mode | kNoInexactFlag);
}

VecReg emit_floor(VectorAsm& as, const EmitCall& call) {
  return round_to_integral(as, call.from, call.in[0], kRoundDown);
}

VecReg emit_ceil(VectorAsm& as, const EmitCall& call) {
  return round_to_integral(as, call.from, call.in[0], kRoundUp);
}

VecReg emit_trunc(VectorAsm& as, const EmitCall& call) {
  return round_to_integral(as, call.from, call.in[0], kRoundTowardZero);
}

VecReg emit_roundeven(VectorAsm& as, const EmitCall& call) {
  return round_to_integral(as, call.from, call.in[0], kRoundHalfEven);
}

VecReg emit_round(VectorAsm& as, const EmitCall& call) {
  // trunc(a + copysign(h, a)) with h the greatest value below one half: with one half itself
  // 0.49999997f would come to 1. From n + 1/2 the sum rounds to n + 1, as h is so close; and where
  // halves are not representable, adding h does not reach the next value.
  const bool wide = call.from == ElementType::F64;
  const double below_half = wide ? std::nextafter(0.5, 0.0) : double{std::nextafter(0.5f, 0.0f)};
  const VecReg& a = call.in[0];
  VecReg step = as.bit_or(sign_of(as, call.from, a), as.splat_float(below_half, call.from, a));
  VecReg sum = as.binary(pick(inst::add, call.from), a, step);
  return round_to_integral(as, call.from, sum, kRoundTowardZero);
}

} // namespace mo

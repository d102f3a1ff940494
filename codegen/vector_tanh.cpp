// tanh, which is odd, and +-1 from some |x| on.
#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

VecReg emit_tanh(VectorAsm& as, const EmitCall& call) {
  // With t = expm1(2 |x|), tanh(|x|) = t / (t + 2).
  const ElementType type = call.from;
  const double is_one = type == ElementType::F64 ? 20 : 10;
  VecReg size = clamp(as, type, magnitude_of(as, type, call.in[0]), 0, is_one);
  VecReg t = expm1_in_range(as, type, as.binary(pick(inst::add, type), size, size));
  VecReg t_plus_2 = as.binary(pick(inst::add, type), t, as.splat_float(2, type, t));
  return as.bit_or(as.binary(pick(inst::div, type), t, t_plus_2), sign_of(as, type, call.in[0]));
}

} // namespace mo

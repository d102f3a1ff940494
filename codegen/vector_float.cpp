// Arithmetic on floats that is one instruction, bit operations on them, and the remainder.
#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

VecReg emit_negf(VectorAsm& as, const EmitCall& call) {
  return as.bit_xor(call.in[0], as.splat(sign_bit(call.from), call.from, call.in[0]));
}

VecReg emit_absf(VectorAsm& as, const EmitCall& call) {
  return magnitude_of(as, call.from, call.in[0]);
}

VecReg emit_copysign(VectorAsm& as, const EmitCall& call) {
  return as.bit_or(magnitude_of(as, call.from, call.in[0]), sign_of(as, call.from, call.in[1]));
}

VecReg emit_addf(VectorAsm& as, const EmitCall& call) {
  return as.binary(pick(inst::add, call.from), call.in[0], call.in[1]);
}

VecReg emit_subf(VectorAsm& as, const EmitCall& call) {
  return as.binary(pick(inst::sub, call.from), call.in[0], call.in[1]);
}

VecReg emit_mulf(VectorAsm& as, const EmitCall& call) {
  return as.binary(pick(inst::mul, call.from), call.in[0], call.in[1]);
}

VecReg emit_divf(VectorAsm& as, const EmitCall& call) {
  return as.binary(pick(inst::div, call.from), call.in[0], call.in[1]);
}

VecReg emit_sqrt(VectorAsm& as, const EmitCall& call) {
  return as.unary(pick(inst::sqrt, call.from), call.in[0]);
}

namespace {

/// AVX-512's approximation has 14 bits, for denormals too, and a step of Newton's method doubles
/// them: y (1 + e / 2) with e = 1 - x y^2. A third of the time of a square root and a division. At
/// zeros, infinity and negative numbers the approximation is the result, and e is NaN. At most 1.04
/// ULP off, over all floats.
VecReg rsqrt_f32_avx512(VectorAsm& as, const VecReg& x) {
  constexpr ElementType kF32 = ElementType::F32;
  VecReg y = as.unary({I::kIdNone, I::kIdVrsqrt14ps}, x);
  VecReg one = as.load(as.splat_float(1.0, kF32, x), x);
  VecReg e = neg_mul_add(as, kF32, as.binary(inst::mul.f32, x, y), y, one);
  VecReg half = as.binary(inst::mul.f32, y, as.splat_float(0.5, kF32, x));
  as.cc.k(as.compare_k(CmpFPredicate::ORD, kF32, e, e))
      .emit(inst::fused_mul_add_to.f32.avx, y, half, e);
  return y;
}

} // namespace

VecReg emit_rsqrt(VectorAsm& as, const EmitCall& call) {
  if (as.avx512() && call.from == ElementType::F32)
    return rsqrt_f32_avx512(as, call.in[0]);
  // The approximations of the other instruction sets have 12 bits, and none for denormals.
  VecReg root = emit_sqrt(as, call);
  VecReg one = as.load(as.splat_float(1.0, call.from, root), root);
  return as.binary(pick(inst::div, call.from), one, root);
}

VecReg emit_remf(VectorAsm& as, const EmitCall& call) {
  // The x87 instruction fprem is C's fmod, exact for every pair. It takes 63 bits off the
  // exponents' distance at a time and says in C2 (bit 10 of the status word) whether there is more
  // to do.
  x86::Compiler& cc = as.cc;
  auto lane = [&cc](const std::vector<x86::Mem>& in, const x86::Mem& out) {
    constexpr int kNotFinished = 1 << 10;
    Label again = cc.newLabel();
    x86::Gp status = cc.newInt32("x87_status");
    cc.fld(in[1]);
    cc.fld(in[0]);
    cc.bind(again);
    cc.fprem();
    cc.fnstsw(status.r16());
    cc.test(status, kNotFinished);
    cc.jnz(again);
    cc.fstp(x86::st(1)); // drops the divisor
    cc.fstp(out);
  };
  return as.for_each_lane({call.in[0], call.in[1]}, byte_size(call.from), lane);
}

} // namespace mo

// fma: one rounding of a * b + c, also where there is no instruction for it.
#include <cmath>

#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;

namespace {

constexpr ElementType kF64 = ElementType::F64;

/// f32 in SSE registers: the product of two f32 is exact in f64.
VecReg fma_f32_sse(VectorAsm& as, const VecReg* in) {
  VecReg wide[3];
  for (int k = 0; k < 3; ++k) {
    wide[k] = as.reg64();
    as.into(wide[k], inst::f32_to_f64, in[k]);
  }
  VecReg sum = add_round_to_odd(as, as.binary(inst::mul.f64, wide[0], wide[1]), wide[2]);
  VecReg result = as.reg32();
  as.into(result, inst::f64_to_f32, sum);
  return result;
}

/// f64 in SSE registers: by the C library, a lane at a time.
VecReg fma_f64_sse(VectorAsm& as, const EmitCall& call) {
  x86::Compiler& cc = as.cc;
  auto lane = [&cc](const std::vector<x86::Mem>& in, const x86::Mem& out) {
    x86::Xmm arguments[3];
    for (unsigned k = 0; k < 3; ++k) {
      arguments[k] = cc.newXmmSd();
      cc.movsd(arguments[k], in[k]);
    }
    double (*fma)(double, double, double) = std::fma;
    InvokeNode* node = nullptr;
    cc.invoke(&node, imm(reinterpret_cast<void*>(fma)),
              FuncSignatureT<double, double, double, double>());
    for (unsigned k = 0; k < 3; ++k)
      node->setArg(k, arguments[k]);
    x86::Xmm result = cc.newXmmSd();
    node->setRet(0, result);
    cc.movsd(out, result);
  };
  return as.for_each_lane({call.in[0], call.in[1], call.in[2]}, 8, lane);
}

} // namespace

VecReg add_round_to_odd(VectorAsm& as, const VecReg& a, const VecReg& b) {
  const InstPair add = inst::add.f64, sub = inst::sub.f64;
  // sum + error == a + b exactly (Knuth's TwoSum).
  VecReg sum = as.binary(add, a, b);
  VecReg b_part = as.binary(sub, sum, a);
  VecReg a_part = as.binary(sub, sum, b_part);
  VecReg error = as.binary(add, as.binary(sub, a, a_part), as.binary(sub, b, b_part));
  // If there is an error and sum is even, the odd neighbour on the error's side: one more in the
  // bits if it points away from zero, one less if not. With NaN or infinity in sum, error is NaN:
  // ordered compares leave sum as it is.
  VecReg zero = as.zero(sum);
  VecReg inexact = as.compare(CmpFPredicate::ONE, kF64, error, zero);
  VecReg odd_bit = as.bit_and(sum, as.splat64(1, sum));
  VecReg even = as.compare(CmpIPredicate::EQ, 8, odd_bit, zero);
  VecReg toward_zero = as.sign_mask(8, as.bit_xor(sum, error)); // 0 or -1
  VecReg step = as.bit_or(toward_zero, as.splat64(1, sum));     // 1 or -1
  return as.add_int(8, sum, as.bit_and(step, as.bit_and(inexact, even)));
}

VecReg emit_fma(VectorAsm& as, const EmitCall& call) {
  if (!as.sse()) {
    VecReg result = as.copy(call.in[0]);
    as.cc.emit(pick(inst::fused_mul_add, call.from).avx, result, call.in[1], call.in[2]);
    return result;
  }
  if (call.from == kF64)
    return fma_f64_sse(as, call);
  return as.in_halves({call.in[0], call.in[1], call.in[2]}, fma_f32_sse);
}

} // namespace mo

// maximumf, minimumf (NaN if either side is) and maxnumf, minnumf (the other side if one is NaN).
// All order -0 below +0; x86's max and min do not, and give the second operand on a NaN.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;

namespace {

// vrange's immediate: what is chosen, with the sign of what was chosen. It orders zeros by sign and
// gives the number if one side is a quiet NaN.
enum : int { kRangeMin = 0b0100, kRangeMax = 0b0101 };

x86::KReg unordered(VectorAsm& as, ElementType type, const VecReg& a, const VecReg& b) {
  constexpr int kUnordered = 3;
  x86::KReg k = as.cc.newKw();
  as.cc.emit(pick(inst::cmp, type).avx, k, a, b, imm(kUnordered));
  return k;
}

VecReg propagating_avx512(VectorAsm& as, const EmitCall& call, int range) {
  const VecReg &a = call.in[0], &b = call.in[1];
  VecReg result = as.binary(pick(inst::range, call.from), a, b, range);
  as.cc.k(unordered(as, call.from, a, b)).emit(pick(inst::add, call.from).avx, result, a, b);
  return result;
}

VecReg ignoring_avx512(VectorAsm& as, const EmitCall& call, int range) {
  const VecReg &a = call.in[0], &b = call.in[1];
  const auto move = call.from == ElementType::F64 ? x86::Inst::kIdVmovapd : x86::Inst::kIdVmovaps;
  // On a signaling NaN vrange gives that NaN, so both sides are looked at.
  VecReg result = as.binary(pick(inst::range, call.from), a, b, range);
  as.cc.k(unordered(as, call.from, a, a)).emit(move, result, b);
  as.cc.k(unordered(as, call.from, b, b)).emit(move, result, a);
  return result;
}

} // namespace

VecReg emit_maximumf(VectorAsm& as, const EmitCall& call) {
  // exercise: maximumf
  if (as.avx512())
    return propagating_avx512(as, call, kRangeMax);
  const VecReg &a = call.in[0], &b = call.in[1];
  const InstPair max = pick(inst::max, call.from);
  // The two orders differ only in the sign bit of zeros, or where there is a NaN. Then `differ` is
  // not zero, and (either | differ) - differ is -0 - -0 = +0, or NaN. Elsewhere it is either - 0.
  VecReg either = as.binary(max, a, b);
  VecReg differ = as.bit_xor(either, as.binary(max, b, a));
  return as.binary(pick(inst::sub, call.from), as.bit_or(either, differ), differ);
  // end of exercise
}

VecReg emit_minimumf(VectorAsm& as, const EmitCall& call) {
  if (as.avx512())
    return propagating_avx512(as, call, kRangeMin);
  const VecReg &a = call.in[0], &b = call.in[1];
  const InstPair min = pick(inst::min, call.from);
  // The two orders differ only in the sign bit of zeros, or where there is a NaN: OR gives -0, or
  // NaN.
  return as.bit_or(as.binary(min, a, b), as.binary(min, b, a));
}

VecReg emit_maxnumf(VectorAsm& as, const EmitCall& call) {
  if (as.avx512())
    return ignoring_avx512(as, call, kRangeMax);
  const VecReg &a = call.in[0], &b = call.in[1];
  // max is b where a is NaN, and b where both are zero: there a & b is the greater zero. Where a ==
  // b the AND with a changes nothing else.
  VecReg not_equal = as.compare(CmpFPredicate::UNE, call.from, a, b);
  VecReg greater = as.bit_and(as.binary(pick(inst::max, call.from), a, b), as.bit_or(not_equal, a));
  return as.blend(as.is_nan(call.from, b), a, greater);
}

VecReg emit_minnumf(VectorAsm& as, const EmitCall& call) {
  if (as.avx512())
    return ignoring_avx512(as, call, kRangeMin);
  const VecReg &a = call.in[0], &b = call.in[1];
  VecReg equal = as.compare(CmpFPredicate::OEQ, call.from, a, b);
  VecReg less = as.bit_or(as.binary(pick(inst::min, call.from), a, b), as.bit_and(equal, a));
  return as.blend(as.is_nan(call.from, b), a, less);
}

} // namespace mo

// Integers to floats, rounded once, to nearest even.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

constexpr uint64_t kExponentOf2To52 = 0x4330000000000000u; // low 32 bits: an integer added to 2^52
constexpr uint64_t kExponentOf2To84 = 0x4530000000000000u; // low 32 bits: times 2^32, added to 2^84

/// A 64-bit integer as the exact sum of two f64: its low word, and the rest. Each word is put into
/// the mantissa of a power of two.
struct TwoParts {
  VecReg high, low;
};

TwoParts split(VectorAsm& as, const VecReg& a, bool is_signed) {
  // high + low is 2^84 + h 2^32 + 2^52 + l; a signed h has 2^31 added and taken off again.
  VecReg low =
      as.bit_or(as.bit_and(a, as.splat64(0xffffffffu, a)), as.splat64(kExponentOf2To52, a));
  const uint64_t flip = is_signed ? 0x80000000u : 0;
  VecReg high =
      as.bit_xor(as.shift(inst::shift_right64, a, 32), as.splat64(kExponentOf2To84 ^ flip, a));
  const double extra = 0x1p84 + (is_signed ? 0x1p63 : 0.0);
  high = as.binary(inst::sub.f64, high, as.splat_float(extra, ElementType::F64, a));
  low = as.binary(inst::sub.f64, low, as.splat_float(0x1p52, ElementType::F64, a));
  return {high, low};
}

VecReg from_i64(VectorAsm& as, const EmitCall& call, bool is_signed) {
  const VecReg& a = call.in[0];
  const bool to_f64 = call.to == ElementType::F64;
  VecReg result = as.reg_of(call.to);
  if (as.avx512()) {
    const InstId to64 = is_signed ? I::kIdVcvtqq2pd : I::kIdVcvtuqq2pd;
    const InstId to32 = is_signed ? I::kIdVcvtqq2ps : I::kIdVcvtuqq2ps;
    as.cc.emit(to_f64 ? to64 : to32, result, a);
    return result;
  }
  TwoParts parts = split(as, a, is_signed);
  if (to_f64)
    return as.binary(inst::add.f64, parts.high, parts.low);
  as.into(result, inst::f64_to_f32, add_round_to_odd(as, parts.high, parts.low));
  return result;
}

VecReg u32_to_f32(VectorAsm& as, const VecReg& a) {
  VecReg result = as.reg32();
  if (as.avx512()) {
    as.cc.emit(I::kIdVcvtudq2ps, result, a);
    return result;
  }
  // Both halves are exact; the sum is rounded.
  VecReg high = as.unary(inst::i32_to_f32, as.shift(inst::shift_right32, a, 16));
  VecReg low = as.unary(inst::i32_to_f32, as.bit_and(a, as.splat32(0xffff, a)));
  high = as.binary(inst::mul.f32, high, as.splat_float(0x1p16, ElementType::F32, a));
  return as.binary(inst::add.f32, high, low);
}

} // namespace

VecReg unsigned_to_f64(VectorAsm& as, const VecReg& a) {
  if (as.avx512()) {
    VecReg result = as.reg64();
    as.cc.emit(I::kIdVcvtudq2pd, result, a);
    return result;
  }
  VecReg wide = as.zero_extend(a);
  wide = as.bit_or(wide, as.splat64(kExponentOf2To52, wide));
  return as.binary(inst::sub.f64, wide, as.splat_float(0x1p52, ElementType::F64, wide));
}

VecReg emit_sitofp(VectorAsm& as, const EmitCall& call) {
  if (byte_size(call.from) == 8)
    return from_i64(as, call, true);
  VecReg result = as.reg_of(call.to);
  as.into(result, call.to == ElementType::F64 ? inst::i32_to_f64 : inst::i32_to_f32, call.in[0]);
  return result;
}

VecReg emit_uitofp(VectorAsm& as, const EmitCall& call) {
  if (byte_size(call.from) == 8)
    return from_i64(as, call, false);
  VecReg a = call.in[0];
  if (call.from == ElementType::I1)
    a = as.shift(inst::shift_right32, a, 31);
  return call.to == ElementType::F64 ? unsigned_to_f64(as, a) : u32_to_f32(as, a);
}

} // namespace mo

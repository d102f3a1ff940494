// Floats to integers, toward zero. NaN and what does not fit give the table's fixed results:
// 0x80..0 if signed, all ones if unsigned.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

constexpr ElementType kF64 = ElementType::F64;

VecReg to_f64(VectorAsm& as, const VecReg& a) {
  VecReg wide = as.reg64();
  as.into(wide, inst::f32_to_f64, a);
  return wide;
}

/// All ones where low <= a < high.
VecReg in_range(VectorAsm& as, const VecReg& a, double low, double high) {
  return as.bit_and(as.compare(CmpFPredicate::OGE, kF64, a, as.splat_float(low, kF64, a)),
                    as.compare(CmpFPredicate::OLT, kF64, a, as.splat_float(high, kF64, a)));
}

/// Bits 0 to 31 of an integral value, |a| < 2^51, in the low word of its lane; above them, garbage.
VecReg low_word_of_integral(VectorAsm& as, const VecReg& a) {
  // Adding 2^52 + 2^51 leaves the mantissa in units of 1, in two's complement.
  return as.binary(inst::add.f64, a, as.splat_float(0x1.8p52, kF64, a));
}

/// Signed or unsigned 64 bits from f64, without the instruction for it.
VecReg f64_to_i64(VectorAsm& as, const VecReg& a, bool is_signed) {
  VecReg whole = round_to_integral(as, kF64, a, kRoundTowardZero);
  // whole = high 2^32 + low with 0 <= low < 2^32; every step is exact.
  VecReg high = round_to_integral(
      as, kF64, as.binary(inst::mul.f64, whole, as.splat_float(0x1p-32, kF64, a)), kRoundDown);
  VecReg low = as.binary(inst::sub.f64, whole,
                         as.binary(inst::mul.f64, high, as.splat_float(0x1p32, kF64, a)));
  VecReg bits = as.bit_or(as.shift(inst::shift_left64, low_word_of_integral(as, high), 32),
                          as.bit_and(low_word_of_integral(as, low), as.splat64(0xffffffffu, a)));
  if (is_signed) {
    VecReg fits = in_range(as, whole, -0x1p63, 0x1p63);
    return as.blend(fits, bits, as.load(as.splat64(uint64_t{1} << 63, a), a));
  }
  return as.bit_or(bits, as.bit_not(in_range(as, whole, 0.0, 0x1p64)));
}

VecReg f64_to_u32(VectorAsm& as, const VecReg& a) {
  VecReg whole = round_to_integral(as, kF64, a, kRoundTowardZero);
  VecReg outside = as.bit_not(in_range(as, whole, 0.0, 0x1p32));
  return as.low_words(as.bit_or(low_word_of_integral(as, whole), outside));
}

VecReg to_i64(VectorAsm& as, const EmitCall& call, bool is_signed) {
  const bool from_f64 = call.from == kF64;
  if (as.avx512()) {
    const InstId from64 = is_signed ? I::kIdVcvttpd2qq : I::kIdVcvttpd2uqq;
    const InstId from32 = is_signed ? I::kIdVcvttps2qq : I::kIdVcvttps2uqq;
    VecReg result = as.reg64();
    as.cc.emit(from_f64 ? from64 : from32, result, call.in[0]);
    return result;
  }
  return f64_to_i64(as, from_f64 ? call.in[0] : to_f64(as, call.in[0]), is_signed);
}

VecReg to_u32(VectorAsm& as, const EmitCall& call) {
  const bool from_f64 = call.from == kF64;
  if (as.avx512()) {
    VecReg result = as.reg32();
    as.cc.emit(from_f64 ? I::kIdVcvttpd2udq : I::kIdVcvttps2udq, result, call.in[0]);
    return result;
  }
  if (from_f64)
    return f64_to_u32(as, call.in[0]);
  return as.in_halves({call.in[0]}, [](VectorAsm& half, const VecReg* in) {
    return f64_to_u32(half, to_f64(half, in[0]));
  });
}

} // namespace

VecReg integral_f64_to_i32(VectorAsm& as, const VecReg& a) {
  return as.low_words(low_word_of_integral(as, a));
}

VecReg emit_fptosi(VectorAsm& as, const EmitCall& call) {
  if (byte_size(call.to) == 8)
    return to_i64(as, call, true);
  VecReg word = as.reg32();
  as.into(word, call.from == kF64 ? inst::f64_to_i32 : inst::f32_to_i32, call.in[0]);
  return call.to == ElementType::I1 ? mask_from_bit0(as, word) : word;
}

VecReg emit_fptoui(VectorAsm& as, const EmitCall& call) {
  if (byte_size(call.to) == 8)
    return to_i64(as, call, false);
  VecReg word = to_u32(as, call);
  return call.to == ElementType::I1 ? mask_from_bit0(as, word) : word;
}

} // namespace mo

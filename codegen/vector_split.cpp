#include "codegen/vector_split.h"

#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

using namespace asmjit;

namespace {

constexpr FloatLayout kF32Layout = {.mantissa_bits = 23,
                                    .mantissa_mask = 0x7fffff,
                                    .one = 0x3f800000,
                                    .root_half = 0x3f3504f3,
                                    .root_two = 0x1.6a09e6p0,
                                    .bias = 127,
                                    .integral_bits = 0x4b000000,
                                    .integral = 0x1p23,
                                    .least_normal = 0x1p-126};
constexpr FloatLayout kF64Layout = {.mantissa_bits = 52,
                                    .mantissa_mask = 0xfffffffffffff,
                                    .one = 0x3ff0000000000000,
                                    .root_half = 0x3fe6a09e667f3bcd,
                                    .root_two = 0x1.6a09e667f3bcdp0,
                                    .bias = 1023,
                                    .integral_bits = 0x4330000000000000,
                                    .integral = 0x1p52,
                                    .least_normal = 0x1p-1022};

/// Zeros give an exponent of -infinity, infinity one of infinity, what is negative or NaN an r of
/// NaN.
SplitFloat split_avx512(VectorAsm& as, ElementType type, const VecReg& x) {
  const FloatLayout& c = layout_of(type);
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  // The significand in [1, 2): NaN if negative, 1 for zeros and infinity. Halved from sqrt(2) on.
  constexpr int kFromOneOnNoNegatives = 0b1100, kGreaterOrEqual = 13;
  VecReg m = as.unary(pick(inst::get_mantissa, type), x, kFromOneOnNoNegatives);
  VecReg exponent = as.unary(pick(inst::get_exponent, type), x);
  x86::KReg large = as.cc.newKw();
  as.cc.emit(pick(inst::cmp, type).avx, large, m, value(c.root_two), imm(kGreaterOrEqual));
  as.cc.k(large).emit(pick(inst::mul, type).avx, m, m, value(0.5));
  as.cc.k(large).emit(pick(inst::add, type).avx, exponent, exponent, value(1));
  return {exponent, as.binary(pick(inst::sub, type), m, value(1))};
}

/// For normal x > 0.
SplitFloat split_normal(VectorAsm& as, ElementType type, const VecReg& x) {
  const FloatLayout& c = layout_of(type);
  const unsigned bytes = byte_size(type);
  VecReg shifted = as.sub_int(bytes, x, as.splat(c.root_half - c.one, type, x));
  VecReg m = as.add_int(bytes, as.bit_and(shifted, as.splat(c.mantissa_mask, type, x)),
                        as.splat(c.root_half, type, x));
  return {exponent_of(as, type, shifted),
          as.binary(pick(inst::sub, type), m, as.splat_float(1, type, x))};
}

/// For finite x > 0. Denormals are made normal, by a power of two that the exponent gives back.
SplitFloat split_denormals_too(VectorAsm& as, ElementType type, const VecReg& x) {
  const FloatLayout& c = layout_of(type);
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  VecReg denormal = as.compare(CmpFPredicate::OLT, type, x, value(c.least_normal));
  VecReg lifted = as.binary(pick(inst::mul, type), x, value(c.integral));
  SplitFloat split = split_normal(as, type, as.blend(denormal, lifted, x));
  split.exponent = as.binary(pick(inst::sub, type), split.exponent,
                             as.bit_and(denormal, value(c.mantissa_bits)));
  return split;
}

} // namespace

const FloatLayout& layout_of(ElementType type) {
  return type == ElementType::F64 ? kF64Layout : kF32Layout;
}

VecReg exponent_of(VectorAsm& as, ElementType type, const VecReg& shifted) {
  const FloatLayout& c = layout_of(type);
  const bool wide = type == ElementType::F64;
  VecReg field =
      as.shift(wide ? inst::shift_right64 : inst::shift_right32, shifted, c.mantissa_bits);
  VecReg above = as.bit_or(field, as.splat(c.integral_bits, type, field));
  return as.binary(pick(inst::sub, type), above, as.splat_float(c.integral + c.bias, type, field));
}

SplitFloat split_float(VectorAsm& as, ElementType type, const VecReg& x, Denormals denormals) {
  if (as.avx512())
    return split_avx512(as, type, x);
  if (denormals == Denormals::None)
    return split_normal(as, type, x);
  return split_denormals_too(as, type, x);
}

} // namespace mo

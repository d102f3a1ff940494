// powf: x^y = 2^(y log2(x)) for x > 0, then what C's pow says of the other bases and of NaN.
//
// The product may be as large as 150 (f64: 1075), and its absolute error is the relative error of
// the result: log2(x) has to have more bits than the result. f32 is computed in f64, f64 with a
// logarithm of two f64. The greatest errors met in 60 million pairs of f32, 20 million of f64: f32
// 1.45 ULP, f64 1.20 on SSE4.2, else 1.11.
#include <limits>

#include "codegen/vector_double_double.h"
#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"
#include "codegen/vector_split.h"

namespace mo {

namespace {

constexpr ElementType kF64 = ElementType::F64;

// For results of f32 from f64 arithmetic: minimax polynomials by Sollya's fpminimax.
// log2(1 + r) / r on [sqrt(1/2) - 1, sqrt(2) - 1], relative error 2^-30.5: where a result of f32
// has an exponent of 150 that is 2^-23.7 of it, one ULP.
constexpr double kLog2[] = {0x1.71547656a17dap0,   -0x1.715476299f46ap-1, 0x1.ec707f0b786e1p-2,
                            -0x1.7154906f24da6p-2, 0x1.2780832d0a568p-2,  -0x1.ec7a1275f3146p-3,
                            0x1.a3edd74c56733p-3,  -0x1.6e67af95a9ff4p-3, 0x1.605f56e74598ep-3,
                            -0x1.5a3de895b28c5p-3, 0x1.8d73694af9a07p-4};
// 2^r on [-1/2, 1/2], relative error 2^-27.5, exact for r = 0.
constexpr double kExp2[] = {1,
                            0x1.62e4302fcc24bp-1,
                            0x1.ebfbe07d97bap-3,
                            0x1.c6af6ccfc18a2p-5,
                            0x1.3b29e3ce99ae9p-7,
                            0x1.5f0896146abe3p-10,
                            0x1.446c81e4d0ed7p-13};

/// x^y for x >= 0 of f32, on as many lanes as f64 has in a register. Except on AVX-512, x is to be
/// greater than zero, and finite.
VecReg power_of_positives_f32(VectorAsm& as, const VecReg* in) {
  constexpr double kIsZero = -152, kIsInfinite = 129;
  VecReg x = as.reg64(), y = as.reg64(), result = as.reg32();
  as.into(x, inst::f32_to_f64, in[0]);
  as.into(y, inst::f32_to_f64, in[1]);
  SplitFloat split = split_float(as, kF64, x, Denormals::None);
  VecReg log = mul_add(as, kF64, split.r, polynomial(as, kF64, split.r, kLog2), split.exponent);
  VecReg power = clamp(as, kF64, as.binary(inst::mul.f64, log, y), kIsZero, kIsInfinite);
  VecReg k = round_to_integral(as, kF64, power, kRoundHalfEven);
  VecReg of_rest = polynomial(as, kF64, as.binary(inst::sub.f64, power, k), kExp2);
  VecReg scaled = as.avx512() ? scale_by_power_of_two(as, kF64, of_rest, k)
                              : as.binary(inst::mul.f64, of_rest, power_of_two(as, kF64, k));
  as.into(result, inst::f64_to_f32, scaled); // the one rounding, also to denormals and infinity
  return result;
}

// For results of f64. log2(1 + r) = s (c1 + z (c3 + z p(z))) with s = r / (2 + r), z = s^2: c1 and
// c3 are 2 / ln 2 and a third of it, in two parts each; p is a minimax polynomial by Sollya's
// fpminimax for |s| <= 3 - 2 sqrt(2), with which log2(1 + r) has a relative error of 2^-62.9.
constexpr double kC1[] = {0x1.71547652b82fep1, 0x1.777d0ffda0d24p-55};
constexpr double kC3[] = {0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55};
constexpr double kLog2Rest[] = {0x1.2776c50ef9c02p-1, 0x1.a61762a7a82d5p-2, 0x1.484b13e3ede98p-2,
                                0x1.0c9a7af162c8ep-2, 0x1.c6969d543bacfp-3, 0x1.888cc04656effp-3,
                                0x1.7d93c86311c09p-3};

/// r / (2 + r).
DoubleDouble divide_by_two_more(VectorAsm& as, const VecReg& r) {
  auto value = [&](double v) { return as.splat_float(v, kF64, r); };
  DoubleDouble divisor = exact_sum(as, as.load(value(2), r), r);
  VecReg inverse = as.binary(inst::div.f64, as.load(value(1), r), divisor.high);
  VecReg high = as.binary(inst::mul.f64, r, inverse);
  // What high leaves of r, divided: one step of long division.
  DoubleDouble product = multiply(as, divisor, high);
  VecReg rest = as.binary(inst::sub.f64, as.binary(inst::sub.f64, r, product.high), product.low);
  return {high, as.binary(inst::mul.f64, rest, inverse)};
}

DoubleDouble log2_f64(VectorAsm& as, const VecReg& x) {
  SplitFloat split = split_float(as, kF64, x);
  DoubleDouble s = divide_by_two_more(as, split.r);
  DoubleDouble z = multiply(as, s, s);
  VecReg rest = as.binary(inst::mul.f64, z.high, polynomial(as, kF64, z.high, kLog2Rest));
  DoubleDouble sum = add_to_constant(as, kC3[0], kC3[1], {rest, as.zero(rest)});
  sum = add_to_constant(as, kC1[0], kC1[1], multiply(as, z, sum));
  DoubleDouble log = multiply(as, s, sum);
  DoubleDouble result = exact_sum(as, split.exponent, log.high);
  return {result.high, as.binary(inst::add.f64, result.low, log.low)};
}

/// x^y for x >= 0. Except on AVX-512, x is to be greater than zero, and finite.
VecReg power_of_positives_f64(VectorAsm& as, const VecReg& x, const VecReg& y) {
  constexpr double kIsZero = -1080, kIsInfinite = 1025;
  DoubleDouble power = multiply(as, log2_f64(as, x), y);
  VecReg high = clamp(as, kF64, power.high, kIsZero, kIsInfinite);
  // Where there was something to clamp the low part is nothing, or NaN.
  VecReg in_range = as.compare(CmpFPredicate::OEQ, kF64, high, power.high);
  VecReg low = as.bit_and(power.low, in_range);
  VecReg k = round_to_integral(as, kF64, high, kRoundHalfEven);
  VecReg rest = as.binary(inst::add.f64, as.binary(inst::sub.f64, high, k), low);
  return scale_by_power_of_two(as, kF64, exp2_near_zero(as, kF64, rest), k);
}

/// What is special about a call, as masks.
struct SpecialCases {
  VecReg no_result;  // a finite negative base and a power that is not an integer
  VecReg sign;       // the sign bit, where the base is negative or -0 and the power odd
  VecReg always_one; // a power of zero or a base of 1: also if the other one is a quiet NaN
};

/// All but signalling NaNs.
VecReg not_signalling(VectorAsm& as, ElementType type, const VecReg& v) {
  const uint64_t quiet_bit = type == kF64 ? uint64_t{1} << 51 : uint64_t{1} << 22;
  const VecReg quieted = as.bit_or(v, as.splat(quiet_bit, type, v));
  return as.bit_or(as.compare(CmpIPredicate::EQ, byte_size(type), quieted, v),
                   as.compare(CmpFPredicate::ORD, type, v, v));
}

SpecialCases special_cases(VectorAsm& as, ElementType type, const VecReg& x, const VecReg& y) {
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  VecReg zero = as.zero(x);
  VecReg integer =
      as.compare(CmpFPredicate::OEQ, type, round_to_integral(as, type, y, kRoundHalfEven), y);
  // Half of an odd integer is none. Large floats are even, infinity is taken for even as well.
  VecReg half = as.binary(pick(inst::mul, type), y, value(0.5));
  VecReg half_is_none =
      as.compare(CmpFPredicate::UNE, type, round_to_integral(as, type, half, kRoundHalfEven), half);
  VecReg finite_negative = as.bit_and(
      as.compare(CmpFPredicate::OLT, type, x, zero),
      as.compare(CmpFPredicate::OGT, type, x, value(-std::numeric_limits<double>::infinity())));
  SpecialCases cases;
  cases.no_result = as.and_not(integer, finite_negative);
  cases.sign = as.bit_and(sign_of(as, type, x), as.bit_and(integer, half_is_none));
  const VecReg base_one = as.compare(CmpFPredicate::OEQ, type, x, value(1));
  cases.always_one = as.bit_and(as.bit_or(as.compare(CmpFPredicate::OEQ, type, y, zero), base_one),
                                not_signalling(as, type, as.blend(base_one, y, x)));
  return cases;
}

/// `power` but for bases of zero and infinity: these give infinity or zero.
VecReg of_zero_or_infinity(VectorAsm& as, ElementType type, const VecReg& size_of_x,
                           const VecReg& y, const VecReg& power) {
  const double infinity = std::numeric_limits<double>::infinity();
  auto value = [&](double v) { return as.splat_float(v, type, y); };
  VecReg zero = as.zero(y);
  VecReg is_zero = as.compare(CmpFPredicate::OEQ, type, size_of_x, zero);
  VecReg is_infinite = as.compare(CmpFPredicate::OEQ, type, size_of_x, value(infinity));
  VecReg y_negative = as.compare(CmpFPredicate::OLT, type, y, zero);
  VecReg result = as.bit_and(as.bit_xor(is_infinite, y_negative), value(infinity));
  return as.blend(as.bit_or(is_zero, is_infinite), result, power);
}

} // namespace

VecReg emit_powf(VectorAsm& as, const EmitCall& call) {
  const ElementType type = call.from;
  const VecReg &x = call.in[0], &y = call.in[1];
  // A finite power keeps infinity times log2(1) out.
  const bool wide = type == kF64;
  const double greatest =
      wide ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
  VecReg finite_y = clamp(as, type, y, -greatest, greatest);
  VecReg size_of_x = magnitude_of(as, type, x);
  VecReg power = wide ? power_of_positives_f64(as, size_of_x, finite_y)
                      : as.in_halves({size_of_x, finite_y}, power_of_positives_f32);
  if (!as.avx512()) {
    power = of_zero_or_infinity(as, type, size_of_x, y, power);
    power = as.bit_or(power, as.compare(CmpFPredicate::UNO, type, x, y));
  }
  SpecialCases cases = special_cases(as, type, x, y);
  power = as.bit_or(as.bit_or(power, cases.sign), cases.no_result);
  return as.blend(cases.always_one, as.load(as.splat_float(1, type, x), x), power);
}

} // namespace mo

// math.sin and math.cos: a multiple of pi is subtracted, and the rest goes into one polynomial.
//
// Largest errors in ULP, f32 over all floats, f64 over 5 million samples (tests/math):
//   f32: sin 2.41, cos 2.62; on SSE4.2 3.07, 2.95    f64: sin 2.07, cos 2.43; on SSE4.2 2.54, 2.68
#include <math.h> // sinf and cosf, the functions of C

#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

using namespace asmjit;

namespace {

constexpr ElementType kF32 = ElementType::F32, kF64 = ElementType::F64;

/// Beyond, the multiple of pi is too large for the reduction; the C library has a slower one.
constexpr double kLargest = 0x1p20;

/// pi as a sum. All parts are positive, so that x - 0 * pi keeps the sign of a zero.
struct PiParts {
  double high, middle, low;
};
/// With a fused multiply-add the parts are as long as the type. x - n * high is exact, and what the
/// other two round away is relative to the result.
constexpr PiParts kPiOfF32 = {0x1.921fb4p1, 0x1.4442dp-23, 0x1.84698ap-47};
constexpr PiParts kPiOfF64 = {0x1.921fb54442d18p1, 0x1.1a62633145c06p-53, 0x1.c1cd129024e09p-106};
/// Without, the products must be exact: n has up to 20 bits, halves included, and so 32 are left.
constexpr PiParts kPiWithoutFma = {0x1.921fb544p1, 0x1.0b4611a6p-33, 0x1.3198a2e037073p-68};
/// For r in f32 two parts are enough, and the second one may be rounded.
constexpr PiParts kPiForF32WithoutFma = {0x1.921fb544p1, 0x1.0b4611a626331p-33, 0};

/// sin(r) = r P(r^2): minimax (fpminimax of Sollya) for the relative error on |r| <= pi/2 and a
/// little, as the nearest multiple of pi is found with a rounding error. 9.7e-9 and 2.9e-19.
constexpr double kSineOfF32[] = {1.0, -0x1.555548p-3, 0x1.110e2ep-7, -0x1.9f50ap-13,
                                 0x1.5bf992p-19};
constexpr double kSineOfF64[] = {1.0,
                                 -0x1.5555555555555p-3,
                                 0x1.11111111110c9p-7,
                                 -0x1.a01a01a014eb5p-13,
                                 0x1.71de3a52aaa9cp-19,
                                 -0x1.ae6454d95561fp-26,
                                 0x1.6123ce4d639a6p-33,
                                 -0x1.ae43db5d00807p-41,
                                 0x1.883bf4945295fp-49};

/// x - n * pi, to a few bits more than the type has, also where it is close to 0.
VecReg minus_multiple_of_pi(VectorAsm& as, ElementType type, const VecReg& x, const VecReg& n) {
  auto subtract = [&n](VectorAsm& to, ElementType t, const VecReg& from, const VecReg& multiple,
                       double part) {
    return neg_mul_add(to, t, multiple, to.splat_float(part, t, from), from);
  };
  if (as.sse() && type == kF32)
    return as.in_halves({x, n}, [&](VectorAsm& half, const VecReg* in) {
      VecReg wide[2] = {half.reg64(), half.reg64()};
      for (int k = 0; k < 2; ++k)
        half.into(wide[k], inst::f32_to_f64, in[k]);
      VecReg r = subtract(half, kF64, wide[0], wide[1], kPiForF32WithoutFma.high);
      r = subtract(half, kF64, r, wide[1], kPiForF32WithoutFma.middle);
      VecReg result = half.reg32();
      half.into(result, inst::f64_to_f32, r);
      return result;
    });
  const PiParts& pi = as.sse() ? kPiWithoutFma : type == kF64 ? kPiOfF64 : kPiOfF32;
  VecReg r = subtract(as, type, x, n, pi.high);
  r = subtract(as, type, r, n, pi.middle);
  return subtract(as, type, r, n, pi.low);
}

/// sin(r), negated where the last bit of `turns` is set.
VecReg sine_with_sign(VectorAsm& as, ElementType type, const VecReg& r, const VecReg& turns) {
  const bool wide = type == kF64;
  const InstPair mul = pick(inst::mul, type);
  VecReg square = as.binary(mul, r, r);
  VecReg factor =
      wide ? polynomial(as, type, square, kSineOfF64) : polynomial(as, type, square, kSineOfF32);
  VecReg sign =
      wide ? as.shift(inst::shift_left64, turns, 63) : as.shift(inst::shift_left32, turns, 31);
  return as.bit_xor(as.binary(mul, r, factor), sign);
}

/// A float so large that its unit is 1: what is added to it is rounded to a whole number, which
/// then stands in the low bits.
constexpr double whole_numbers(ElementType type) {
  return type == kF64 ? 0x1.8p52 : 0x1.8p23;
}

VecReg by_library_beyond_the_largest(VectorAsm& as, const EmitCall& call, const VecReg& fast,
                                     float (*f32)(float), double (*f64)(double)) {
  const VecReg& x = call.in[0];
  const void* function =
      call.from == kF64 ? reinterpret_cast<const void*>(f64) : reinterpret_cast<const void*>(f32);
  const LaneTest rare{CmpFPredicate::OGT, magnitude_of(as, call.from, x), kLargest};
  return rare_lanes_by_library(as, call.from, rare, {x}, fast, function);
}

constexpr double kInversePi = 0x1.45f306dc9c883p-2;

} // namespace

VecReg emit_sin(VectorAsm& as, const EmitCall& call) {
  // x = n pi + r, |r| <= pi/2: sin(x) = (-1)^n sin(r).
  const ElementType type = call.from;
  const VecReg& x = call.in[0];
  const Operand whole = as.splat_float(whole_numbers(type), type, x);
  VecReg inverse_pi = as.load(as.splat_float(kInversePi, type, x), x);
  VecReg turns = mul_add(as, type, x, inverse_pi, whole); // n in its low bits
  VecReg n = as.binary(pick(inst::sub, type), turns, whole);
  VecReg r = minus_multiple_of_pi(as, type, x, n);
  VecReg result = sine_with_sign(as, type, r, turns);
  return by_library_beyond_the_largest(as, call, result, sinf, sin);
}

VecReg emit_cos(VectorAsm& as, const EmitCall& call) {
  // x = (m + 1/2) pi + r, |r| <= pi/2: cos(x) = (-1)^(m+1) sin(r).
  const ElementType type = call.from;
  const InstPair add = pick(inst::add, type), sub = pick(inst::sub, type);
  const VecReg& x = call.in[0];
  const Operand whole = as.splat_float(whole_numbers(type) + 1, type, x);
  VecReg inverse_pi = as.load(as.splat_float(kInversePi, type, x), x);
  VecReg quotient = mul_add(as, type, x, inverse_pi, as.splat_float(-0.5, type, x));
  VecReg turns = as.binary(add, quotient, whole); // m + 1 in its low bits
  VecReg m = as.binary(sub, turns, whole);
  VecReg n = as.binary(add, m, as.splat_float(0.5, type, x));
  VecReg r = minus_multiple_of_pi(as, type, x, n);
  VecReg result = sine_with_sign(as, type, r, turns);
  if (as.sse() && type == kF32) {
    // cos(0) is 1 to the bit. r P misses it without a fused multiply-add: no coefficients in f32
    // hit both neighbours of 2 / pi. Below 2^-12, 1 is correctly rounded.
    VecReg tiny = as.compare(CmpFPredicate::OLT, type, magnitude_of(as, type, x),
                             as.splat_float(0x1p-12, type, x));
    result = as.blend(tiny, as.load(as.splat_float(1.0, type, x), x), result);
  }
  return by_library_beyond_the_largest(as, call, result, cosf, cos);
}

} // namespace mo

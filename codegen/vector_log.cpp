// log, log2 and log1p. x = 2^e (1 + r) with integral e and 1 + r around 1; then
// log(x) = e ln 2 + log(1 + r), and log(1 + r) = r + w with w = -r^2/2 + r^3/3 - ...
//
// r is exact and w is small beside it, so that near x = 1, where e = 0, nothing is lost.
#include <limits>

#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

/// The layout of a type's bits, and where significands are cut: 1 + r is in [sqrt(1/2), sqrt(2)).
struct LogConstants {
  int mantissa_bits;
  uint64_t mantissa_mask, one, boundary; // boundary: the bits of about sqrt(1/2)
  double root_of_two;
  double bias;            // of the exponent
  uint64_t integral_bits; // of a float with the unit 1, and its value
  double integral;
  double least_normal;
  double ln2_high, ln2_low;       // high has zeros at its end: its product with e is exact
  double log2_e_high, log2_e_low; // 1 / ln 2
};
// The low parts are positive: with e infinite both parts of a product have its sign.
constexpr LogConstants kLogF32 = {.mantissa_bits = 23,
                                  .mantissa_mask = 0x7fffff,
                                  .one = 0x3f800000,
                                  .boundary = 0x3f3504f3,
                                  .root_of_two = 0x1.6a09e6p0,
                                  .bias = 127,
                                  .integral_bits = 0x4b000000,
                                  .integral = 0x1p23,
                                  .least_normal = 0x1p-126,
                                  .ln2_high = 0x1.62e4p-1,
                                  .ln2_low = 0x1.7f7d1cp-20,
                                  .log2_e_high = 0x1.715476p0,
                                  .log2_e_low = 0x1.4ae0cp-26};
constexpr LogConstants kLogF64 = {.mantissa_bits = 52,
                                  .mantissa_mask = 0xfffffffffffff,
                                  .one = 0x3ff0000000000000,
                                  .boundary = 0x3fe6a09e667f3bcd,
                                  .root_of_two = 0x1.6a09e667f3bcdp0,
                                  .bias = 1023,
                                  .integral_bits = 0x4330000000000000,
                                  .integral = 0x1p52,
                                  .least_normal = 0x1p-1022,
                                  .ln2_high = 0x1.62e42fefa2p-1,
                                  .ln2_low = 0x1.9ef35793c7673p-41,
                                  .log2_e_high = 0x1.71547652b82fep0,
                                  .log2_e_low = 0x1.777d0ffda0d24p-56};

constexpr const LogConstants& log_constants(ElementType type) {
  return type == ElementType::F64 ? kLogF64 : kLogF32;
}

// Minimax polynomial of (log(1 + r) - r) / r^2 on [sqrt(1/2) - 1, sqrt(2) - 1] with coefficients of
// f32, by Sollya's fpminimax: log(1 + r) has a relative error of 2^-26.4.
constexpr double kLogF32Polynomial[] = {-0x1.fffffep-2, 0x1.555548p-2,  -0x1.000222p-2,
                                        0x1.99a7a8p-3,  -0x1.5487e2p-3, 0x1.22446ap-3,
                                        -0x1.0bf544p-3, 0x1.08a6a2p-3,  -0x1.496a52p-4};
// Minimax polynomial in z = s^2 of (2 artanh(s) - 2 s) / s^3 for the same r, |s| <= 3 - 2 sqrt(2),
// by Sollya's fpminimax: absolute error 2^-51.5, in the logarithm at most 2^-59.
constexpr double kLogF64Polynomial[] = {
    0x1.5555555555558p-1, 0x1.99999999952d9p-2, 0x1.2492492df75b1p-2, 0x1.c71c62dc17e47p-3,
    0x1.7462b76fcb8e7p-3, 0x1.39fe05dee2aeap-3, 0x1.2b5c823debf78p-3};

/// x = 2^exponent (1 + r).
struct Split {
  VecReg exponent, r; // floats
};

/// Zeros give an exponent of -infinity, infinity one of infinity, what is negative or NaN an r of
/// NaN.
Split split_avx512(VectorAsm& as, ElementType type, const VecReg& x) {
  const LogConstants& c = log_constants(type);
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  // The significand in [1, 2): NaN if negative, 1 for zeros and infinity. Halved from sqrt(2) on.
  constexpr int kFromOneOnNoNegatives = 0b1000, kGreaterOrEqual = 13;
  VecReg m = as.unary(pick(inst::get_mantissa, type), x, kFromOneOnNoNegatives);
  VecReg exponent = as.unary(pick(inst::get_exponent, type), x);
  x86::KReg large = as.cc.newKw();
  as.cc.emit(pick(inst::cmp, type).avx, large, m, value(c.root_of_two), imm(kGreaterOrEqual));
  as.cc.k(large).emit(pick(inst::mul, type).avx, m, m, value(0.5));
  as.cc.k(large).emit(pick(inst::add, type).avx, exponent, exponent, value(1));
  return {exponent, as.binary(pick(inst::sub, type), m, value(1))};
}

/// The exponent's field, from 1 up, of bits from which boundary - one was taken off: as a float.
VecReg exponent_of(VectorAsm& as, ElementType type, const VecReg& shifted) {
  const LogConstants& c = log_constants(type);
  const bool wide = type == ElementType::F64;
  VecReg field =
      as.shift(wide ? inst::shift_right64 : inst::shift_right32, shifted, c.mantissa_bits);
  VecReg above = as.bit_or(field, as.splat(c.integral_bits, type, field));
  return as.binary(pick(inst::sub, type), above, as.splat_float(c.integral + c.bias, type, field));
}

/// For finite x > 0.
Split split_by_bits(VectorAsm& as, ElementType type, const VecReg& x) {
  const LogConstants& c = log_constants(type);
  const unsigned bytes = byte_size(type);
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  // Denormals are made normal, by a power of two that the exponent gives back.
  VecReg denormal = as.compare(CmpFPredicate::OLT, type, x, value(c.least_normal));
  const double lift = c.mantissa_bits + 1;
  VecReg lifted = as.binary(pick(inst::mul, type), x, value(c.integral * 2));
  VecReg bits = as.blend(denormal, lifted, x);
  VecReg shifted = as.sub_int(bytes, bits, as.splat(c.boundary - c.one, type, x));
  VecReg m = as.add_int(bytes, as.bit_and(shifted, as.splat(c.mantissa_mask, type, x)),
                        as.splat(c.boundary, type, x));
  VecReg exponent = as.binary(pick(inst::sub, type), exponent_of(as, type, shifted),
                              as.bit_and(denormal, value(lift)));
  return {exponent, as.binary(pick(inst::sub, type), m, value(1))};
}

/// log(1 + r) - r.
VecReg log_beyond_r(VectorAsm& as, ElementType type, const VecReg& r) {
  auto value = [&](double v) { return as.splat_float(v, type, r); };
  const InstPair add = pick(inst::add, type), mul = pick(inst::mul, type);
  VecReg square = as.binary(mul, r, r);
  if (type == ElementType::F32)
    return as.binary(mul, square, polynomial(as, type, r, kLogF32Polynomial));
  // log(1 + r) = 2 artanh(s) with s = r / (2 + r), an odd function with few terms. As
  // 2 s = r - s r = r - (r^2/2 - s r^2/2), the large terms are those of r - r^2/2 + ...
  VecReg s = as.binary(pick(inst::div, type), r, as.binary(add, r, value(2)));
  VecReg z = as.binary(mul, s, s);
  VecReg half_square = as.binary(mul, square, value(0.5));
  VecReg sum = mul_add(as, type, polynomial(as, type, z, kLogF64Polynomial), z, half_square);
  return as.binary(pick(inst::sub, type), as.binary(mul, sum, s), half_square);
}

/// e ln 2 + log(1 + r).
VecReg log_of(VectorAsm& as, ElementType type, const Split& split) {
  const LogConstants& c = log_constants(type);
  auto value = [&](double v) { return as.splat_float(v, type, split.r); };
  VecReg w = log_beyond_r(as, type, split.r);
  VecReg low = mul_add(as, type, split.exponent, value(c.ln2_low), w);
  VecReg sum = as.binary(pick(inst::add, type), split.r, low);
  return mul_add(as, type, split.exponent, value(c.ln2_high), sum);
}

VecReg log2_of(VectorAsm& as, ElementType type, const Split& split) {
  const LogConstants& c = log_constants(type);
  auto value = [&](double v) { return as.splat_float(v, type, split.r); };
  VecReg w = log_beyond_r(as, type, split.r);
  VecReg low = mul_add(as, type, split.r, value(c.log2_e_low),
                       as.binary(pick(inst::mul, type), w, value(c.log2_e_high)));
  VecReg sum = mul_add(as, type, split.r, value(c.log2_e_high), low);
  return as.binary(pick(inst::add, type), split.exponent, sum);
}

/// The result where x is not both finite and greater than zero: -infinity for zeros, NaN for what
/// is less and for NaN, infinity for infinity.
VecReg outside_domain(VectorAsm& as, ElementType type, const VecReg& x, const VecReg& result) {
  const double infinity = std::numeric_limits<double>::infinity();
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  if (as.avx512()) {
    // Four bits for each class of x: NaN (two kinds), 0, 1, -infinity, infinity, negative,
    // positive. 0 keeps the result, 2 is x as a quiet NaN, 3 is NaN, 4 -infinity, 5 infinity.
    constexpr uint32_t kAnswers = 0x03530422;
    VecReg fixed = as.copy(result);
    as.cc.emit(pick(inst::fix_up, type).avx, fixed, x, as.splat(kAnswers, type, x), imm(0));
    return fixed;
  }
  VecReg zero = as.zero(x);
  VecReg fixed = as.blend(as.compare(CmpFPredicate::OEQ, type, x, value(infinity)), x, result);
  fixed =
      as.blend(as.compare(CmpFPredicate::OEQ, type, x, zero), as.load(value(-infinity), x), fixed);
  return as.bit_or(fixed, as.compare(CmpFPredicate::ULT, type, x, zero)); // all ones: NaN
}

} // namespace

VecReg emit_log(VectorAsm& as, const EmitCall& call) {
  const VecReg& x = call.in[0];
  if (as.avx512())
    return log_of(as, call.from, split_avx512(as, call.from, x));
  return outside_domain(as, call.from, x, log_of(as, call.from, split_by_bits(as, call.from, x)));
}

VecReg emit_log2(VectorAsm& as, const EmitCall& call) {
  const VecReg& x = call.in[0];
  if (as.avx512())
    return log2_of(as, call.from, split_avx512(as, call.from, x));
  return outside_domain(as, call.from, x, log2_of(as, call.from, split_by_bits(as, call.from, x)));
}

VecReg emit_log1p(VectorAsm& as, const EmitCall& call) {
  const ElementType type = call.from;
  const LogConstants& c = log_constants(type);
  const unsigned bytes = byte_size(type);
  const VecReg& x = call.in[0];
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  const InstPair add = pick(inst::add, type);
  VecReg u = as.binary(add, x, value(1));
  // e from u, which is rounded; but r = 2^-e (1 + x) - 1 = (2^-e - 1) + 2^-e x from x itself.
  VecReg shifted = as.sub_int(bytes, u, as.splat(c.boundary - c.one, type, x));
  VecReg field = as.bit_and(shifted, as.splat(~c.mantissa_mask, type, x)); // (e + bias) << mantissa
  // 2^-e x in the bits: where x is tiny e is 0, else the result is normal.
  VecReg scaled = as.sub_int(bytes, as.add_int(bytes, x, as.splat(c.one, type, x)), field);
  // 2^(1 - e), as 2^-e may be out of range.
  const uint64_t two = c.one + c.mantissa_mask + 1;
  VecReg twice = as.sub_int(bytes, as.load(as.splat(two + c.one, type, x), x), field);
  VecReg scale_less_one = mul_add(as, type, twice, value(0.5), as.load(value(-1), x));
  Split split{exponent_of(as, type, shifted), as.binary(add, scale_less_one, scaled)};
  VecReg result = outside_domain(as, type, u, log_of(as, type, split));
  return as.bit_or(result, sign_of(as, type, x)); // for -0, which is 0 here
}

} // namespace mo

// log, log2 and log1p. x = 2^e (1 + r) with integral e (vector_split.h); log(x) = e ln 2 + log(1 +
// r), and log(1 + r) = r + w with w = -r^2/2 + r^3/3 - ... r is exact and w is small beside it, so
// that near x = 1, where e = 0, nothing is lost.
//
// The greatest errors in ULP, over all floats by check_math --all, of f64 in a dense sample:
//
//            f32: SSE4.2  AVX2, AVX-512   f64: SSE4.2  AVX2, AVX-512
//   log           1.04    0.96                 0.92    0.87
//   log2          1.55    1.42                 1.23    1.18
//   log1p         1.54    1.52                 1.29    1.29
#include <limits>

#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"
#include "codegen/vector_split.h"

namespace mo {

using namespace asmjit;

namespace {

struct LogConstants {
  // high has zeros at its end: its product with e is exact. low is positive: with e infinite both
  // products have its sign.
  double ln2_high, ln2_low;
  double log2_e, log2_e_less_one; // 1 / ln 2
};
constexpr LogConstants kLogF32 = {0x1.62e4p-1, 0x1.7f7d1cp-20, 0x1.715476p0, 0x1.c551dap-2};
constexpr LogConstants kLogF64 = {0x1.62e42fefa2p-1, 0x1.9ef35793c7673p-41, 0x1.71547652b82fep0,
                                  0x1.c551d94ae0bf8p-2};

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
VecReg log_of(VectorAsm& as, ElementType type, const SplitFloat& split) {
  const LogConstants& c = log_constants(type);
  auto value = [&](double v) { return as.splat_float(v, type, split.r); };
  VecReg w = log_beyond_r(as, type, split.r);
  VecReg low = mul_add(as, type, split.exponent, value(c.ln2_low), w);
  VecReg sum = as.binary(pick(inst::add, type), split.r, low);
  return mul_add(as, type, split.exponent, value(c.ln2_high), sum);
}

/// e + log(1 + r) / ln 2.
VecReg log2_of(VectorAsm& as, ElementType type, const SplitFloat& split) {
  const LogConstants& c = log_constants(type);
  auto value = [&](double v) { return as.splat_float(v, type, split.r); };
  // (r + w) / ln 2 = r + (r (1 / ln 2 - 1) + w / ln 2): again r and what is smaller.
  VecReg w = log_beyond_r(as, type, split.r);
  VecReg low = mul_add(as, type, split.r, value(c.log2_e_less_one),
                       as.binary(pick(inst::mul, type), w, value(c.log2_e)));
  VecReg sum = as.binary(pick(inst::add, type), split.r, low);
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
  VecReg result = log_of(as, call.from, split_float(as, call.from, call.in[0]));
  return as.avx512() ? result : outside_domain(as, call.from, call.in[0], result);
}

VecReg emit_log2(VectorAsm& as, const EmitCall& call) {
  VecReg result = log2_of(as, call.from, split_float(as, call.from, call.in[0]));
  return as.avx512() ? result : outside_domain(as, call.from, call.in[0], result);
}

VecReg emit_log1p(VectorAsm& as, const EmitCall& call) {
  const ElementType type = call.from;
  const FloatLayout& c = layout_of(type);
  const unsigned bytes = byte_size(type);
  const VecReg& x = call.in[0];
  auto value = [&](double v) { return as.splat_float(v, type, x); };
  const InstPair add = pick(inst::add, type);
  VecReg u = as.binary(add, x, value(1));
  // e from u, which is rounded; but r = 2^-e (1 + x) - 1 = (2^-e - 1) + 2^-e x from x itself.
  VecReg shifted = as.sub_int(bytes, u, as.splat(c.root_half - c.one, type, x));
  VecReg field = as.bit_and(shifted, as.splat(~c.mantissa_mask, type, x)); // (e + bias) << mantissa
  // 2^-e x in the bits: where x is tiny e is 0, else the result is normal.
  VecReg scaled = as.sub_int(bytes, as.add_int(bytes, x, as.splat(c.one, type, x)), field);
  // 2^(1 - e), as 2^-e may be out of range.
  const uint64_t two = c.one + c.mantissa_mask + 1;
  VecReg twice = as.sub_int(bytes, as.load(as.splat(two + c.one, type, x), x), field);
  VecReg scale_less_one = mul_add(as, type, twice, value(0.5), as.load(value(-1), x));
  SplitFloat split{exponent_of(as, type, shifted), as.binary(add, scale_less_one, scaled)};
  VecReg result = outside_domain(as, type, u, log_of(as, type, split));
  return as.bit_or(result, sign_of(as, type, x)); // for -0, which is 0 here
}

} // namespace mo

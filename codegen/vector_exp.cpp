// exp, exp2, expm1: a power of two times a polynomial. x = k ln 2 + r with integral k and
// |r| <= ln(2) / 2; exp(x) = 2^k exp(r).
//
// The greatest errors in ULP, over all floats by check_math --all, of f64 in four million values:
//
//           f32: SSE4.2  AVX2, AVX-512   f64: SSE4.2  AVX2, AVX-512
//   exp          1.17    1.95                 1.14    0.88
//   exp2         1.08    0.88                 1.07    0.79
//   expm1        2.17    2.01                 2.49    2.36
//
// Where it does not say otherwise, polynomials are minimax fits of the relative error with
// coefficients of the type, by Sollya's fpminimax.
#include <span>

#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

namespace {

struct ExpConstants {
  double log2_e;
  // ln 2 in two parts; the first has so few bits that its product with every k here is exact, also
  // where there is no fused arithmetic (Cody and Waite, "Software Manual for the Elementary
  // Functions", 1980).
  double ln2_high, ln2_low;
  double to_integral; // numbers near here are integers: adding it and taking it off again rounds
  double exp_is_zero, exp_is_infinite; // from here on
  double exp2_is_zero, exp2_is_infinite;
  double expm1_is_minus_one;
  std::span<const double> exp, exp2; // on |r| <= ln(2) / 2, |r| <= 1 / 2
  std::span<const double> expm1;     // expm1(r) / r
};

// A term less: a fit of the error in units in the last place, twice as many for r < 0, with more
// weight where more is rounded; by iterated weighted least squares (Lawson), then a search among
// neighbouring coefficients for the least error over a million x. Arithmetic without fma rounds too
// often for it.
constexpr double kExpF32Fused[] = {
    1, 0x1.ffffeap-1, 0x1.fffdaap-2, 0x1.555f66p-3, 0x1.5741ap-5, 0x1.0ddbe6p-7};
// The relative errors are 2^-28.0, 2^-28.0 and 2^-26.1.
constexpr double kExpF32[] = {
    1, 1, 0x1.fffff8p-2, 0x1.55548cp-3, 0x1.555b88p-5, 0x1.123d3ap-7, 0x1.6865bp-10};
constexpr double kExp2F32[] = {
    1, 0x1.62e43p-1, 0x1.ebfbd8p-3, 0x1.c6af74p-5, 0x1.3b3098p-7, 0x1.5f0ccap-10, 0x1.3fabfep-13};
constexpr double kExpm1F32[] = {
    1, 0x1.fffffep-2, 0x1.5554bp-3, 0x1.555718p-5, 0x1.1227b8p-7, 0x1.6b7182p-10};
constexpr ExpConstants kF32 = {0x1.715476p0, 0x1.62e4p-1, 0x1.7f7d1cp-20, 0x1.8p23,
                               -104,         89,          -151,           128,
                               -20,          kExpF32,     kExp2F32,       kExpm1F32};

// The relative errors are 2^-57.9, 2^-57.3 and 2^-61.5.
constexpr double kExpF64[] = {1,
                              1,
                              0x1.000000000000ap-1,
                              0x1.55555555554fcp-3,
                              0x1.5555555550688p-5,
                              0x1.111111112725fp-7,
                              0x1.6c16c1848904bp-10,
                              0x1.a01a012dcb0c3p-13,
                              0x1.a0199921d1704p-16,
                              0x1.71df1d1450403p-19,
                              0x1.28ae3e030198dp-22,
                              0x1.ad8d590fc30fcp-26};
constexpr double kExp2F64[] = {1,
                               0x1.62e42fefa39efp-1,
                               0x1.ebfbdff82c5a6p-3,
                               0x1.c6b08d704a12ap-5,
                               0x1.3b2ab6fb9fd79p-7,
                               0x1.5d87fe789f11dp-10,
                               0x1.4309130f7bdb7p-13,
                               0x1.ffcbfc6419472p-17,
                               0x1.62bfc627a96fap-20,
                               0x1.b52527b1d38d8p-24,
                               0x1.e61da9b910f7p-28,
                               0x1.e96c003b960d1p-32};
constexpr double kExpm1F64[] = {1,
                                0x1p-1,
                                0x1.5555555555559p-3,
                                0x1.555555555554dp-5,
                                0x1.111111110f64bp-7,
                                0x1.6c16c16c1ab03p-10,
                                0x1.a01a01b00a5ddp-13,
                                0x1.a01a018e103dap-16,
                                0x1.71ddf7f7e5e53p-19,
                                0x1.27e5132ae412ap-22,
                                0x1.af5f5eb2c41p-26,
                                0x1.1f1a66d04bda1p-29};
constexpr ExpConstants kF64 = {0x1.71547652b82fep0,
                               0x1.62e42fefa2p-1,
                               0x1.9ef35793c7673p-41,
                               0x1.8p52,
                               -746,
                               710,
                               -1076,
                               1024,
                               -40,
                               kExpF64,
                               kExp2F64,
                               kExpm1F64};

const ExpConstants& constants_of(ElementType type) {
  return type == ElementType::F64 ? kF64 : kF32;
}

struct Split {
  VecReg k, r; // x = k ln 2 + r
};

Split split_by_ln2(VectorAsm& as, ElementType type, const VecReg& x) {
  const ExpConstants& c = constants_of(type);
  auto constant = [&](double value) { return as.splat_float(value, type, x); };
  VecReg to_integral = as.load(constant(c.to_integral), x);
  VecReg shifted = mul_add(as, type, x, constant(c.log2_e), to_integral);
  VecReg k = as.binary(pick(inst::sub, type), shifted, to_integral);
  VecReg r = neg_mul_add(as, type, k, constant(c.ln2_high), x);
  return {k, neg_mul_add(as, type, k, constant(c.ln2_low), r)};
}

} // namespace

VecReg emit_exp(VectorAsm& as, const EmitCall& call) {
  const ExpConstants& c = constants_of(call.from);
  VecReg x = clamp(as, call.from, call.in[0], c.exp_is_zero, c.exp_is_infinite);
  Split split = split_by_ln2(as, call.from, x);
  const bool fused_f32 = call.from == ElementType::F32 && !as.sse();
  VecReg y = polynomial(as, call.from, split.r, fused_f32 ? kExpF32Fused : c.exp);
  return scale_by_power_of_two(as, call.from, y, split.k);
}

VecReg exp2_near_zero(VectorAsm& as, ElementType type, const VecReg& r) {
  return polynomial(as, type, r, constants_of(type).exp2);
}

VecReg emit_exp2(VectorAsm& as, const EmitCall& call) {
  const ExpConstants& c = constants_of(call.from);
  VecReg x = clamp(as, call.from, call.in[0], c.exp2_is_zero, c.exp2_is_infinite);
  VecReg k = round_to_integral(as, call.from, x, kRoundHalfEven);
  VecReg r = as.binary(pick(inst::sub, call.from), x, k);
  return scale_by_power_of_two(as, call.from, exp2_near_zero(as, call.from, r), k);
}

VecReg emit_expm1(VectorAsm& as, const EmitCall& call) {
  // expm1(x) = 2^k expm1(r) + (2^k - 1), of half the size as 2^k may be beyond the greatest number.
  // For k = 0 expm1(r) itself is right, also for denormals and -0.
  const ElementType type = call.from;
  const ExpConstants& c = constants_of(type);
  VecReg x = clamp(as, type, call.in[0], c.expm1_is_minus_one, c.exp_is_infinite);
  auto constant = [&](double value) { return as.splat_float(value, type, x); };
  Split split = split_by_ln2(as, type, x);
  VecReg of_r = as.binary(pick(inst::mul, type), split.r, polynomial(as, type, split.r, c.expm1));
  VecReg below_k = as.binary(pick(inst::sub, type), split.k, constant(1));
  VecReg half_power = power_of_two(as, type, below_k);
  VecReg half_rest = as.binary(pick(inst::sub, type), half_power, constant(0.5));
  VecReg half = mul_add(as, type, half_power, of_r, half_rest);
  VecReg k_is_zero = as.compare(CmpFPredicate::OEQ, type, split.k, as.zero(x));
  return as.blend(k_is_zero, of_r, as.binary(pick(inst::add, type), half, half));
}

} // namespace mo

// math.erf. The polynomials are minimax ones (fpminimax of Sollya).
//
// Largest errors in ULP, f32 over all floats, f64 over 5 million samples (tests/math):
//   f32: 3.52, on SSE4.2 3.88    f64: 2.77, on SSE4.2 2.42
#include "codegen/vector_emitters.h"
#include "codegen/vector_math.h"

namespace mo {

using namespace asmjit;

namespace {

constexpr ElementType kF32 = ElementType::F32, kF64 = ElementType::F64;

/// f32: erf(x) = x P(x^2 - 6.5) up to 3.75, relative error 3.9e-8. The centre keeps the sum
/// well-conditioned: P falls like exp(-x^2), and around 0 the terms of a large x^2 would cancel. It
/// lies below the middle, where P is large and a rounding error counts most.
constexpr double kCentre = 6.5, kLimit = 3.75;
constexpr double kErf[] = {0x1.91854ep-2,  -0x1.ec0a9cp-6,  0x1.bda44p-9,   -0x1.b240eap-12,
                           0x1.a60496p-15, -0x1.8aa362p-18, 0x1.5c22ecp-21, -0x1.1d8696p-24,
                           0x1.b2c8bcp-28, -0x1.3cc6c4p-31, 0x1.b142e6p-35, -0x1.dc04fap-39,
                           0x1.bff95ep-43, -0x1.680f04p-46, 0x1.1b87c8p-49, -0x1.652472p-54};

/// f64, up to 1: erf(x) = x P(x^2), relative error 1.4e-17. For larger x the sum above would need
/// 38 terms and lose three bits.
constexpr double kSmallErf[] = {
    0x1.20dd750429b6dp0,   -0x1.812746b0379b2p-2,  0x1.ce2f21a0408d1p-4,  -0x1.b82ce311ee09bp-6,
    0x1.565bccf7e2856p-8,  -0x1.c02db0149d904p-11, 0x1.f9a2b75531773p-14, -0x1.f4ca204c771ffp-17,
    0x1.b97e44280d4c5p-20, -0x1.5bfe763847d9ap-23, 0x1.d6e3ddfed5caap-27, -0x1.ab15c51dc27fap-31};
/// f64, from 1 on: erfc(x) = 1 - erf(x) = P(x - 3.4375), absolute error 1.2e-16 up to 5.90625. It
/// is cut at a place where P is so close to 0 that the difference from 1 is 1.
constexpr double kErfcCentre = 3.4375, kErfcLimit = 5.875;
constexpr double kErfc[] = {
    0x1.38f2e86f7bd8cp-20,  -0x1.1783ceab56824p-17, 0x1.e06a8b3637b98p-16,  -0x1.07978c7efb589p-14,
    0x1.9d03988c16a69p-14,  -0x1.e8d1143bc1809p-14, 0x1.c1f724e176f6dp-14,  -0x1.458b9eacaf48ep-14,
    0x1.6eb056c8cb0bbp-15,  -0x1.3304560a7b99dp-16, 0x1.42c8969bffff2p-18,  -0x1.916f86b4b9815p-27,
    -0x1.83a8a8f2bfc19p-21, 0x1.9bcf23bb020bfp-22,  -0x1.8ff46a87fd27fp-24, -0x1.4af2f6a48f776p-28,
    0x1.bc684f51bb39fp-27,  -0x1.426ecbeaa043p-28,  0x1.e30a76fb58be8p-32,  0x1.4e6c1084ec1b3p-32,
    -0x1.41492c6197495p-33, 0x1.7915cc4316aaep-36,  0x1.a17a5531e611cp-38,  -0x1.0dfc1fb4280e1p-38,
    0x1.6295c3b28037bp-41,  0x1.89ac4e51b2136p-43,  -0x1.a41e3f831a002p-44, 0x1.0faa179f8f644p-48,
    0x1.8fbe66454c687p-48,  -0x1.d50ecebf2c0e8p-51, -0x1.92a8bff18872fp-53, 0x1.64d30488a8abcp-55,
    0x1.655ec74acd483p-59,  -0x1.9d001b3e7d96bp-61};

VecReg erf_f32(VectorAsm& as, const VecReg& x) {
  VecReg offset = mul_add(as, kF32, x, x, as.splat_float(-kCentre, kF32, x));
  // Beyond the limit P stays what it is there, and x P grows to more than 1, which is cut off. NaN
  // stays NaN by the factor x.
  offset = as.binary(inst::min.f32, offset, as.splat_float(kLimit * kLimit - kCentre, kF32, x));
  VecReg product = as.binary(inst::mul.f32, x, polynomial(as, kF32, offset, kErf));
  return clamp(as, kF32, product, -1, 1);
}

VecReg erf_f64(VectorAsm& as, const VecReg& x) {
  VecReg square = as.binary(inst::mul.f64, x, x);
  VecReg small = as.binary(inst::mul.f64, x, polynomial(as, kF64, square, kSmallErf));
  VecReg magnitude = magnitude_of(as, kF64, x);
  VecReg cut = as.binary(inst::min.f64, magnitude, as.splat_float(kErfcLimit, kF64, x));
  VecReg offset = as.binary(inst::sub.f64, cut, as.splat_float(kErfcCentre, kF64, x));
  VecReg one = as.load(as.splat_float(1.0, kF64, x), x);
  VecReg large = as.binary(inst::sub.f64, one, polynomial(as, kF64, offset, kErfc));
  large = as.bit_or(large, sign_of(as, kF64, x));
  // NaN takes the product.
  VecReg is_large = as.compare(CmpFPredicate::OGE, kF64, magnitude, one);
  return as.blend(is_large, large, small);
}

} // namespace

VecReg emit_erf(VectorAsm& as, const EmitCall& call) {
  return call.from == kF64 ? erf_f64(as, call.in[0]) : erf_f32(as, call.in[0]);
}

} // namespace mo

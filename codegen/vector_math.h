// What the emitters of the math functions share: fused arithmetic, polynomials, powers of two and
// signs, for f32 and f64 lanes.
//
// Rounding differs between the instruction sets: AVX2 and AVX-512 have the fused multiply-add,
// SSE4.2 rounds the product first. Each emitter's error bound holds for both.
#pragma once

#include <span>

#include "codegen/vector_asm.h"

namespace mo {

/// a * b + c, rounded once where the instruction set can. b and c may be constants in memory, but
/// not both.
VecReg mul_add(VectorAsm& as, ElementType type, const VecReg& a, const asmjit::Operand& b,
               const asmjit::Operand& c);
/// c - a * b, likewise.
VecReg neg_mul_add(VectorAsm& as, ElementType type, const VecReg& a, const asmjit::Operand& b,
                   const asmjit::Operand& c);

/// coefficients[0] + coefficients[1] x + coefficients[2] x^2 + ..., by Horner's rule; at least two
/// coefficients. The steps of one polynomial wait for one another, but the vectors of a loop's step
/// do not, so that Horner's few instructions win over a tree (Estrin) with short paths.
VecReg polynomial(VectorAsm& as, ElementType type, const VecReg& x,
                  std::span<const double> coefficients);

/// 2^k for integral k (a float in each lane) in [-126, 127], f64: [-1022, 1023].
VecReg power_of_two(VectorAsm& as, ElementType type, const VecReg& k);
/// x * 2^k, rounded once, with overflow and denormals; integral k (a float in each lane) in
/// [-252, 254], f64: [-2044, 2046]. For |x| in [0.5, 2].
VecReg scale_by_power_of_two(VectorAsm& as, ElementType type, const VecReg& x, const VecReg& k);

/// x, but at least `low`, at most `high`, or both; NaN stays NaN.
VecReg at_least(VectorAsm& as, ElementType type, const VecReg& x, double low);
VecReg at_most(VectorAsm& as, ElementType type, const VecReg& x, double high);
VecReg clamp(VectorAsm& as, ElementType type, const VecReg& x, double low, double high);

/// A question about every lane: does a compare with a constant hold?
struct LaneTest {
  CmpFPredicate predicate;
  VecReg value;
  double limit;
};

/// `fast` where the test does not hold, and there the C function's result: float (float...) or
/// double (double...), as many arguments as operands. Costs a branch while no lane needs it. Lanes
/// keep their bits whatever their neighbours do. `fast` is overwritten. vector_rare.cpp
VecReg rare_lanes_by_library(VectorAsm& as, ElementType type, const LaneTest& rare,
                             const std::vector<VecReg>& operands, const VecReg& fast,
                             const void* function);

constexpr uint64_t sign_bit(ElementType type) {
  return type == ElementType::F64 ? uint64_t{1} << 63 : uint64_t{1} << 31;
}
/// The sign bit alone, and all bits but it.
VecReg sign_of(VectorAsm& as, ElementType type, const VecReg& a);
VecReg magnitude_of(VectorAsm& as, ElementType type, const VecReg& a);

} // namespace mo

#include "codegen/vector_math.h"

#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;

namespace {

VecReg to_reg(VectorAsm& as, const Operand& operand, const VecReg& like) {
  return operand.isMem() ? as.load(operand.as<x86::Mem>(), like) : operand.as<VecReg>();
}

/// Both orders of a fused instruction: d = d * a + c takes c from memory, d = a * b + d takes b.
VecReg fused(VectorAsm& as, InstPair into_factor, InstPair into_sum, const VecReg& a,
             const Operand& b, const Operand& c) {
  VecReg result;
  if (c.isMem()) {
    result = as.copy(a);
    as.cc.emit(into_factor.avx, result, b, c);
  } else {
    result = as.copy(c.as<VecReg>());
    as.cc.emit(into_sum.avx, result, a, b);
  }
  return result;
}

} // namespace

VecReg mul_add(VectorAsm& as, ElementType type, const VecReg& a, const Operand& b,
               const Operand& c) {
  if (as.sse())
    return as.binary(pick(inst::add, type), as.binary(pick(inst::mul, type), a, b), c);
  return fused(as, pick(inst::fused_mul_add, type), pick(inst::fused_mul_add_to, type), a, b, c);
}

VecReg neg_mul_add(VectorAsm& as, ElementType type, const VecReg& a, const Operand& b,
                   const Operand& c) {
  if (as.sse())
    return as.binary(pick(inst::sub, type), to_reg(as, c, a),
                     as.binary(pick(inst::mul, type), a, b));
  return fused(as, pick(inst::fused_neg_mul_add, type), pick(inst::fused_neg_mul_add_to, type), a,
               b, c);
}

VecReg polynomial(VectorAsm& as, ElementType type, const VecReg& x,
                  std::span<const double> coefficients) {
  size_t k = coefficients.size() - 1;
  VecReg sum = as.load(as.splat_float(coefficients[k], type, x), x);
  while (k-- > 0) {
    // In place: nobody else has the sum so far.
    const Operand next = as.splat_float(coefficients[k], type, x);
    if (as.sse()) {
      as.cc.emit(pick(inst::mul, type).sse, sum, x);
      as.cc.emit(pick(inst::add, type).sse, sum, next);
    } else {
      as.cc.emit(pick(inst::fused_mul_add, type).avx, sum, x, next);
    }
  }
  return sum;
}

VecReg power_of_two(VectorAsm& as, ElementType type, const VecReg& k) {
  // From 2^23 to 2^24 the unit of f32 is 1: adding 1.5 * 2^23 leaves k in the low bits, in two's
  // complement, and adding the exponent's bias as well makes them the exponent of 2^k.
  if (type == ElementType::F64)
    return as.shift(inst::shift_left64,
                    as.binary(inst::add.f64, k, as.splat_float(0x1.8p52 + 1023, type, k)), 52);
  return as.shift(inst::shift_left32,
                  as.binary(inst::add.f32, k, as.splat_float(0x1.8p23 + 127, type, k)), 23);
}

VecReg scale_by_power_of_two(VectorAsm& as, ElementType type, const VecReg& x, const VecReg& k) {
  if (as.avx512())
    return as.binary(pick(inst::scale, type), x, k);
  // In two steps, as 2^k itself may be out of range: by 2^floor(k / 2), which leaves a normal
  // number and so is exact, and by 2^ceil(k / 2). As in power_of_two, with twice the bias.
  const bool wide = type == ElementType::F64;
  const InstPair right = wide ? inst::shift_right64 : inst::shift_right32;
  const InstPair left = wide ? inst::shift_left64 : inst::shift_left32;
  const int exponent_at = wide ? 52 : 23;
  VecReg biased = as.binary(pick(inst::add, type), k,
                            as.splat_float(wide ? 0x1.8p52 + 2046 : 0x1.8p23 + 254, type, k));
  VecReg lower = as.shift(right, biased, 1);
  VecReg upper = as.sub_int(wide ? 8 : 4, biased, lower);
  const InstPair mul = pick(inst::mul, type);
  VecReg partly = as.binary(mul, x, as.shift(left, lower, exponent_at));
  return as.binary(mul, partly, as.shift(left, upper, exponent_at));
}

// max and min give the second operand where one is NaN.
VecReg at_least(VectorAsm& as, ElementType type, const VecReg& x, double low) {
  return as.binary(pick(inst::max, type), as.load(as.splat_float(low, type, x), x), x);
}

VecReg at_most(VectorAsm& as, ElementType type, const VecReg& x, double high) {
  return as.binary(pick(inst::min, type), as.load(as.splat_float(high, type, x), x), x);
}

VecReg clamp(VectorAsm& as, ElementType type, const VecReg& x, double low, double high) {
  return at_most(as, type, at_least(as, type, x, low), high);
}

VecReg sign_of(VectorAsm& as, ElementType type, const VecReg& a) {
  return as.bit_and(a, as.splat(sign_bit(type), type, a));
}

VecReg magnitude_of(VectorAsm& as, ElementType type, const VecReg& a) {
  return as.bit_and(a, as.splat(sign_bit(type) - 1, type, a));
}

} // namespace mo

#include "codegen/vector_double_double.h"

#include "codegen/vector_math.h"

namespace mo {

namespace {

constexpr ElementType kF64 = ElementType::F64;
constexpr InstPair kAdd = inst::add.f64, kSub = inst::sub.f64, kMul = inst::mul.f64;

} // namespace

DoubleDouble exact_sum(VectorAsm& as, const VecReg& a, const VecReg& b) {
  VecReg high = as.binary(kAdd, a, b);
  return {high, as.binary(kAdd, as.binary(kSub, a, high), b)};
}

DoubleDouble exact_product(VectorAsm& as, const VecReg& a, const VecReg& b) {
  VecReg high = as.binary(kMul, a, b);
  if (!as.sse()) {
    VecReg low = as.copy(high);
    as.cc.emit(inst::fused_mul_sub_to.f64.avx, low, a, b);
    return {high, low};
  }
  // The upper 26 bits of each and the rest: all products but that of the rests are exact, and the
  // sum is exact as its terms cancel from the left.
  const auto upper_bits = as.splat64(~uint64_t{0} << 27, a);
  VecReg a_upper = as.bit_and(a, upper_bits), b_upper = as.bit_and(b, upper_bits);
  VecReg a_rest = as.binary(kSub, a, a_upper), b_rest = as.binary(kSub, b, b_upper);
  VecReg low = as.binary(kSub, as.binary(kMul, a_upper, b_upper), high);
  low = mul_add(as, kF64, a_upper, b_rest, low);
  low = mul_add(as, kF64, a_rest, b_upper, low);
  return {high, mul_add(as, kF64, a_rest, b_rest, low)};
}

DoubleDouble multiply(VectorAsm& as, const DoubleDouble& a, const VecReg& b) {
  DoubleDouble product = exact_product(as, a.high, b);
  product.low = mul_add(as, kF64, a.low, b, product.low);
  return product;
}

DoubleDouble multiply(VectorAsm& as, const DoubleDouble& a, const DoubleDouble& b) {
  DoubleDouble product = multiply(as, a, b.high);
  product.low = mul_add(as, kF64, a.high, b.low, product.low);
  return product;
}

DoubleDouble add_to_constant(VectorAsm& as, double high, double low, const DoubleDouble& a) {
  VecReg constant = as.load(as.splat_float(high, kF64, a.high), a.high);
  DoubleDouble sum = exact_sum(as, constant, a.high);
  VecReg small = as.binary(kAdd, a.low, as.splat_float(low, kF64, a.low));
  return {sum.high, as.binary(kAdd, sum.low, small)};
}

} // namespace mo

// What log, log2 and log1p give exactly; how accurate they are elsewhere is measured in tests/math.
#include <bit>
#include <cmath>
#include <limits>

#include "vector_harness.h"

using namespace mo;
using namespace mo::test;

namespace {

constexpr ElementType kFloatTypes[] = {ElementType::F32, ElementType::F64};

uint64_t bits_of(ElementType type, double v) {
  if (type == ElementType::F64)
    return std::bit_cast<uint64_t>(v);
  return std::bit_cast<uint32_t>(static_cast<float>(v));
}

/// Of -149 <= e <= 127, or of all exponents of f64.
Operands powers_of_two(ElementType type) {
  const bool wide = type == ElementType::F64;
  Operands operands(1);
  for (int e = wide ? -1074 : -149; e < (wide ? 1024 : 128); ++e)
    operands[0].push_back(bits_of(type, std::ldexp(1.0, e)));
  return operands;
}

void expect_exact_on(ScalarOp op, std::initializer_list<double> values) {
  for (ElementType type : kFloatTypes) {
    Operands operands(1);
    for (double v : values)
      operands[0].push_back(bits_of(type, v));
    expect_as_in_the_table({op, type, type}, operands);
  }
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST(VectorLog, Log2OfAPowerOfTwoIsExact) {
  for (ElementType type : kFloatTypes)
    expect_as_in_the_table({ScalarOp::Log2, type, type}, powers_of_two(type));
}

TEST(VectorLog, OfZerosIsMinusInfinityAndOfNegativesNaN) {
  for (ScalarOp op : {ScalarOp::Log, ScalarOp::Log2})
    expect_exact_on(op, {0.0, -0.0, 1.0, kInfinity, -kInfinity, kNan, -kNan, -1.0, -0x1p-149,
                         -0x1p-126, -0x1p127, -0.75});
}

TEST(VectorLog, Log1pIsMinusInfinityAtMinusOneAndNaNBelow) {
  expect_exact_on(ScalarOp::Log1p,
                  {-1.0, -1 - 0x1p-23, -1.5, -0x1p127, -kInfinity, kInfinity, kNan, -kNan});
}

TEST(VectorLog, Log1pKeepsTheSmallestNumbersAndTheSignOfZero) {
  expect_exact_on(ScalarOp::Log1p,
                  {0.0, -0.0, 0x1p-149, -0x1p-149, 0x1.8p-127, -0x1.8p-127, 0x1p-100, -0x1p-100});
}

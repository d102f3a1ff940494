// What powf gives exactly; how accurate it is elsewhere is measured in tests/math.
#include <bit>
#include <cmath>
#include <limits>

#include "runtime/scalar_eval.h"
#include "vector_harness.h"

using namespace mo;
using namespace mo::test;

namespace {

constexpr ElementType kFloatTypes[] = {ElementType::F32, ElementType::F64};

OpCase power_of(ElementType type) {
  return {ScalarOp::PowF, type, type};
}

uint64_t bits_of(ElementType type, double v) {
  if (type == ElementType::F64)
    return std::bit_cast<uint64_t>(v);
  return std::bit_cast<uint32_t>(static_cast<float>(v));
}

double value_of(ElementType type, uint64_t bits) {
  if (type == ElementType::F64)
    return std::bit_cast<double>(bits);
  return double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
}

/// Of either sign: zero, denormals, integers odd and even up to where all are even, and what lies
/// between them, the greatest number, infinity, NaN; and
/// a signalling one.
std::vector<uint64_t> values(ElementType type) {
  const bool wide = type == ElementType::F64;
  const double all_even = wide ? 0x1p53 : 0x1p24;
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<uint64_t> list;
  for (double v : {0.0,
                   wide ? 0x1p-1074 : 0x1p-149,
                   wide ? 0x1.8p-1024 : 0x1.8p-128,
                   0x1p-30,
                   0.5,
                   0.75,
                   1.0,
                   1.25,
                   1.5,
                   2.0,
                   2.5,
                   3.0,
                   4.0,
                   7.0,
                   150.0,
                   151.0,
                   1075.0,
                   1076.0,
                   99999.0,
                   all_even / 2 - 0.5,
                   all_even / 2 + 1,
                   all_even - 1,
                   all_even,
                   all_even + 2,
                   0x1p31,
                   0x1p63,
                   wide ? 0x1.fffffffffffffp1023 : 0x1.fffffep127,
                   infinity,
                   double{std::numeric_limits<float>::quiet_NaN()}})
    for (double sign : {1.0, -1.0})
      list.push_back(bits_of(type, std::copysign(v, sign)));
  list.push_back(wide ? 0x7ff0000000000001 : 0x7f800001); // a signalling NaN: to the power 0 no one
  return list;
}

/// Those pairs of values for which C's pow is zero, infinite, NaN, or one by a special case.
Operands special_pairs(ElementType type) {
  Operands operands(2);
  for (uint64_t x : values(type))
    for (uint64_t y : values(type)) {
      const uint64_t pair[2] = {x, y};
      const double result = value_of(type, eval_scalar(ScalarOp::PowF, 0, type, type, pair));
      const bool one = std::abs(value_of(type, x)) == 1 || value_of(type, y) == 0;
      if (one || result == 0 || !std::isfinite(result)) {
        operands[0].push_back(x);
        operands[1].push_back(y);
      }
    }
  return operands;
}

} // namespace

TEST(VectorPow, IsCsPowOnZerosInfinitiesNaNsOnesAndWhereItOverflows) {
  for (ElementType type : kFloatTypes) {
    const Operands operands = special_pairs(type);
    ASSERT_GT(operands[0].size(), 2000u);
    expect_as_in_the_table(power_of(type), operands);
  }
}

TEST(VectorPow, OfPlusAndMinusTwoIsExactDownToTheLastDenormal) {
  for (ElementType type : kFloatTypes) {
    const int limit = type == ElementType::F64 ? 1080 : 155;
    Operands operands(2);
    for (int k = -limit; k <= limit; ++k)
      for (double base : {2.0, -2.0, 0.5, -0.5}) {
        operands[0].push_back(bits_of(type, base));
        operands[1].push_back(bits_of(type, k));
      }
    expect_as_in_the_table(power_of(type), operands);
  }
}

TEST(VectorPow, OfANegativeBaseHasItsSizeAndTheSignOfTheParity) {
  const double inputs[] = {0x1p-140, 0.3, 0.999, 1.001, 3.7, 123.0, 0x1.234p100};
  for (ElementType type : kFloatTypes) {
    Operands positive(2), negative(2);
    for (double base : inputs)
      for (int y = -9; y <= 9; ++y) {
        positive[0].push_back(bits_of(type, base));
        negative[0].push_back(bits_of(type, -base));
        positive[1].push_back(bits_of(type, y));
        negative[1].push_back(bits_of(type, y));
      }
    for (Isa isa : host_isas()) {
      const auto sizes = run_vector_op(isa, 2, power_of(type), positive);
      const auto results = run_vector_op(isa, 2, power_of(type), negative);
      for (size_t i = 0; i < sizes.size(); ++i) {
        const bool odd = std::fmod(value_of(type, positive[1][i]), 2) != 0;
        const double size = value_of(type, sizes[i]);
        EXPECT_EQ(results[i], bits_of(type, odd ? -size : size)) << spelling(isa) << ' ' << i;
      }
    }
  }
}

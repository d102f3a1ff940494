// A dense sample of what check_math can run in full.
#include "tests/math/accuracy.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/codegen/host_isas.h"
#include "tests/math/exact.h"
#include "tests/math/lanes.h"

namespace mo {
/// How GoogleTest shows it.
static void PrintTo(ElementType type, std::ostream* to) {
  *to << spelling(type);
}
} // namespace mo

namespace mo::testing {
namespace {

constexpr uint64_t kSamples = 1 << 17;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class MathAccuracy : public ::testing::TestWithParam<std::tuple<MathOp, ElementType>> {};

TEST_P(MathAccuracy, IsWithinTheBoundOnEveryIsa) {
  const auto [op, type] = GetParam();
  const MathInputs inputs =
      arity(op) == 2 ? sample_of_pairs(type, kSamples) : sample_of(type, kSamples);
  std::vector<MathKernel> kernels;
  std::string why_not;
  for (Isa isa : host_isas()) {
    auto kernel = MathKernel::build(op, type, isa, kMeasuredElements, why_not);
    ASSERT_TRUE(kernel) << why_not;
    kernels.push_back(std::move(*kernel));
  }
  std::atomic<uint64_t> done = 0;
  const std::vector<Accuracy> accuracy = measure(op, type, kernels, inputs, done);
  EXPECT_EQ(done, inputs.count);
  for (size_t k = 0; k < kernels.size(); ++k) {
    EXPECT_LE(accuracy[k].max_ulp, op.bound()) << spelling(kernels[k].isa()) << ": " << op.name
                                               << "(" << describe_operands(op, type, accuracy[k].at)
                                               << ") = " << describe_value(type, accuracy[k].got);
    EXPECT_EQ(lanes_that_differ(op, type, kernels[k].isa(), inputs), "")
        << spelling(kernels[k].isa());
  }
}

INSTANTIATE_TEST_SUITE_P(Of, MathAccuracy,
                         ::testing::Combine(::testing::ValuesIn(kMathOps),
                                            ::testing::Values(ElementType::F32, ElementType::F64)),
                         [](const auto& test) {
                           return std::string(std::get<MathOp>(test.param).name) + "_" +
                                  std::string(spelling(std::get<ElementType>(test.param)));
                         });

TEST(UlpError, IsInUnitsOfTheResultsType) {
  EXPECT_EQ(ulp_error(1.0f, 1.0), 0);
  EXPECT_EQ(ulp_error(1.0f, 1.0 + 0x1p-24), 0.5);
  EXPECT_EQ(ulp_error(1.0f, 1.0 - 0x1p-24), 1);
  EXPECT_EQ(ulp_error(1.0f + 0x1p-23f, 1.0), 1);
  EXPECT_EQ(ulp_error(-4.0f, -4.0 - 0x1p-20), 2);
  EXPECT_EQ(ulp_error(1.0, 1.0L + 0x1p-53L), 0.5);
}

TEST(UlpError, OfDenormalsIsInTheSmallestOnes) {
  EXPECT_EQ(ulp_error(0x1p-149f, 0x1p-149), 0);
  EXPECT_EQ(ulp_error(0x1p-149f, 0x1.8p-149), 0.5);
  EXPECT_EQ(ulp_error(0.0f, 0x1p-151), 0.25);
  EXPECT_EQ(ulp_error(0.0f, 0x1p-900), 0x1p-751);
  EXPECT_EQ(ulp_error(0.0f, -0x1p-151), kInfinity); // the sign of zero
}

TEST(UlpError, TakesSpecialValuesSeriously) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ulp_error(nan, double{nan}), 0);
  EXPECT_EQ(ulp_error(nan, 1.0), kInfinity);
  EXPECT_EQ(ulp_error(1.0f, double{nan}), kInfinity);
  EXPECT_EQ(ulp_error(infinity, kInfinity), 0);
  EXPECT_EQ(ulp_error(-infinity, kInfinity), kInfinity);
  EXPECT_EQ(ulp_error(0.0f, 0.0), 0);
  EXPECT_EQ(ulp_error(-0.0f, 0.0), kInfinity);
  EXPECT_EQ(ulp_error(0x1p-149f, 0.0), kInfinity);
}

TEST(UlpError, CountsOnBeyondTheLargestNumber) {
  const float largest = std::numeric_limits<float>::max();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(ulp_error(infinity, 1e300), 0);
  EXPECT_EQ(ulp_error(infinity, 0x1.ffffffp127), 0); // rounds up
  EXPECT_EQ(ulp_error(infinity, double{largest}), 1);
  EXPECT_EQ(ulp_error(largest, 0x1p128), 1);
  EXPECT_GT(ulp_error(largest, 1e300), 1e10);
}

TEST(MathInputs, GoThroughEveryFloatOfARange) {
  const MathInputs around_zero = floats_between(-0x1p-149f, 0x1p-148f);
  ASSERT_EQ(around_zero.count, 5u);
  uint64_t bits[5] = {};
  around_zero.fill(0, 5, bits, nullptr);
  EXPECT_EQ(bits[0], 0x80000001u);
  EXPECT_EQ(bits[1], 0x80000000u);
  EXPECT_EQ(bits[2], 0u);
  EXPECT_EQ(bits[4], 2u);
}

} // namespace
} // namespace mo::testing

#include "runtime/compare.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;

constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(Compare, EqualArraysHaveNoDifference) {
  const Array a = array_of<float>({2, 2}, {1, -0.0F, kInf, 4});
  EXPECT_FALSE(compare(a, a.clone().value()));
}

TEST(Compare, ANaNEqualsANaNOfAnyPayload) {
  Array a = Array::allocate({1}, ElementType::F32).value(), b = a.clone().value();
  a.set_bits(0, 0x7FC00000);
  b.set_bits(0, 0xFF812345);
  EXPECT_FALSE(compare(a, b));
  EXPECT_FALSE(compare(a, b, 0.5));
}

TEST(Compare, ANaNDiffersFromANumberWhateverTheBound) {
  Array a = array_of<float>({1}, {1});
  Array b = a.clone().value();
  b.set_bits(0, 0x7FC00000);
  EXPECT_TRUE(compare(a, b, 1e30));
}

TEST(Compare, ZerosOfTwoSignsDiffer) {
  EXPECT_TRUE(compare(array_of<float>({1}, {0.0F}), array_of<float>({1}, {-0.0F})));
}

TEST(Compare, TheFirstDifferenceAndTheirNumberAreReported) {
  const Array a = array_of<float>({2, 3}, {0, 1, 2, 3, 4, 1.5F});
  const Array b = array_of<float>({2, 3}, {0, 1, 2, 3, -4, -0.0F});
  const auto difference = compare(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(describe(*difference, a),
            "2 of 6 elements differ; the first at [1, 1]: expected 4 (0x40800000), got -4 "
            "(0xC0800000)");
}

TEST(Compare, ADifferenceFarBehindIsFound) {
  Array a = Array::allocate({100'000}, ElementType::I1).value(), b = a.clone().value();
  b.set_bits(99'999, 1);
  const auto difference = compare(a, b);
  ASSERT_TRUE(difference);
  EXPECT_EQ(describe(*difference, a),
            "1 of 100000 elements differ; the first at [99999]: expected false, got true");
}

TEST(Compare, TheOnlyElementOfRankZeroHasAnEmptyIndex) {
  const Array a = array_of<int32_t>({}, {-5}), b = array_of<int32_t>({}, {6});
  EXPECT_EQ(describe(*compare(a, b), a),
            "1 of 1 element differs; the first at []: expected -5, got 6");
}

TEST(Compare, WithABoundFloatsMayDifferByThatMuch) {
  const Array a = array_of<float>({2}, {1, 2}), b = array_of<float>({2}, {1.25F, 2.5F});
  EXPECT_FALSE(compare(a, b, 0.5));
  EXPECT_EQ(compare(a, b, 0.25)->count, 1);
  EXPECT_EQ(compare(a, b)->count, 2);
}

TEST(Compare, AnInfinityIsFarFromEverythingElse) {
  EXPECT_TRUE(compare(array_of<float>({1}, {kInf}), array_of<float>({1}, {-kInf}), 1e30));
  EXPECT_TRUE(compare(array_of<float>({1}, {kInf}), array_of<float>({1}, {3e38F}), 1e30));
  EXPECT_FALSE(compare(array_of<float>({1}, {kInf}), array_of<float>({1}, {kInf}), 1e30));
}

TEST(Compare, ABoundDoesNotApplyToIntegers) {
  EXPECT_TRUE(compare(array_of<int64_t>({1}, {1}), array_of<int64_t>({1}, {2}), 10));
}

TEST(Compare, ArraysWithoutElementsAgree) {
  EXPECT_FALSE(compare(array_of<double>({0, 3}, {}), array_of<double>({0, 3}, {})));
}

} // namespace
} // namespace mo

#include "runtime/compare.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;

constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<double> leeway(size_t n, double each) {
  return std::vector<double>(n, each);
}

TEST(Compare, EqualArraysHaveNoDifference) {
  const Array a = array_of<float>({2, 2}, {1, -0.0F, kInf, 4});
  EXPECT_FALSE(compare(a, a.clone().value()));
}

TEST(Compare, ANaNEqualsANaNOfAnyPayload) {
  Array a = Array::allocate({1}, ElementType::F32).value(), b = a.clone().value();
  a.set_bits(0, 0x7FC00000);
  b.set_bits(0, 0xFF812345);
  EXPECT_FALSE(compare(a, b));
  EXPECT_FALSE(compare(a, b, leeway(1, 0.5)));
}

TEST(Compare, ANaNDiffersFromANumberWhateverTheLeeway) {
  Array a = array_of<float>({1}, {1});
  Array b = a.clone().value();
  b.set_bits(0, 0x7FC00000);
  EXPECT_TRUE(compare(a, b, leeway(1, 1e30)));
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

TEST(Compare, EachElementMayDifferByItsLeeway) {
  const Array a = array_of<float>({2}, {1, 2}), b = array_of<float>({2}, {1.25F, 2.5F});
  EXPECT_FALSE(compare(a, b, leeway(2, 0.5)));
  EXPECT_EQ(compare(a, b, leeway(2, 0.25))->first, 1);
  EXPECT_EQ(compare(a, b, std::vector<double>{0.0, 0.5})->first, 0);
  EXPECT_EQ(compare(a, b)->count, 2);
}

TEST(Compare, AnInfiniteLeewayAllowsAnything) {
  Array a = array_of<float>({1}, {1}), b = array_of<float>({1}, {kInf});
  EXPECT_FALSE(compare(a, b, leeway(1, kInf)));
  b.set_bits(0, 0x7FC00000);
  EXPECT_FALSE(compare(a, b, leeway(1, kInf)));
  EXPECT_FALSE(compare(array_of<int64_t>({1}, {1}), array_of<int64_t>({1}, {2}), leeway(1, kInf)));
}

TEST(UlpsApart, CountsInUnitsOfTheLargerOne) {
  const auto f32 = [](float x, float y) {
    return ulps_apart(std::bit_cast<uint32_t>(x), std::bit_cast<uint32_t>(y), ElementType::F32);
  };
  EXPECT_EQ(f32(1, 1), 0);
  EXPECT_EQ(f32(0.0F, -0.0F), 0);
  EXPECT_EQ(f32(1, 1 + 0x1p-23F), 1);
  EXPECT_EQ(f32(1, 1 - 0x1p-24F), 0.5); // in units of 1, which is the larger one
  EXPECT_EQ(f32(0, 3 * 0x1p-149F), 3);  // denormals are evenly spaced
  EXPECT_EQ(f32(NAN, NAN), 0);
  EXPECT_EQ(f32(NAN, 1), kInf);
  EXPECT_EQ(f32(kInf, 3e38F), kInf);
  EXPECT_EQ(ulps_apart(std::bit_cast<uint64_t>(2.0), std::bit_cast<uint64_t>(2 + 0x1p-50),
                       ElementType::F64),
            2);
}

TEST(Compare, AnInfinityIsFarFromEverythingElse) {
  EXPECT_TRUE(
      compare(array_of<float>({1}, {kInf}), array_of<float>({1}, {-kInf}), leeway(1, 1e30)));
  EXPECT_TRUE(
      compare(array_of<float>({1}, {kInf}), array_of<float>({1}, {3e38F}), leeway(1, 1e30)));
  EXPECT_FALSE(
      compare(array_of<float>({1}, {kInf}), array_of<float>({1}, {kInf}), leeway(1, 1e30)));
}

TEST(Compare, ArraysWithoutElementsAgree) {
  EXPECT_FALSE(compare(array_of<double>({0, 3}, {}), array_of<double>({0, 3}, {})));
}

} // namespace
} // namespace mo

#include "tools/invocation.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ir/parse.h"

namespace mo {
namespace {

std::vector<NamedArray> output(std::vector<float> elements, std::string label = "result0") {
  auto array = Array::allocate({static_cast<int64_t>(elements.size())}, ElementType::F32);
  for (size_t i = 0; i < elements.size(); ++i)
    array->set_bits(static_cast<int64_t>(i), std::bit_cast<uint32_t>(elements[i]));
  std::vector<NamedArray> outputs;
  outputs.push_back({std::move(label), "", true, std::move(*array)});
  return outputs;
}

bool agree(std::vector<float> got, std::vector<float> expected, Tolerance tolerance = {}) {
  return !mismatch(output(std::move(got)), output(std::move(expected))[0], tolerance);
}

TEST(Mismatch, ToTheBitTellsTheZerosApartAndNoNaNs) {
  EXPECT_TRUE(agree({1, NAN}, {1, -NAN}));
  EXPECT_FALSE(agree({0.0f}, {-0.0f}));
  EXPECT_FALSE(agree({1}, {std::nextafter(1.0f, 2.0f)}));
}

TEST(Mismatch, AnOutputThatIsNotThereIsWrong) {
  EXPECT_EQ(mismatch(output({1}, "result1"), output({1})[0], {}), "it is not there");
}

TEST(Mismatch, FloatSumsMayBeOffByTheBoundAndNoMore) {
  const Tolerance tolerance{4 * std::sqrt(1024.0)}; // 128 half units of 2^-24 of 1000
  const float bound = static_cast<float>(128 * 0x1p-24 * 1000);
  EXPECT_TRUE(agree({1000, 1 + 0.9f * bound}, {1000, 1}, tolerance));
  EXPECT_FALSE(agree({1000, 1 + 1.2f * bound}, {1000, 1}, tolerance));
}

TEST(ToleranceFor, IsZeroUnlessFloatsAreSummed) {
  const std::string sum = R"(
func.func @f(%x: tensor<1024xf32>, %acc: tensor<f32>) -> tensor<f32> {
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<1024xf32>) outs(%acc : tensor<f32>) {
  ^bb0(%in: f32, %so_far: f32):
    %t = arith.addf %so_far, %in : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}
)";
  std::string maximum = sum;
  maximum.replace(maximum.find("arith.addf"), 10, "arith.maximumf");
  Diagnostics diagnostics;
  EXPECT_EQ(tolerance_for(parse_and_verify({"s", sum}, diagnostics)->functions[0]).ulps, 128);
  EXPECT_EQ(tolerance_for(parse_and_verify({"m", maximum}, diagnostics)->functions[0]).ulps, 0);
}

TEST(Summary, ShowsTheFirstElementsAndTheExtremesWithoutNaNs) {
  EXPECT_EQ(summary(output({3, NAN, -1})[0]),
            "result0 tensor<3xf32>: [3, nan, -1] min -1 max 3 NaNs 1");
  EXPECT_EQ(summary(output({})[0]), "result0 tensor<0xf32>: []");
}

} // namespace
} // namespace mo

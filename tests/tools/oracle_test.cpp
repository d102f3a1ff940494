#include "tools/oracle.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ir/parse.h"

namespace mo {
namespace {

Function parsed(const std::string& text) {
  Diagnostics diagnostics;
  auto module = parse_and_verify({"f.tir", text}, diagnostics);
  EXPECT_TRUE(module) << render(diagnostics, {"f.tir", text}, false);
  return module->functions.at(0);
}

std::vector<ExpectedOutput> expected(const Function& f, std::vector<std::string> args) {
  auto outcome = expected_outputs(
      f, [&] { return make_arguments(f, args, ArgumentDefaults::None); }, nullptr);
  EXPECT_TRUE(std::holds_alternative<std::vector<ExpectedOutput>>(outcome))
      << std::get<RunError>(outcome).message;
  return std::get<std::vector<ExpectedOutput>>(std::move(outcome));
}

float element(const ExpectedOutput& e, int64_t i) {
  return std::bit_cast<float>(static_cast<uint32_t>(e.output.array.bits(i)));
}

// What came out, with element i changed by that much.
std::vector<NamedArray> off(const ExpectedOutput& e, int64_t i, double by) {
  std::vector<NamedArray> got;
  got.push_back({e.output.label, e.output.name, true, *e.output.array.clone()});
  got[0].array.set_bits(i, std::bit_cast<uint32_t>(static_cast<float>(element(e, i) + by)));
  return got;
}

// Each row divided by its sum: the sum is nowhere in the result.
constexpr const char* kNormalised = R"(
#in = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%x: tensor<3x1024xf32>) -> tensor<3x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %s = linalg.generic {indexing_maps = [#in, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x1024xf32>) outs(%z : tensor<3xf32>) {
  ^bb0(%in: f32, %so_far: f32):
    %t = arith.addf %so_far, %in : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %o = tensor.empty() : tensor<3x1024xf32>
  %y = linalg.generic {indexing_maps = [#in, #row, #in], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<3x1024xf32>, tensor<3xf32>) outs(%o : tensor<3x1024xf32>) {
  ^bb0(%in: f32, %sum: f32, %old: f32):
    %q = arith.divf %in, %sum : f32
    linalg.yield %q : f32
  } -> tensor<3x1024xf32>
  return %y : tensor<3x1024xf32>
}
)";

// 128 half ulps of the sum are allowed; so are 128 half ulps of what is divided by it, however
// small that is beside the largest element.
TEST(ExpectedOutputs, AllowWhatFollowsFromASumWhatItsToleranceMakesOfIt) {
  const auto outputs = expected(parsed(kNormalised), {"iota"});
  ASSERT_EQ(outputs.size(), 1u);
  for (const int64_t i : {1, 2000, 3000}) {
    const double tolerance = 128 * 0x1p-24 * element(outputs[0], i);
    EXPECT_FALSE(mismatch(off(outputs[0], i, 0.9 * tolerance), outputs[0])) << i;
    EXPECT_TRUE(mismatch(off(outputs[0], i, 1.2 * tolerance), outputs[0])) << i;
  }
}

TEST(ExpectedOutputs, AreToTheBitWhereNothingIsSummed) {
  const Function f = parsed(R"(
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %old: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
)");
  const auto outputs = expected(f, {"iota"});
  EXPECT_TRUE(outputs[0].leeway.empty());
  EXPECT_FALSE(mismatch(off(outputs[0], 3, 0), outputs[0]));
  EXPECT_TRUE(mismatch(off(outputs[0], 3, 0x1p-21), outputs[0]));
}

// A sum that decides: near the threshold either answer is right.
TEST(ExpectedOutputs, AllowBothAnswersWhereASumMayBeOnEitherSide) {
  std::string text = kNormalised;
  const std::string division = "%q = arith.divf %in, %sum : f32";
  text.replace(text.find(division), division.size(),
               "%c = arith.cmpf ogt, %sum, %in : f32\n %q = arith.uitofp %c : i1 to f32");
  // Rows of ones: the sum is 1024, far above 1. No leeway there.
  const auto far = expected(parsed(text), {"ones"});
  EXPECT_TRUE(mismatch(off(far[0], 0, -1), far[0]));
  const std::string near = "ogt, %sum, %in";
  text.replace(text.find(near), near.size(), "ogt, %sum, %limit");
  text.replace(text.find("%zero ="), 0, "%limit = arith.constant 1024.0 : f32\n  ");
  const auto close = expected(parsed(text), {"ones"});
  EXPECT_FALSE(mismatch(off(close[0], 0, 1), close[0]));
}

TEST(ExpectedOutputs, DoNotIncludeWhatNobodyWrote) {
  const Function f = parsed(R"(
#even = affine_map<(d0) -> (d0 * 2)>
func.func @f(%x: tensor<4xf32>) -> (tensor<3xi32>, tensor<8xf32>) {
  %bare = tensor.empty() : tensor<3xi32>
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, #even], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %old: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %bare, %y : tensor<3xi32>, tensor<8xf32>
}
)");
  const auto outputs = expected(f, {"ones"});
  EXPECT_EQ(outputs[0].undefined, 3);
  EXPECT_EQ(outputs[1].undefined, 4);
  EXPECT_FALSE(mismatch(off(outputs[1], 1, 5), outputs[1]));
  EXPECT_TRUE(mismatch(off(outputs[1], 2, 5), outputs[1]));
}

TEST(Mismatch, ToTheBitTellsTheZerosApartAndNoNaNs) {
  const auto array = [](float x) {
    auto a = Array::allocate({1}, ElementType::F32);
    a->set_bits(0, std::bit_cast<uint32_t>(x));
    return NamedArray{"result0", "", true, std::move(*a)};
  };
  const auto agree = [&](float got, float wanted) {
    std::vector<NamedArray> outputs;
    outputs.push_back(array(got));
    return !mismatch(outputs, {array(wanted), {}, 0});
  };
  EXPECT_TRUE(agree(NAN, -NAN));
  EXPECT_FALSE(agree(0.0F, -0.0F));
  EXPECT_FALSE(agree(1, std::nextafter(1.0F, 2.0F)));
}

TEST(Mismatch, AnOutputThatIsNotThereIsWrong) {
  EXPECT_EQ(mismatch({}, {{"result0", "", true, *Array::allocate({1}, ElementType::F32)}, {}, 0}),
            "it is not there");
}

} // namespace
} // namespace mo

#include "tools/reference.h"

#include <gtest/gtest.h>

#include <bit>

#include "ir/parse.h"
#include "ir/verify.h"
#include "runtime/interpret.h"

namespace mo {
namespace {

Function parsed(const std::string& text) {
  Diagnostics diagnostics;
  auto module = parse_and_verify({"f.tir", text}, diagnostics);
  EXPECT_TRUE(module) << render(diagnostics, {"f.tir", text}, false);
  return module->functions.at(0);
}

constexpr const char* kTensorSum = R"(
func.func @f(%x: tensor<5xf32>, %acc: tensor<f32>) -> tensor<f32> {
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<5xf32>) outs(%acc : tensor<f32>) {
  ^bb0(%in: f32, %so_far: f32):
    %t = arith.addf %so_far, %in : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}
)";

constexpr const char* kBufferSum = R"(
func.func @f(%x: memref<5xf32>, %acc: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<5xf32>) outs(%acc : memref<f32>) {
  ^bb0(%in: f32, %so_far: f32):
    %t = arith.addf %in, %so_far : f32
    linalg.yield %t : f32
  }
  return
}
)";

// 2^24 + 1 + 1 + 1 + 1: in f32, each 1 is lost on its own; together they are not.
std::vector<RuntimeValue> terms_that_get_lost() {
  std::vector<RuntimeValue> args;
  args.push_back(*Array::allocate({5}, ElementType::F32));
  args.push_back(*Array::allocate({}, ElementType::F32));
  for (int64_t i = 0; i < 5; ++i)
    std::get<Array>(args[0]).set_bits(i, std::bit_cast<uint32_t>(i == 0 ? 0x1p24f : 1.0f));
  return args;
}

TEST(WideSums, AddWhatOneByOneIsLost) {
  auto args = terms_that_get_lost();
  const auto plain = interpret(parsed(kTensorSum), args);
  EXPECT_EQ(std::get<std::vector<Array>>(plain)[0].bits(0), std::bit_cast<uint32_t>(0x1p24f));
  const auto wide = interpret(with_wide_sums(parsed(kTensorSum)), args);
  EXPECT_EQ(std::get<std::vector<Array>>(wide)[0].bits(0), std::bit_cast<uint32_t>(0x1p24f + 4));
}

TEST(WideSums, WorkOnBuffers) {
  auto args = terms_that_get_lost();
  const auto ran = interpret(with_wide_sums(parsed(kBufferSum)), args);
  EXPECT_TRUE(std::holds_alternative<std::vector<Array>>(ran));
  EXPECT_EQ(std::get<Array>(args[1]).bits(0), std::bit_cast<uint32_t>(0x1p24f + 4));
}

TEST(WideSums, LeaveValidIr) {
  for (const char* text : {kTensorSum, kBufferSum}) {
    const Function wide = with_wide_sums(parsed(text));
    Diagnostics diagnostics;
    verify(wide, level_of(wide), diagnostics);
    EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.all().front().message;
  }
}

TEST(WideSums, LeaveOtherReductionsAlone) {
  std::string text = kTensorSum;
  text.replace(text.find("arith.addf"), 10, "arith.mulf");
  const Function f = parsed(text);
  EXPECT_EQ(with_wide_sums(f).ops.size(), f.ops.size());
}

} // namespace
} // namespace mo

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

// Every occurrence.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

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
  for (const char* text : {kTensorSum, kBufferSum})
    for (const auto nudge : {std::optional<SumNudge>(), std::optional(SumNudge{0, 1, 1.0})}) {
      const Function wide = with_wide_sums(parsed(text), nudge);
      Diagnostics diagnostics;
      verify(wide, level_of(wide), diagnostics);
      EXPECT_FALSE(diagnostics.has_errors()) << diagnostics.all().front().message;
    }
}

TEST(WideSums, LeaveOtherReductionsAlone) {
  const Function f = parsed(replaced(kTensorSum, "arith.addf", "arith.mulf"));
  EXPECT_EQ(with_wide_sums(f).ops.size(), f.ops.size());
  EXPECT_EQ(float_sums(f).count, 0u);
}

TEST(FloatSums, AreCountedWithTheirTerms) {
  EXPECT_EQ(float_sums(parsed(kTensorSum)).count, 1u);
  EXPECT_EQ(float_sums(parsed(kTensorSum)).longest, 5);
  EXPECT_EQ(sum_tolerance(1024), 128);
}

TEST(FloatSums, OfOneTermHaveNoOrder) {
  EXPECT_EQ(float_sums(parsed(replaced(kTensorSum, "tensor<5xf32>", "tensor<1xf32>"))).count, 0u);
}

TEST(FloatSums, ThatAreReadOnTheWayHaveTheOrderThatIsWritten) {
  const Function f = parsed(replaced(kTensorSum, "linalg.yield %t",
                                     "%twice = arith.addf %t, %t : f32\n linalg.yield %twice"));
  EXPECT_EQ(float_sums(f).count, 0u);
}

TEST(FloatSums, AreNoneTheLessWhereDeadCodeReadsThem) { // a pass may drop it
  const Function f = parsed(
      replaced(kTensorSum, "linalg.yield", "%dead = arith.mulf %so_far, %t : f32\n linalg.yield"));
  EXPECT_EQ(float_sums(f).count, 1u);
}

// Terms 2^24, 1, 1, 1, 1 make 4 sqrt(5) half ulps of 2^24 + 4.
TEST(Nudge, MovesASumToTheEndsOfItsTolerance) {
  for (const char* text : {kTensorSum, kBufferSum})
    for (const double sign : {1.0, -1.0}) {
      auto args = terms_that_get_lost();
      auto ran = interpret(with_wide_sums(parsed(text), SumNudge{0, 1, sign}), args);
      auto& results = std::get<std::vector<Array>>(ran);
      const Array& sum = results.empty() ? std::get<Array>(args[1]) : results[0];
      const double exact = 0x1p24 + 4, off = sum_tolerance(5) * 0x1p-24 * exact;
      EXPECT_EQ(sum.bits(0), std::bit_cast<uint32_t>(static_cast<float>(exact + sign * off)));
    }
}

TEST(Nudge, MovesF64SumsToo) {
  const Function f = parsed(replaced(kTensorSum, "f32", "f64"));
  std::vector<RuntimeValue> args;
  args.push_back(*Array::allocate({5}, ElementType::F64));
  args.push_back(*Array::allocate({}, ElementType::F64));
  for (int64_t i = 0; i < 5; ++i)
    std::get<Array>(args[0]).set_bits(i, std::bit_cast<uint64_t>(i % 2 == 0 ? 1.0 : -1.0));
  const auto ran = interpret(with_wide_sums(f, SumNudge{0, 1, 1.0}), args);
  EXPECT_EQ(std::get<std::vector<Array>>(ran)[0].bits(0), // of the magnitudes: 5, not 1
            std::bit_cast<uint64_t>(1 + 5 * 0x1p-53 * 5));
}

// In order, 0.1 is rounded the same way again and again.
TEST(Nudge, AllowsWhatTheSumInOrderIsOffBy) {
  const Function f = parsed(replaced(kTensorSum, "<5x", "<8100x"));
  std::vector<RuntimeValue> args;
  args.push_back(*Array::allocate({8100}, ElementType::F32));
  args.push_back(*Array::allocate({}, ElementType::F32));
  for (int64_t i = 0; i < 8100; ++i)
    std::get<Array>(args[0]).set_bits(i, std::bit_cast<uint32_t>(0.1F));
  const auto sum = [&](const Function& function) {
    const auto ran = interpret(function, args);
    const uint64_t bits = std::get<std::vector<Array>>(ran)[0].bits(0);
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  };
  const double exact = sum(with_wide_sums(f)), off = std::abs(sum(f) - exact);
  EXPECT_GT(off, 2 * sum_tolerance(8100) * 0x1p-24 * exact);
  EXPECT_NEAR(sum(with_wide_sums(f, SumNudge{0, 1, 1.0})), exact + 2 * off, 0.01 * off);
}

TEST(Nudge, LeavesAnInfiniteSumAsItIs) {
  auto args = terms_that_get_lost();
  std::get<Array>(args[0]).set_bits(2, 0x7F800000);
  const auto ran = interpret(with_wide_sums(parsed(kTensorSum), SumNudge{0, 1, -1.0}), args);
  EXPECT_EQ(std::get<std::vector<Array>>(ran)[0].bits(0), 0x7F800000u);
}

TEST(Nudge, OfAnotherGroupLeavesASumWhereItIs) {
  auto args = terms_that_get_lost();
  const auto ran = interpret(with_wide_sums(parsed(kTensorSum), SumNudge{1, 2, 1.0}), args);
  EXPECT_EQ(std::get<std::vector<Array>>(ran)[0].bits(0), std::bit_cast<uint32_t>(0x1p24f + 4));
}

} // namespace
} // namespace mo

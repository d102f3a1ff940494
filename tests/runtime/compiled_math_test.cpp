#include "runtime/compiled_math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "ir/parse.h"
#include "runtime/compare.h"
#include "runtime/interpret.h"
#include "tests/codegen/host_isas.h"
#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;

// The largest distance of an op from libm over some arguments in its domain.
double largest_distance(CompiledMath& math, ScalarOp op) {
  std::vector<float> in(1000), exponent(1000, 2.5F), out(1000), libm(1000);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = 0.01F * static_cast<float>(i + 1);
  const std::byte* operands[] = {reinterpret_cast<const std::byte*>(in.data()),
                                 reinterpret_cast<const std::byte*>(exponent.data())};
  const BlockFunction compiled = math.function(op, ElementType::F32);
  if (!compiled)
    return 0;
  compiled(reinterpret_cast<std::byte*>(out.data()), operands, in.size());
  block_kernel(op, 0, ElementType::F32, ElementType::F32)(reinterpret_cast<std::byte*>(libm.data()),
                                                          operands, in.size());
  double largest = 0;
  for (size_t i = 0; i < in.size(); ++i)
    largest = std::max(largest, ulps_apart(std::bit_cast<uint32_t>(out[i]),
                                           std::bit_cast<uint32_t>(libm[i]), ElementType::F32));
  return largest;
}

TEST(CompiledMath, IsNearLibm) {
  for (Isa isa : host_isas()) {
    CompiledMath math(isa);
    for (unsigned i = 0; i < num_scalar_ops(); ++i) {
      const auto op = static_cast<ScalarOp>(i);
      EXPECT_LE(largest_distance(math, op), allowed_ulps(op) + 1) << info(op).spelling;
    }
  }
}

TEST(CompiledMath, LeavesExactOpsToTheTable) {
  CompiledMath math(Isa::SSE42);
  EXPECT_FALSE(math.function(ScalarOp::AddF, ElementType::F32));
  EXPECT_FALSE(math.function(ScalarOp::Sqrt, ElementType::F32));
  const BlockFunction add =
      block_function(&math, ScalarOp::AddF, 0, ElementType::F32, ElementType::F32);
  float a[] = {1}, b[] = {2};
  const std::byte* operands[] = {reinterpret_cast<std::byte*>(a), reinterpret_cast<std::byte*>(b)};
  add(reinterpret_cast<std::byte*>(a), operands, 1);
  EXPECT_EQ(a[0], 3);
}

// Rsqrt stands for all that are approximated.
TEST(CompiledMath, GivesAnElementTheSameBitsWhereverItStands) {
  for (Isa isa : host_isas()) {
    CompiledMath math(isa);
    const BlockFunction rsqrt = math.function(ScalarOp::Rsqrt, ElementType::F64);
    ASSERT_TRUE(rsqrt);
    std::vector<double> in(200), all(200);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = 0.3 + static_cast<double>(i);
    const std::byte* operands[] = {reinterpret_cast<const std::byte*>(in.data())};
    rsqrt(reinterpret_cast<std::byte*>(all.data()), operands, in.size());
    for (size_t i = 0; i < in.size(); ++i) {
      const auto bits = std::bit_cast<uint64_t>(in[i]);
      EXPECT_EQ(eval_scalar(&math, ScalarOp::Rsqrt, 0, ElementType::F64, ElementType::F64, &bits),
                std::bit_cast<uint64_t>(all[i]));
    }
    rsqrt(reinterpret_cast<std::byte*>(in.data()), operands, in.size()); // in place
    EXPECT_EQ(in, all);
  }
}

TEST(CompiledMath, IsWhatTheInterpreterEvaluatesWith) {
  const std::string text = R"(
func.func @f(%x: memref<100xf32>, %s: f32, %y: memref<100xf32>) {
  %r = math.rsqrt %s : f32
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : memref<100xf32>) outs(%y : memref<100xf32>) {
  ^bb0(%in: f32, %old: f32):
    %e = math.rsqrt %in : f32
    %t = arith.addf %e, %r : f32
    linalg.yield %t : f32
  }
  return
}
)";
  Diagnostics diagnostics;
  const auto module = parse_and_verify({"f.tir", text}, diagnostics);
  ASSERT_TRUE(module) << render(diagnostics, {"f.tir", text}, false);
  for (Isa isa : host_isas()) {
    CompiledMath math(isa);
    std::vector<RuntimeValue> args;
    args.push_back(*Array::allocate({100}, ElementType::F32));
    args.push_back(Scalar{ElementType::F32, std::bit_cast<uint32_t>(3.0F)});
    args.push_back(*Array::allocate({100}, ElementType::F32));
    for (int64_t i = 0; i < 100; ++i)
      std::get<Array>(args[0]).set_bits(i, std::bit_cast<uint32_t>(0.1F * static_cast<float>(i)));
    interpret(module->functions[0], args, {&math});
    const auto rsqrt = [&](uint64_t bits) {
      return std::bit_cast<float>(static_cast<uint32_t>(
          eval_scalar(&math, ScalarOp::Rsqrt, 0, ElementType::F32, ElementType::F32, &bits)));
    };
    for (int64_t i = 0; i < 100; ++i)
      EXPECT_EQ(std::get<Array>(args[2]).bits(i),
                std::bit_cast<uint32_t>(rsqrt(std::get<Array>(args[0]).bits(i)) +
                                        rsqrt(std::bit_cast<uint32_t>(3.0F))));
  }
}

} // namespace
} // namespace mo

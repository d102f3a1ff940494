// What is read or written at a distance is asked for ahead of its use.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/simplify.h"
#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"

namespace mo {
namespace {

using ::testing::HasSubstr;
using testing::KernelBuilder;
using ::testing::Not;

constexpr int64_t kLarge = 1 << 18;

// out[i * to] = x[i * from] + x[i * from + 1]
Kernel pair_sums(int64_t n, int64_t from, int64_t to, int64_t buffer = kLarge) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, buffer), out = k.argument(ElementType::F32, buffer);
  const int64_t first = from < 0 ? buffer - 2 : 0;
  k.begin_loop(n, true);
  Reg a = k.load(x, {from}, first), b = k.load(x, {from}, first + 1);
  k.store(k.compute(ScalarOp::AddF, ElementType::F32, {a, b}), out, {to}, to < 0 ? buffer - 1 : 0);
  k.end_loop();
  Kernel kernel = k.finish();
  prefetch_ahead(kernel);
  return kernel;
}

TEST(PrefetchAhead, EightKibibytesAheadOncePerGroupOfLines) {
  const std::string text = print(pair_sums(1000, 4, 1));
  EXPECT_THAT(text, HasSubstr("prefetch 1 x %arg0[4*d0 + 2048]"));
  EXPECT_EQ(text.find("prefetch"), text.rfind("prefetch"));
}

TEST(PrefetchAhead, BackwardWalksToo) {
  const std::string text = print(pair_sums(2000, -2, -1));
  EXPECT_THAT(text, HasSubstr(fmt::format("prefetch 1 x %arg0[-2*d0 + {}]", kLarge - 2 - 2048)));
  EXPECT_THAT(text, HasSubstr(fmt::format("prefetch 1 x %arg1[-d0 + {}]", kLarge - 1 - 2048)));
}

TEST(PrefetchAhead, LoadsAndStoresWithTwoInALineOrOne) {
  const std::string text = print(pair_sums(1000, 8, 31));
  EXPECT_THAT(text, HasSubstr("prefetch 1 x %arg0[8*d0 + 2048]"));
  EXPECT_THAT(text, HasSubstr("prefetch 1 x %arg1[31*d0 + 2046]"));
}

TEST(PrefetchAhead, NotNearStoresNorUpwardsByOneNorByTwoLinesNorWhereAllIsSmall) {
  EXPECT_THAT(print(pair_sums(2000, 1, 1)), Not(HasSubstr("prefetch")));
  EXPECT_THAT(print(pair_sums(1000, 1, 7)), Not(HasSubstr("prefetch")));
  EXPECT_THAT(print(pair_sums(1000, 32, -32)), Not(HasSubstr("prefetch")));
  EXPECT_THAT(print(pair_sums(1000, 4, 1, 10000)), Not(HasSubstr("prefetch")));
  EXPECT_THAT(print(pair_sums(100, 4, 1)), Not(HasSubstr("prefetch")));
}

// out[i] = x[i] + y[i]
Kernel sums_of_two(int64_t n, int64_t buffer, bool both_from_x = false) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, buffer), y = k.argument(ElementType::F32, buffer);
  uint32_t out = k.argument(ElementType::F32, buffer);
  k.begin_loop(n, true);
  Reg a = k.load(x, {1}), b = k.load(both_from_x ? x : y, {1});
  k.store(k.compute(ScalarOp::AddF, ElementType::F32, {a, b}), out, {1});
  k.end_loop();
  Kernel kernel = k.finish();
  prefetch_ahead(kernel);
  return kernel;
}

TEST(PrefetchAhead, TwoKibibytesOfEachOfSeveralLargeBuffersReadSideBySide) {
  const std::string text = print(sums_of_two(2000, kLarge));
  EXPECT_THAT(text, HasSubstr("prefetch 1 x %arg0[d0 + 512]"));
  EXPECT_THAT(text, HasSubstr("prefetch 1 x %arg1[d0 + 512]"));
  EXPECT_THAT(text, Not(HasSubstr("prefetch 1 x %arg2")));
  EXPECT_THAT(print(sums_of_two(2000, kLarge, true)), Not(HasSubstr("prefetch")));
  EXPECT_THAT(print(sums_of_two(2000, 10000)), Not(HasSubstr("prefetch")));
  EXPECT_THAT(print(sums_of_two(100, kLarge)), Not(HasSubstr("prefetch")));
}

TEST(PrefetchAhead, ASecondTimeChangesNothing) {
  Kernel kernel = pair_sums(1000, 4, 2);
  const std::string once = print(kernel);
  prefetch_ahead(kernel);
  EXPECT_EQ(print(kernel), once);
}

TEST(PrefetchAhead, AsksBeyondTheEndWithoutTouchingIt) {
  for (auto [from, to] : {std::pair{2, 1}, {-3, 2}, {2, -7}, {15, 1}, {17, -18}}) {
    const int64_t n = (kLarge - 1) / std::max(std::abs(from), std::abs(to));
    Kernel kernel = pair_sums(n, from, to);
    for (Isa isa : testing::host_isas())
      EXPECT_EQ(testing::jit_mismatch(kernel, testing::small_arguments(kernel), isa, 4), "")
          << from << ", " << to;
  }
}

} // namespace
} // namespace mo

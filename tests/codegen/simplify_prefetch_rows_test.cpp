// The next row is asked for while this one is computed with.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/simplify.h"
#include "tests/codegen/jit_support.h"
#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

using testing::function_text;
using testing::generic_text;
using ::testing::HasSubstr;
using testing::lowered;
using ::testing::Not;
using testing::simplified;

constexpr std::string_view kDivBody =
    "^bb0(%a: f32, %d: f32, %old: f32): %q = arith.divf %a, %d : f32 linalg.yield %q : f32";
constexpr std::string_view kNegBody =
    "^bb0(%a: f32, %d: f32, %old: f32): %m = arith.subf %a, %d : f32 %n = arith.negf %m : f32 "
    "linalg.yield %n : f32";

/// sum = the sums of the rows of x; y = x / sum, or z = -(x - sum), row by row.
std::string row_sums(int64_t rows, int64_t columns) {
  return generic_text(
      "d0, d1", {"d0, d1", "d0"}, R"("parallel", "reduction")",
      fmt::format("ins(%x : memref<{0}x{1}xf32>) outs(%sum : memref<{0}xf32>)", rows, columns),
      testing::kAddBody);
}
std::string by_row(int64_t rows, int64_t columns, std::string_view to, std::string_view body) {
  return generic_text(
      "d0, d1", {"d0, d1", "d0", "d0, d1"}, R"("parallel", "parallel")",
      fmt::format(
          "ins(%x, %sum : memref<{0}x{1}xf32>, memref<{0}xf32>) outs(%{2} : memref<{0}x{1}xf32>)",
          rows, columns, to),
      body);
}
std::string arguments(int64_t rows, int64_t columns) {
  return fmt::format("%x: memref<{0}x{1}xf32>, %sum: memref<{0}xf32>, %y: memref<{0}x{1}xf32>, %z: "
                     "memref<{0}x{1}xf32>",
                     rows, columns);
}
std::string normalised(int64_t rows, int64_t columns) {
  return function_text(arguments(rows, columns),
                       row_sums(rows, columns) + by_row(rows, columns, "y", kDivBody));
}

TEST(PrefetchNextRows, TheLoopThatWritesAsksForWhatTheSumReadsNext) {
  EXPECT_THAT(simplified(normalised(1000, 2000)), HasSubstr(R"(
    for d1 in 0..2000 vector {
      prefetch 1 x %x[2000*d0 + d1 + 2000]
      %a = load %x[2000*d0 + d1]
      %q = arith.divf %a, %s_0 : f32
      store %q, %y[2000*d0 + d1]
)"));
}

TEST(PrefetchNextRows, TheLoopThatComputesMostHasTimeToAsk) {
  const std::string text = simplified(function_text(
      arguments(1000, 2000), row_sums(1000, 2000) + by_row(1000, 2000, "z", kNegBody) +
                                 row_sums(1000, 2000) + by_row(1000, 2000, "y", kDivBody)));
  EXPECT_THAT(text, HasSubstr("prefetch"));
  EXPECT_EQ(text.find("prefetch"), text.rfind("prefetch"));
  EXPECT_LT(text.find("prefetch"), text.find("arith.negf"));
}

TEST(PrefetchNextRows, SmallBuffersStayInCacheByThemselves) {
  EXPECT_THAT(simplified(normalised(100, 2000)), Not(HasSubstr("prefetch")));
}

TEST(PrefetchNextRows, RowsThatWouldNotStayInCacheAreNotAskedFor) {
  EXPECT_THAT(simplified(normalised(10, 65536)), HasSubstr("prefetch"));
  EXPECT_THAT(simplified(normalised(10, 65537)), Not(HasSubstr("prefetch")));
}

TEST(PrefetchNextRows, OneLoopAloneStreamsWithoutHelp) {
  EXPECT_THAT(simplified(function_text(arguments(1000, 2000), row_sums(1000, 2000))),
              Not(HasSubstr("prefetch")));
}

TEST(PrefetchNextRows, KeepsTheMeaningOnEveryInstructionSet) {
  for (int64_t columns : {1001, 1024, 1039}) { // of a matrix of more than a MiB
    Kernel kernel = lowered(normalised(270, columns));
    simplify(kernel);
    ASSERT_THAT(print(kernel), HasSubstr("prefetch"));
    EXPECT_EQ(testing::jit_mismatch(kernel, testing::small_arguments(kernel)), "") << columns;
  }
}

} // namespace
} // namespace mo

// Several rows of a column reduction at a time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/simplify.h"
#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

using testing::body_of;
using testing::function_text;
using testing::generic_text;
using ::testing::HasSubstr;
using testing::lowered;

/// Column sums of products; two operands.
std::string column_dot(int rows) {
  return function_text(
      fmt::format("%x: memref<{0}x3xf32>, %y: memref<{0}x3xf32>, %o: memref<3xf32>", rows),
      generic_text("d0, d1", {"d0, d1", "d0, d1", "d1"}, R"("reduction", "parallel")",
                   fmt::format("ins(%x, %y : memref<{0}x3xf32>, memref<{0}x3xf32>) "
                               "outs(%o : memref<3xf32>)",
                               rows),
                   "^bb0(%a: f32, %b: f32, %acc: f32): %p = arith.mulf %a, %b : f32 "
                   "%s = arith.addf %acc, %p : f32 linalg.yield %s : f32"));
}

TEST(JamColumnReductions, ResultsGoThroughRegistersOnceForFourRowsAndTheRestFollows) {
  Kernel kernel = lowered(column_dot(6));
  jam_column_reductions(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0 in 0..1 {
    for d1 in 0..3 {
      %a = load %x[12*d0 + d1]
      %b = load %y[12*d0 + d1]
      %acc = load %o[d1]
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      %a_0 = load %x[12*d0 + d1 + 3]
      %b_0 = load %y[12*d0 + d1 + 3]
      %p_0 = arith.mulf %a_0, %b_0 : f32
      %s_0 = arith.addf %s, %p_0 : f32
      %a_1 = load %x[12*d0 + d1 + 6]
      %b_1 = load %y[12*d0 + d1 + 6]
      %p_1 = arith.mulf %a_1, %b_1 : f32
      %s_1 = arith.addf %s_0, %p_1 : f32
      %a_2 = load %x[12*d0 + d1 + 9]
      %b_2 = load %y[12*d0 + d1 + 9]
      %p_2 = arith.mulf %a_2, %b_2 : f32
      %s_2 = arith.addf %s_1, %p_2 : f32
      store %s_2, %o[d1]
    }
  }
  for d0 in 0..2 {
    for d1 in 0..3 {
      %a = load %x[3*d0 + d1 + 12]
      %b = load %y[3*d0 + d1 + 12]
      %acc = load %o[d1]
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %p : f32
      store %s, %o[d1]
    }
  }
)");
}

TEST(JamColumnReductions, FewRowsStayAsTheyAre) {
  Kernel kernel = lowered(column_dot(3));
  const std::string before = print(kernel);
  jam_column_reductions(kernel);
  EXPECT_EQ(print(kernel), before);
}

TEST(JamColumnReductions, AProductTooForEachElementMeetsItsRowsInOrder) {
  Kernel kernel = lowered(function_text(
      "%x: memref<16x3xf32>, %o: memref<3xf32>",
      generic_text("d0, d1", {"d0, d1", "d1"}, R"("reduction", "parallel")",
                   "ins(%x : memref<16x3xf32>) outs(%o : memref<3xf32>)",
                   "^bb0(%a: f32, %acc: f32): %p = arith.mulf %acc, %a : f32 linalg.yield %p : "
                   "f32")));
  jam_column_reductions(kernel);
  EXPECT_THAT(print(kernel), HasSubstr("%a_6 = load %x[24*d0 + d1 + 21]"));
}

TEST(JamColumnReductions, AResultThatIsReadElsewhereInTheRowKeepsItsOrder) {
  // Every element of the row adds up in %o[0], too.
  Kernel kernel = lowered(function_text(
      "%x: memref<16x3xf32>, %o: memref<3xf32>",
      generic_text("d0, d1", {"d0, d1", "0", "d1"}, R"("reduction", "reduction")",
                   "ins(%x, %o : memref<16x3xf32>, memref<3xf32>) outs(%o : memref<3xf32>)",
                   "^bb0(%a: f32, %b: f32, %acc: f32): %p = arith.addf %a, %b : f32 "
                   "%s = arith.addf %acc, %p : f32 linalg.yield %s : f32")));
  const std::string before = print(kernel);
  jam_column_reductions(kernel);
  EXPECT_EQ(print(kernel), before);
}

} // namespace
} // namespace mo

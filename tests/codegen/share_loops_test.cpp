// Nests that take turns in one outer loop.
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
using ::testing::Not;
using testing::simplified;

constexpr std::string_view kSumBody =
    "^bb0(%a: f32, %acc: f32): %v = arith.addf %acc, %a : f32 linalg.yield %v : f32";
constexpr std::string_view kNegBody =
    "^bb0(%a: f32, %old: f32): %n = arith.negf %a : f32 linalg.yield %n : f32";
constexpr std::string_view kDivBody =
    "^bb0(%a: f32, %d: f32, %old: f32): %q = arith.divf %a, %d : f32 linalg.yield %q : f32";

std::string row_sum(std::string_view from, std::string_view to) {
  return generic_text(
      "d0, d1", {"d0, d1", "d0"}, R"("parallel", "reduction")",
      fmt::format("ins(%{} : memref<4x100xf32>) outs(%{} : memref<4xf32>)", from, to), kSumBody);
}
std::string column_sum(std::string_view from, std::string_view to) {
  return generic_text(
      "d0, d1", {"d0, d1", "d1"}, R"("reduction", "parallel")",
      fmt::format("ins(%{} : memref<4x100xf32>) outs(%{} : memref<100xf32>)", from, to), kSumBody);
}
std::string negated(std::string_view from, std::string_view to) {
  return generic_text(
      "d0, d1", {"d0, d1", "d0, d1"}, R"("parallel", "parallel")",
      fmt::format("ins(%{} : memref<4x100xf32>) outs(%{} : memref<4x100xf32>)", from, to),
      kNegBody);
}
std::string divided_by_row(std::string_view from, std::string_view by, std::string_view to) {
  return generic_text(
      "d0, d1", {"d0, d1", "d0", "d0, d1"}, R"("parallel", "parallel")",
      fmt::format("ins(%{}, %{} : memref<4x100xf32>, memref<4xf32>) outs(%{} : memref<4x100xf32>)",
                  from, by, to),
      kDivBody);
}
std::string fill(std::string_view what, std::string_view type) {
  return fmt::format("linalg.fill ins(%zero : f32) outs(%{} : {})\n", what, type);
}
constexpr std::string_view kArguments =
    "%zero: f32, %x: memref<4x100xf32>, %s: memref<4xf32>, %y: memref<4x100xf32>";

TEST(ShareLoops, ARowIsNormalisedWhileItIsInCache) {
  EXPECT_EQ(
      simplified(function_text(kArguments, row_sum("x", "s") + divided_by_row("x", "s", "y"))),
      R"(kernel @f(%zero: f32, %x: 400 x f32, %s: 4 x f32, %y: 400 x f32) {
  for d0 in 0..4 {
    %acc_init = load %s[d0]
    %v_0 = for d1 in 0..100 vector carrying (%acc = %acc_init by arith.addf) {
      %a = load %x[100*d0 + d1]
      %v = arith.addf %acc, %a : f32
      next %v
    }
    store %v_0, %s[d0]
    for d1 in 0..100 vector {
      %a_0 = load %x[100*d0 + d1]
      %q = arith.divf %a_0, %v_0 : f32
      store %q, %y[100*d0 + d1]
    }
  }
}
)");
}

TEST(ShareLoops, ATempBecomesARowAndASumBecomesARegister) {
  EXPECT_EQ(
      simplified(function_text(kArguments, "%t = memref.alloc() : memref<4x100xf32>\n"
                                           "%r = memref.alloc() : memref<4xf32>\n" +
                                               negated("x", "t") + fill("r", "memref<4xf32>") +
                                               row_sum("t", "r") + divided_by_row("t", "r", "y") +
                                               "memref.dealloc %t : memref<4x100xf32>\n"
                                               "memref.dealloc %r : memref<4xf32>\n")),
      R"(kernel @f(%zero: f32, %x: 400 x f32, %s: 4 x f32, %y: 400 x f32) {
  %t = alloc 100 x f32 align 64
  for d0 in 0..4 {
    %v_0 = for d1 in 0..100 vector carrying (%acc = %zero by arith.addf) {
      %a = load %x[100*d0 + d1]
      %n = arith.negf %a : f32
      store %n, %t[d1]
      %v = arith.addf %acc, %n : f32
      next %v
    }
    for d1 in 0..100 vector {
      %a_0 = load %t[d1]
      %q = arith.divf %a_0, %v_0 : f32
      store %q, %y[100*d0 + d1]
    }
  }
  free %t
}
)");
}

TEST(ShareLoops, ElementwiseChainsAreLeftToFusion) {
  Kernel kernel = lowered(function_text(kArguments, "%t = memref.alloc() : memref<4x100xf32>\n" +
                                                        negated("x", "t") + negated("t", "y") +
                                                        "memref.dealloc %t : memref<4x100xf32>\n"));
  const std::string before = print(kernel);
  share_outer_loops(kernel);
  EXPECT_EQ(print(kernel), before);
}

TEST(ShareLoops, ASumThatAloneReadsItsProducerIsLeftToFusion) {
  Kernel kernel = lowered(function_text(kArguments, "%t = memref.alloc() : memref<4x100xf32>\n" +
                                                        negated("x", "t") + row_sum("t", "s") +
                                                        "memref.dealloc %t : memref<4x100xf32>\n"));
  const std::string before = print(kernel);
  share_outer_loops(kernel);
  EXPECT_EQ(print(kernel), before);
}

TEST(ShareLoops, AColumnSumHasToEndBeforeItIsRead) {
  const std::string divided_by_column = generic_text(
      "d0, d1", {"d0, d1", "d1", "d0, d1"}, R"("parallel", "parallel")",
      "ins(%x, %c : memref<4x100xf32>, memref<100xf32>) outs(%y : memref<4x100xf32>)", kDivBody);
  Kernel kernel =
      lowered(function_text("%x: memref<4x100xf32>, %c: memref<100xf32>, %y: memref<4x100xf32>",
                            column_sum("x", "c") + divided_by_column));
  const std::string before = print(kernel);
  share_outer_loops(kernel);
  EXPECT_EQ(print(kernel), before);
}

TEST(ShareLoops, ARowReadByANeighbouringRowsIterationIsNotShared) {
  // Row d0 of the second nest needs the sum of row d0 + 1, which comes an iteration later.
  const std::string shifted = generic_text(
      "d0, d1", {"d0, d1", "d0 * 2 + 2", "d0, d1"}, R"("parallel", "parallel")",
      "ins(%x, %s : memref<4x100xf32>, memref<9xf32>) outs(%y : memref<4x100xf32>)", kDivBody);
  const std::string sum =
      generic_text("d0, d1", {"d0, d1", "d0 * 2"}, R"("parallel", "reduction")",
                   "ins(%x : memref<4x100xf32>) outs(%s : memref<9xf32>)", kSumBody);
  Kernel kernel = lowered(function_text(
      "%x: memref<4x100xf32>, %s: memref<9xf32>, %y: memref<4x100xf32>", sum + shifted));
  const std::string before = print(kernel);
  share_outer_loops(kernel);
  EXPECT_EQ(print(kernel), before);
}

TEST(ShareLoops, ShortRowsAreNotWorthIt) {
  const std::string sum =
      generic_text("d0, d1", {"d0, d1", "d0"}, R"("parallel", "reduction")",
                   "ins(%x : memref<100x2xf32>) outs(%s : memref<100xf32>)", kSumBody);
  const std::string divide = generic_text(
      "d0, d1", {"d0, d1", "d0", "d0, d1"}, R"("parallel", "parallel")",
      "ins(%x, %s : memref<100x2xf32>, memref<100xf32>) outs(%y : memref<100x2xf32>)", kDivBody);
  const std::string text = function_text(
      "%x: memref<100x2xf32>, %s: memref<100xf32>, %y: memref<100x2xf32>", sum + divide);
  Kernel kernel = lowered(text);
  const std::string before = print(kernel);
  share_outer_loops(kernel);
  EXPECT_EQ(print(kernel), before);
  share_outer_loops(kernel, /*min_row=*/1);
  EXPECT_NE(print(kernel), before);
}

TEST(ShareLoops, NestsThatHaveNothingToDoWithEachOtherStayApart) {
  EXPECT_THAT(simplified(function_text(
                  "%zero: f32, %x: memref<4x100xf32>, %s: memref<4xf32>, %y: memref<4x100xf32>, "
                  "%u: memref<4x100xf32>, %w: memref<4x100xf32>",
                  row_sum("x", "s") + negated("u", "w") + divided_by_row("x", "s", "y"))),
              HasSubstr("  for d0_d1 in 0..400 vector {\n    %a = load %u[d0_d1]"));
}

TEST(ShareLoops, AnElementNobodyMayReadEarlyKeepsTheLoopsApart) {
  // %p[0] is written between the nests, and the first one reads it.
  const std::string point = generic_text("", {""}, "", "outs(%p : memref<f32>)",
                                         "^bb0(%o: f32): linalg.yield %zero : f32");
  const std::string sum = generic_text(
      "d0, d1", {"d0, d1", "", "d0"}, R"("parallel", "reduction")",
      "ins(%x, %p : memref<4x100xf32>, memref<f32>) outs(%s : memref<4xf32>)",
      "^bb0(%a: f32, %b: f32, %acc: f32): %m = arith.mulf %a, %b : f32 %v = arith.addf "
      "%acc, %m : f32 linalg.yield %v : f32");
  Kernel kernel = lowered(
      function_text("%zero: f32, %x: memref<4x100xf32>, %p: memref<f32>, %s: memref<4xf32>, %y: "
                    "memref<4x100xf32>",
                    sum + point + divided_by_row("x", "s", "y")));
  const std::string before = print(kernel);
  share_outer_loops(kernel);
  EXPECT_EQ(print(kernel), before);
}

TEST(ShareLoops, BatchesOfRowsShareBothLoops) {
  const std::string sum =
      generic_text("d0, d1, d2", {"d0, d1, d2", "d0, d1"}, R"("parallel", "parallel", "reduction")",
                   "ins(%x : memref<2x3x100xf32>) outs(%s : memref<2x3xf32>)", kSumBody);
  const std::string divide = generic_text(
      "d0, d1, d2", {"d0, d1, d2", "d0, d1", "d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
      "ins(%x, %s : memref<2x3x100xf32>, memref<2x3xf32>) outs(%y : memref<2x3x100xf32>)",
      kDivBody);
  const std::string text = simplified(function_text(
      "%x: memref<2x3x100xf32>, %s: memref<2x3xf32>, %y: memref<2x3x100xf32>", sum + divide));
  EXPECT_THAT(text, HasSubstr("for d0_d1 in 0..6 {"));
  EXPECT_THAT(text, Not(HasSubstr("for d2 in 0..100 vector {\n    }")));
}

TEST(ShareLoops, WhatRunsInVectorsIsNotTiedToWhatCannot) {
  // A float product is combined in order; the negation is not slowed down by it.
  const std::string product = generic_text(
      "d0, d1", {"d0, d1", "d0"}, R"("parallel", "reduction")",
      "ins(%t : memref<4x100xf32>) outs(%s : memref<4xf32>)",
      "^bb0(%a: f32, %acc: f32): %p = arith.mulf %acc, %a : f32 linalg.yield %p : f32");
  EXPECT_THAT(simplified(function_text(kArguments, "%t = memref.alloc() : memref<4x100xf32>\n" +
                                                       negated("x", "t") + product +
                                                       divided_by_row("t", "s", "y") +
                                                       "memref.dealloc %t : memref<4x100xf32>\n")),
              HasSubstr("for d1 in 0..100 vector {\n      %a = load %x[100*d0 + d1]\n"
                        "      %n = arith.negf %a : f32\n      store %n, %t[d1]"));
}

} // namespace
} // namespace mo

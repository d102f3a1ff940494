// Reductions into registers.
#include "codegen/simplify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

using testing::body_of;
using testing::function_text;
using testing::generic_text;
using ::testing::HasSubstr;
using testing::kAddBody;
using testing::kCopyBody;
using testing::lowered;
using testing::simplified;

TEST(CarryInRegisters, ARowSumIsKeptInARegister) {
  Kernel kernel = lowered(
      function_text("%x: memref<4x8xf32>, %o: memref<4xf32>",
                    generic_text("d0, d1", {"d0, d1", "d0"}, R"("parallel", "reduction")",
                                 "ins(%x : memref<4x8xf32>) outs(%o : memref<4xf32>)", kAddBody)));
  carry_in_registers(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0 in 0..4 {
    %acc_init = load %o[d0]
    %s_0 = for d1 in 0..8 carrying (%acc = %acc_init by arith.addf) {
      %in = load %x[8*d0 + d1]
      %s = arith.addf %acc, %in : f32
      next %s
    }
    store %s_0, %o[d0]
  }
)");
}

TEST(CarryInRegisters, ThroughLoopsThatDoNotMerge) {
  EXPECT_EQ(simplified(function_text(
                "%x: memref<4x8xf32>, %y: memref<8xf32>, %o: memref<f32>",
                generic_text("d0, d1", {"d0, d1", "d1", ""}, R"("reduction", "reduction")",
                             "ins(%x, %y : memref<4x8xf32>, memref<8xf32>) outs(%o : memref<f32>)",
                             "^bb0(%a: f32, %b: f32, %acc: f32): %p = arith.mulf %a, %b : f32 "
                             "%s = arith.addf %p, %acc : f32 linalg.yield %s : f32"))),
            R"(kernel @f(%x: 32 x f32, %y: 8 x f32, %o: 1 x f32) {
  %acc_init = load %o[0]
  %s_1 = for d0 in 0..4 carrying (%acc = %acc_init by arith.addf) {
    %s_0 = for d1 in 0..8 vector carrying (%acc_0 = %acc by arith.addf) {
      %a = load %x[8*d0 + d1]
      %b = load %y[d1]
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %p, %acc_0 : f32
      next %s
    }
    next %s_0
  }
  store %s_1, %o[0]
}
)");
}

TEST(CarryInRegisters, AReductionAndAnElementwiseResultShareALoop) {
  EXPECT_EQ(simplified(function_text(
                "%x: memref<8xf32>, %o: memref<f32>, %p: memref<8xf32>",
                generic_text("d0", {"d0", "", "d0"}, R"("reduction")",
                             "ins(%x : memref<8xf32>) outs(%o, %p : memref<f32>, memref<8xf32>)",
                             "^bb0(%in: f32, %acc: f32, %old: f32): %n = arith.negf %in : f32 "
                             "%s = arith.maxnumf %n, %acc : f32 linalg.yield %s, %n : f32, f32"))),
            R"(kernel @f(%x: 8 x f32, %o: 1 x f32, %p: 8 x f32) {
  %acc_init = load %o[0]
  %s_0 = for d0 in 0..8 vector carrying (%acc = %acc_init by arith.maxnumf) {
    %in = load %x[d0]
    %n = arith.negf %in : f32
    %s = arith.maxnumf %n, %acc : f32
    store %n, %p[d0]
    next %s
  }
  store %s_0, %o[0]
}
)");
}

TEST(CarryInRegisters, PartialSumsThatAreStoredAreTakenInOrder) {
  const std::string text = simplified(function_text(
      "%x: memref<8xf32>, %o: memref<f32>, %p: memref<8xf32>",
      generic_text("d0", {"d0", "", "d0"}, R"("reduction")",
                   "ins(%x : memref<8xf32>) outs(%o, %p : memref<f32>, memref<8xf32>)",
                   "^bb0(%in: f32, %acc: f32, %old: f32): %s = arith.addf %in, %acc : f32 "
                   "linalg.yield %s, %s : f32, f32")));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..8 carrying (%acc = %acc_init) {"));
}

TEST(CarryInRegisters, ASumOfWhatItHoldsIsTakenInOrder) {
  const std::string text = simplified(
      function_text("%x: memref<8xf32>, %o: memref<f32>",
                    generic_text("d0", {"d0", ""}, R"("reduction")",
                                 "ins(%x : memref<8xf32>) outs(%o : memref<f32>)",
                                 "^bb0(%in: f32, %acc: f32): %d = arith.mulf %acc, %in : f32 "
                                 "%s = arith.addf %d, %acc : f32 linalg.yield %s : f32")));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..8 carrying (%acc = %acc_init) {"));
}

TEST(CarryInRegisters, EveryOpWhoseOrderIsFreeIsRecognisedAndNoOther) {
  const auto loop_of = [](std::string_view op, std::string_view type) {
    return simplified(function_text(
        fmt::format("%x: memref<8x{0}>, %o: memref<{0}>", type),
        generic_text("d0", {"d0", ""}, R"("reduction")",
                     fmt::format("ins(%x : memref<8x{0}>) outs(%o : memref<{0}>)", type),
                     fmt::format("^bb0(%in: {1}, %acc: {1}): %s = arith.{0} %in, %acc : {1} "
                                 "linalg.yield %s : {1}",
                                 op, type))));
  };
  for (const char* op : {"addf", "maximumf", "minimumf", "maxnumf", "minnumf"})
    for (const char* type : {"f32", "f64"})
      EXPECT_THAT(loop_of(op, type),
                  HasSubstr(fmt::format("vector carrying (%acc = %acc_init by arith.{})", op)));
  for (const char* op : {"addi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"})
    for (const char* type : {"i1", "i32", "i64"})
      EXPECT_THAT(loop_of(op, type),
                  HasSubstr(fmt::format("vector carrying (%acc = %acc_init by arith.{})", op)));
  for (const char* op : {"mulf", "subf", "divf", "remf"})
    EXPECT_THAT(loop_of(op, "f32"), HasSubstr("0..8 carrying (%acc = %acc_init) {"));
  for (const char* op : {"subi", "divsi", "shli"})
    EXPECT_THAT(loop_of(op, "i32"), HasSubstr("0..8 carrying (%acc = %acc_init) {"));
}

TEST(CarryInRegisters, AnElementThatIsAlsoReadElsewhereStaysInMemory) {
  EXPECT_EQ(simplified(function_text(
                "%o: memref<8xf32>",
                generic_text("d0", {"d0", "0"}, R"("reduction")",
                             "ins(%o : memref<8xf32>) outs(%o : memref<8xf32>)", kCopyBody))),
            R"(kernel @f(%o: 8 x f32) {
  for d0 in 0..8 {
    %in = load %o[d0]
    store %in, %o[0]
  }
}
)");
}

} // namespace
} // namespace mo

// Each step of the simplification: what it does, and where it must not. Ordering and carrying have
// files of their own.
#include "codegen/simplify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codegen/kernel_builder.h"
#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

using testing::body_of;
using testing::function_text;
using testing::generic_text;
using ::testing::HasSubstr;
using testing::kAddBody;
using testing::kCopyBody;
using testing::KernelBuilder;
using testing::lowered;
using ::testing::Not;
using testing::simplified;

TEST(DropEmptyLoops, ALoopWithoutIterationsGoesWithAllAroundIt) {
  Kernel kernel = lowered(function_text(
      "%x: memref<3x0xf32>, %o: memref<3x0xf32>",
      generic_text("d0, d1", {"d0, d1", "d0, d1"}, R"("parallel", "parallel")",
                   "ins(%x : memref<3x0xf32>) outs(%o : memref<3x0xf32>)", kCopyBody)));
  drop_empty_loops(kernel);
  EXPECT_EQ(body_of(kernel), "");
}

TEST(DropUnitLoops, ALoopOfOneIterationIsItsBodyAndItsIndexIsZero) {
  Kernel kernel = lowered(function_text(
      "%x: memref<1x4x1xindex>",
      generic_text("d0, d1, d2", {"d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
                   "outs(%x : memref<1x4x1xindex>)",
                   "^bb0(%old: index): %i = linalg.index 0 : index %j = linalg.index 1 : index "
                   "%s = arith.addi %i, %j : index linalg.yield %s : index")));
  drop_unit_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d1 in 0..4 {
    %i = constant 0 : index
    %j = index d1
    %s = arith.addi %i, %j : index
    store %s, %x[d1]
  }
)");
}

TEST(MergeEqualSteps, EqualComputesAndReadsOfOneElementAreDoneOnce) {
  Kernel kernel = lowered(function_text(
      "%x: memref<4xf32>, %o: memref<4xf32>",
      generic_text(
          "d0", {"d0", "d0", "d0"}, R"("parallel")",
          "ins(%x, %x : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>)",
          "^bb0(%a: f32, %b: f32, %old: f32): %p = arith.mulf %a, %a : f32 "
          "%q = arith.mulf %b, %b : f32 %r = arith.addf %p, %q : f32 linalg.yield %r : f32")));
  merge_equal_steps(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0 in 0..4 {
    %a = load %x[d0]
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %p, %p : f32
    store %r, %o[d0]
  }
)");
}

TEST(MergeEqualSteps, OperandsInTheOtherOrderAreAnotherStep) {
  Kernel kernel = lowered(function_text(
      "%s: f32, %t: f32, %o: memref<f32>, %p: memref<f32>",
      generic_text(
          "", {"", ""}, "", "outs(%o, %p : memref<f32>, memref<f32>)",
          "^bb0(%a: f32, %b: f32): %u = arith.addf %s, %t : f32 %v = arith.addf %t, %s : f32 "
          "linalg.yield %u, %v : f32, f32")));
  merge_equal_steps(kernel);
  EXPECT_THAT(print(kernel), HasSubstr("%v = arith.addf %t, %s"));
}

TEST(MergeEqualSteps, WhatWasStoredIsNotLoaded) {
  Kernel kernel = lowered(function_text("%o: memref<f32>, %p: memref<f32>",
                                        "memref.copy %o, %p : memref<f32> to memref<f32>\n"
                                        "memref.copy %p, %o : memref<f32> to memref<f32>\n"));
  merge_equal_steps(kernel);
  EXPECT_EQ(body_of(kernel), R"(  %o_0 = load %o[0]
  store %o_0, %p[0]
  store %o_0, %o[0]
)");
}

TEST(MergeEqualSteps, AnElementOfABufferStoredToInBetweenIsReadAgain) {
  KernelBuilder b;
  const uint32_t x = b.argument(ElementType::F32, 2), y = b.argument(ElementType::F32, 2);
  const Reg before = b.load(x, {}, 0);
  b.store(before, x, {}, 1);
  b.store(b.load(x, {}, 0), y, {}, 0);
  Kernel kernel = b.finish();
  const std::string text = print(kernel);
  merge_equal_steps(kernel);
  EXPECT_EQ(print(kernel), text);
}

TEST(MergeEqualSteps, AnElementThatALoopMayStoreToIsReadAgain) {
  Kernel kernel = lowered(
      function_text("%o: memref<f32>, %p: memref<f32>, %x: memref<4xf32>",
                    "memref.copy %o, %p : memref<f32> to memref<f32>\n" +
                        generic_text("d0", {"d0", ""}, R"("reduction")",
                                     "ins(%x : memref<4xf32>) outs(%o : memref<f32>)", kAddBody) +
                        "memref.copy %o, %p : memref<f32> to memref<f32>\n"));
  merge_equal_steps(kernel);
  EXPECT_EQ(kernel.body.size(), 5u); // load, store, loop, load, store
}

TEST(MergeContiguousLoops, LoopsThatWalkMemoryAsOneAreOne) {
  Kernel kernel = lowered(function_text(
      "%x: memref<2x3x4xf32>, %o: memref<2x3x4xf32>",
      generic_text("d0, d1, d2", {"d0, d1, d2", "d0, d1, d2"},
                   R"("parallel", "parallel", "parallel")",
                   "ins(%x : memref<2x3x4xf32>) outs(%o : memref<2x3x4xf32>)", kCopyBody)));
  merge_contiguous_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0_d1_d2 in 0..24 {
    %in = load %x[d0_d1_d2]
    store %in, %o[d0_d1_d2]
  }
)");
}

TEST(MergeContiguousLoops, ABroadcastAlongTheInnerLoopsLeavesTheOuterOneAlone) {
  Kernel kernel = lowered(function_text(
      "%x: memref<2xf32>, %o: memref<2x3x4xf32>",
      generic_text("d0, d1, d2", {"d0", "d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
                   "ins(%x : memref<2xf32>) outs(%o : memref<2x3x4xf32>)", kCopyBody)));
  merge_contiguous_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0 in 0..2 {
    for d1_d2 in 0..12 {
      %in = load %x[d0]
      store %in, %o[12*d0 + d1_d2]
    }
  }
)");
}

TEST(MergeContiguousLoops, ALoopWhoseIndexIsAskedForStays) {
  Kernel kernel = lowered(function_text(
      "%o: memref<2x3x4xindex>",
      generic_text("d0, d1, d2", {"d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
                   "outs(%o : memref<2x3x4xindex>)",
                   "^bb0(%old: index): %i = linalg.index 2 : index linalg.yield %i : index")));
  merge_contiguous_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0_d1 in 0..6 {
    for d2 in 0..4 {
      %i = index d2
      store %i, %o[4*d0_d1 + d2]
    }
  }
)");
}

TEST(HoistInvariants, WhatDoesNotDependOnALoopIsDoneBeforeIt) {
  EXPECT_EQ(simplified(function_text(
                "%x: memref<4xf32>, %o: memref<4x8xf32>, %s: f32",
                generic_text("d0, d1", {"d0", "d0, d1"}, R"("parallel", "parallel")",
                             "ins(%x : memref<4xf32>) outs(%o : memref<4x8xf32>)",
                             "^bb0(%in: f32, %old: f32): %two = arith.constant 2.0 : f32 "
                             "%t = arith.divf %s, %two : f32 %u = arith.divf %in, %t : f32 "
                             "%v = arith.addf %u, %old : f32 linalg.yield %v : f32"))),
            R"(kernel @f(%x: 4 x f32, %o: 32 x f32, %s: f32) {
  %two = constant 2.000000e+00 : f32
  %t = arith.divf %s, %two : f32
  for d0 in 0..4 {
    %in = load %x[d0]
    %u = arith.divf %in, %t : f32
    for d1 in 0..8 vector {
      %old = load %o[8*d0 + d1]
      %v = arith.addf %u, %old : f32
      store %v, %o[8*d0 + d1]
    }
  }
}
)");
}

TEST(HoistInvariants, AReadOfABufferThatTheLoopWritesStays) {
  const std::string text = simplified(function_text(
      "%o: memref<8xf32>",
      generic_text(
          "d0", {"2", "d0"}, R"("parallel")", "ins(%o : memref<8xf32>) outs(%o : memref<8xf32>)",
          "^bb0(%in: f32, %old: f32): %s = arith.addf %in, %old : f32 linalg.yield %s : f32")));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..8 {\n    %in = load %o[2]"));
}

TEST(HoistInvariants, AReadIsNotMovedOutOfALoopThatDoesNotRun) {
  Kernel kernel = lowered(
      function_text("%x: memref<0xf32>, %o: memref<0x0xf32>",
                    generic_text("d0, d1", {"d0", "d0, d1"}, R"("parallel", "parallel")",
                                 "ins(%x : memref<0xf32>) outs(%o : memref<0x0xf32>)", kCopyBody)));
  hoist_invariants(kernel);
  EXPECT_THAT(print(kernel), HasSubstr("for d1 in 0..0 {\n      %in = load %x[d0]"));
}

TEST(RemoveDeadSteps, StepsThatOnlyEachOtherReadGoTogether) {
  Kernel kernel =
      lowered(function_text("%x: memref<4xf32>, %o: memref<4xf32>, %s: f32",
                            generic_text("d0", {"d0", "d0"}, R"("parallel")",
                                         "ins(%x : memref<4xf32>) outs(%o : memref<4xf32>)",
                                         "^bb0(%in: f32, %old: f32): %a = arith.addf %in, %s : f32 "
                                         "%b = arith.mulf %a, %a : f32 linalg.yield %s : f32")));
  remove_dead_steps(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0 in 0..4 {
    store %s, %o[d0]
  }
)");
}

TEST(MarkVectorizable, AnInPlaceUpdateOfTheSameElementIsParallel) {
  EXPECT_THAT(
      simplified(function_text(
          "%o: memref<8xf32>",
          generic_text(
              "d0", {"d0", "d0"}, R"("parallel")",
              "ins(%o : memref<8xf32>) outs(%o : memref<8xf32>)",
              "^bb0(%in: f32, %old: f32): %n = arith.negf %in : f32 linalg.yield %n : f32"))),
      HasSubstr("for d0 in 0..8 vector {"));
}

TEST(MarkVectorizable, AShiftOfABufferOntoItselfIsNot) {
  EXPECT_THAT(
      simplified(function_text(
          "%o: memref<10xf32>, %x: memref<8xf32>",
          generic_text("d0", {"d0", "d0 + 1", "d0 + 2"}, R"("parallel")",
                       "ins(%x, %o : memref<8xf32>, memref<10xf32>) outs(%o : memref<10xf32>)",
                       "^bb0(%a: f32, %in: f32, %old: f32): %s = arith.addf %a, %in : f32 "
                       "linalg.yield %s : f32"))),
      Not(HasSubstr("vector")));
}

TEST(MarkVectorizable, StoresThatInterleaveAreParallel) {
  EXPECT_THAT(
      simplified(function_text(
          "%x: memref<8xf32>, %o: memref<16xf32>",
          generic_text("d0", {"d0", "d0 * 2", "d0 * 2 + 1"}, R"("parallel")",
                       "ins(%x : memref<8xf32>) outs(%o, %o : memref<16xf32>, memref<16xf32>)",
                       "^bb0(%in: f32, %p: f32, %q: f32): %n = arith.negf %in : f32 "
                       "linalg.yield %in, %n : f32, f32"))),
      HasSubstr("vector"));
}

TEST(MarkVectorizable, AStoreThatEveryIterationRepeatsKeepsTheLastOne) {
  EXPECT_THAT(simplified(function_text(
                  "%x: memref<8xf32>, %o: memref<f32>",
                  generic_text("d0", {"d0", ""}, R"("reduction")",
                               "ins(%x : memref<8xf32>) outs(%o : memref<f32>)", kCopyBody))),
              HasSubstr("for d0 in 0..8 {"));
}

TEST(Simplify, TenThousandStepsInOneBody) {
  std::string body = "^bb0(%in: f32, %old: f32):\n";
  for (int i = 0; i < 10000; ++i)
    body +=
        fmt::format("%v{} = arith.addf {}, %in : f32\n", i, i ? fmt::format("%v{}", i - 1) : "%in");
  body += "linalg.yield %v9999 : f32";
  Kernel kernel = lowered(
      function_text("%x: memref<4x4xf32>, %o: memref<4x4xf32>",
                    generic_text("d0, d1", {"d0, d1", "d0, d1"}, R"("parallel", "parallel")",
                                 "ins(%x : memref<4x4xf32>) outs(%o : memref<4x4xf32>)", body)));
  simplify(kernel);
  ASSERT_EQ(kernel.body.size(), 1u);
  EXPECT_EQ(kernel.body[0].as<Loop>()->body.size(), 10002u);
}

} // namespace
} // namespace mo

// Each step of the simplification: what it does, and where it must not.
#include "codegen/simplify.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A generic on buffers, from its parts. `maps`: the right-hand sides, in order of ins and outs.
std::string generic(std::string_view dims, const std::vector<std::string>& maps,
                    std::string_view iterators, std::string_view operands, std::string_view body) {
  std::string all;
  for (const std::string& map : maps)
    all += fmt::format("{}affine_map<({}) -> ({})>", all.empty() ? "" : ", ", dims, map);
  return fmt::format("linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {} {{ {} }}\n",
                     all, iterators, operands, body);
}

std::string function(std::string_view arguments, std::string_view body) {
  return fmt::format("func.func @f({}) {{\n{}return\n}}", arguments, body);
}

Kernel lowered(const std::string& text) {
  return lower_to_loops(testing::parse_function(text));
}

std::string simplified(const std::string& text) {
  Kernel kernel = lowered(text);
  simplify(kernel);
  return print(kernel);
}

/// The text between the braces of the kernel.
std::string body_of(const Kernel& kernel) {
  const std::string text = print(kernel);
  const size_t begin = text.find('\n') + 1;
  return text.substr(begin, text.rfind('}') - begin);
}

const std::string kAdd =
    "^bb0(%in: f32, %acc: f32): %s = arith.addf %acc, %in : f32 linalg.yield %s : f32";
const std::string kCopy = "^bb0(%in: f32, %old: f32): linalg.yield %in : f32";

TEST(DropEmptyLoops, ALoopWithoutIterationsGoesWithAllAroundIt) {
  Kernel kernel =
      lowered(function("%x: memref<3x0xf32>, %o: memref<3x0xf32>",
                       generic("d0, d1", {"d0, d1", "d0, d1"}, R"("parallel", "parallel")",
                               "ins(%x : memref<3x0xf32>) outs(%o : memref<3x0xf32>)", kCopy)));
  drop_empty_loops(kernel);
  EXPECT_EQ(body_of(kernel), "");
}

TEST(DropUnitLoops, ALoopOfOneIterationIsItsBodyAndItsIndexIsZero) {
  Kernel kernel = lowered(
      function("%x: memref<1x4x1xindex>",
               generic("d0, d1, d2", {"d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
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
  Kernel kernel = lowered(function(
      "%x: memref<4xf32>, %o: memref<4xf32>",
      generic("d0", {"d0", "d0", "d0"}, R"("parallel")",
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
  Kernel kernel = lowered(function(
      "%s: f32, %t: f32, %o: memref<f32>, %p: memref<f32>",
      generic("", {"", ""}, "", "outs(%o, %p : memref<f32>, memref<f32>)",
              "^bb0(%a: f32, %b: f32): %u = arith.addf %s, %t : f32 %v = arith.addf %t, %s : f32 "
              "linalg.yield %u, %v : f32, f32")));
  merge_equal_steps(kernel);
  EXPECT_THAT(print(kernel), HasSubstr("%v = arith.addf %t, %s"));
}

TEST(MergeEqualSteps, AnElementStoredToInBetweenIsReadAgain) {
  Kernel kernel = lowered(function("%o: memref<f32>, %p: memref<f32>",
                                   "memref.copy %o, %p : memref<f32> to memref<f32>\n"
                                   "memref.copy %p, %o : memref<f32> to memref<f32>\n"
                                   "memref.copy %o, %p : memref<f32> to memref<f32>\n"));
  merge_equal_steps(kernel);
  EXPECT_EQ(body_of(kernel), R"(  %o_0 = load %o[0]
  store %o_0, %p[0]
  %p_0 = load %p[0]
  store %p_0, %o[0]
  %o_1 = load %o[0]
  store %o_1, %p[0]
)");
}

TEST(MergeEqualSteps, AnElementThatALoopMayStoreToIsReadAgain) {
  Kernel kernel =
      lowered(function("%o: memref<f32>, %p: memref<f32>, %x: memref<4xf32>",
                       "memref.copy %o, %p : memref<f32> to memref<f32>\n" +
                           generic("d0", {"d0", ""}, R"("reduction")",
                                   "ins(%x : memref<4xf32>) outs(%o : memref<f32>)", kAdd) +
                           "memref.copy %o, %p : memref<f32> to memref<f32>\n"));
  merge_equal_steps(kernel);
  EXPECT_EQ(kernel.body.size(), 5u); // load, store, loop, load, store
}

TEST(OrderLoops, TheLoopThatStoresNeighboursIsInnermost) {
  Kernel kernel =
      lowered(function("%x: memref<4x8xf32>, %o: memref<8x4xf32>",
                       generic("d0, d1", {"d0, d1", "d1, d0"}, R"("parallel", "parallel")",
                               "ins(%x : memref<4x8xf32>) outs(%o : memref<8x4xf32>)", kCopy)));
  order_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d1 in 0..8 {
    for d0 in 0..4 {
      %in = load %x[d1 + 8*d0]
      store %in, %o[4*d1 + d0]
    }
  }
)");
}

TEST(OrderLoops, AnIndexFollowsItsLoop) {
  Kernel kernel = lowered(function(
      "%o: memref<8x4xindex>",
      generic("d0, d1", {"d1, d0"}, R"("parallel", "parallel")", "outs(%o : memref<8x4xindex>)",
              "^bb0(%old: index): %i = linalg.index 0 : index linalg.yield %i : index")));
  order_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d1 in 0..8 {
    for d0 in 0..4 {
      %i = index d0
      store %i, %o[4*d1 + d0]
    }
  }
)");
}

TEST(OrderLoops, AColumnSumWalksTheRows) {
  EXPECT_EQ(
      simplified(function("%x: memref<64x32xf32>, %o: memref<32xf32>",
                          generic("d0, d1", {"d1, d0", "d0"}, R"("parallel", "reduction")",
                                  "ins(%x : memref<64x32xf32>) outs(%o : memref<32xf32>)", kAdd))),
      R"(kernel @f(%x: 2048 x f32, %o: 32 x f32) {
  for d1 in 0..64 {
    for d0 in 0..32 vector {
      %in = load %x[32*d1 + d0]
      %acc = load %o[d0]
      %s = arith.addf %acc, %in : f32
      store %s, %o[d0]
    }
  }
}
)");
}

TEST(OrderLoops, LoopsThatAProductIsTakenOverKeepTheirOrder) {
  const auto nest = [](std::string_view op) {
    return function("%x: memref<8x4xf32>, %o: memref<f32>",
                    generic("d0, d1", {"d1, d0", ""}, R"("reduction", "reduction")",
                            "ins(%x : memref<8x4xf32>) outs(%o : memref<f32>)",
                            fmt::format("^bb0(%in: f32, %acc: f32): %s = arith.{} %acc, %in : f32 "
                                        "linalg.yield %s : f32",
                                        op)));
  };
  EXPECT_THAT(simplified(nest("mulf")), HasSubstr("for d0 in 0..4"));
  EXPECT_THAT(simplified(nest("addf")), HasSubstr("for d1_d0 in 0..32"));
}

TEST(OrderLoops, AParallelLoopMovesPastLoopsThatKeepTheirOrder) {
  EXPECT_EQ(
      simplified(function("%x: memref<6x5x4xf32>, %o: memref<4xf32>",
                          generic("d0, d1, d2", {"d2, d1, d0", "d0"},
                                  R"("parallel", "reduction", "reduction")",
                                  "ins(%x : memref<6x5x4xf32>) outs(%o : memref<4xf32>)",
                                  "^bb0(%in: f32, %acc: f32): %s = arith.mulf %acc, %in : f32 "
                                  "linalg.yield %s : f32"))),
      R"(kernel @f(%x: 120 x f32, %o: 4 x f32) {
  for d1 in 0..5 {
    for d2 in 0..6 {
      for d0 in 0..4 vector {
        %in = load %x[4*d1 + 20*d2 + d0]
        %acc = load %o[d0]
        %s = arith.mulf %acc, %in : f32
        store %s, %o[d0]
      }
    }
  }
}
)");
}

TEST(OrderLoops, AStoreThatTwoPointsMeetInFixesTheOrder) {
  const std::string text =
      simplified(function("%x: memref<4x8xf32>, %o: memref<11xf32>",
                          generic("d0, d1", {"d0, d1", "d0 + d1"}, R"("parallel", "parallel")",
                                  "ins(%x : memref<4x8xf32>) outs(%o : memref<11xf32>)", kCopy)));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..4 {\n    for d1 in 0..8 vector {"));
}

TEST(OrderLoops, ABufferReadAndWrittenAtDifferentPlacesFixesTheOrder) {
  EXPECT_EQ(
      simplified(function("%o: memref<4x4xf32>",
                          generic("d0, d1", {"d0, d1", "d1, d0"}, R"("parallel", "parallel")",
                                  "ins(%o : memref<4x4xf32>) outs(%o : memref<4x4xf32>)", kCopy))),
      R"(kernel @f(%o: 16 x f32) {
  for d0 in 0..4 {
    for d1 in 0..4 {
      %in = load %o[4*d0 + d1]
      store %in, %o[d0 + 4*d1]
    }
  }
}
)");
}

TEST(MergeContiguousLoops, LoopsThatWalkMemoryAsOneAreOne) {
  Kernel kernel = lowered(function(
      "%x: memref<2x3x4xf32>, %o: memref<2x3x4xf32>",
      generic("d0, d1, d2", {"d0, d1, d2", "d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
              "ins(%x : memref<2x3x4xf32>) outs(%o : memref<2x3x4xf32>)", kCopy)));
  merge_contiguous_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d0_d1_d2 in 0..24 {
    %in = load %x[d0_d1_d2]
    store %in, %o[d0_d1_d2]
  }
)");
}

TEST(MergeContiguousLoops, ABroadcastAlongTheInnerLoopsLeavesTheOuterOneAlone) {
  Kernel kernel = lowered(
      function("%x: memref<2xf32>, %o: memref<2x3x4xf32>",
               generic("d0, d1, d2", {"d0", "d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
                       "ins(%x : memref<2xf32>) outs(%o : memref<2x3x4xf32>)", kCopy)));
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
  Kernel kernel = lowered(
      function("%o: memref<2x3x4xindex>",
               generic("d0, d1, d2", {"d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
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

TEST(CarryInRegisters, ARowSumIsKeptInARegister) {
  Kernel kernel =
      lowered(function("%x: memref<4x8xf32>, %o: memref<4xf32>",
                       generic("d0, d1", {"d0, d1", "d0"}, R"("parallel", "reduction")",
                               "ins(%x : memref<4x8xf32>) outs(%o : memref<4xf32>)", kAdd)));
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
  EXPECT_EQ(simplified(function(
                "%x: memref<4x8xf32>, %y: memref<8xf32>, %o: memref<f32>",
                generic("d0, d1", {"d0, d1", "d1", ""}, R"("reduction", "reduction")",
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
  EXPECT_EQ(simplified(function(
                "%x: memref<8xf32>, %o: memref<f32>, %p: memref<8xf32>",
                generic("d0", {"d0", "", "d0"}, R"("reduction")",
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
  const std::string text = simplified(
      function("%x: memref<8xf32>, %o: memref<f32>, %p: memref<8xf32>",
               generic("d0", {"d0", "", "d0"}, R"("reduction")",
                       "ins(%x : memref<8xf32>) outs(%o, %p : memref<f32>, memref<8xf32>)",
                       "^bb0(%in: f32, %acc: f32, %old: f32): %s = arith.addf %in, %acc : f32 "
                       "linalg.yield %s, %s : f32, f32")));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..8 carrying (%acc = %acc_init) {"));
}

TEST(CarryInRegisters, ASumOfWhatItHoldsIsTakenInOrder) {
  const std::string text = simplified(function(
      "%x: memref<8xf32>, %o: memref<f32>",
      generic("d0", {"d0", ""}, R"("reduction")", "ins(%x : memref<8xf32>) outs(%o : memref<f32>)",
              "^bb0(%in: f32, %acc: f32): %d = arith.mulf %acc, %in : f32 "
              "%s = arith.addf %d, %acc : f32 linalg.yield %s : f32")));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..8 carrying (%acc = %acc_init) {"));
}

TEST(CarryInRegisters, EveryOpWhoseOrderIsFreeIsRecognisedAndNoOther) {
  const auto loop_of = [](std::string_view op, std::string_view type) {
    return simplified(
        function(fmt::format("%x: memref<8x{0}>, %o: memref<{0}>", type),
                 generic("d0", {"d0", ""}, R"("reduction")",
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
  EXPECT_EQ(
      simplified(function("%o: memref<8xf32>",
                          generic("d0", {"d0", "0"}, R"("reduction")",
                                  "ins(%o : memref<8xf32>) outs(%o : memref<8xf32>)", kCopy))),
      R"(kernel @f(%o: 8 x f32) {
  for d0 in 0..8 {
    %in = load %o[d0]
    store %in, %o[0]
  }
}
)");
}

TEST(HoistInvariants, WhatDoesNotDependOnALoopIsDoneBeforeIt) {
  EXPECT_EQ(
      simplified(function("%x: memref<4xf32>, %o: memref<4x8xf32>, %s: f32",
                          generic("d0, d1", {"d0", "d0, d1"}, R"("parallel", "parallel")",
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
  const std::string text = simplified(function(
      "%o: memref<8xf32>",
      generic("d0", {"2", "d0"}, R"("parallel")",
              "ins(%o : memref<8xf32>) outs(%o : memref<8xf32>)",
              "^bb0(%in: f32, %old: f32): %s = arith.addf %in, %old : f32 linalg.yield %s : f32")));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..8 {\n    %in = load %o[2]"));
}

TEST(HoistInvariants, AReadIsNotMovedOutOfALoopThatDoesNotRun) {
  Kernel kernel =
      lowered(function("%x: memref<0xf32>, %o: memref<0x0xf32>",
                       generic("d0, d1", {"d0", "d0, d1"}, R"("parallel", "parallel")",
                               "ins(%x : memref<0xf32>) outs(%o : memref<0x0xf32>)", kCopy)));
  hoist_invariants(kernel);
  EXPECT_THAT(print(kernel), HasSubstr("for d1 in 0..0 {\n      %in = load %x[d0]"));
}

TEST(RemoveDeadSteps, StepsThatOnlyEachOtherReadGoTogether) {
  Kernel kernel =
      lowered(function("%x: memref<4xf32>, %o: memref<4xf32>, %s: f32",
                       generic("d0", {"d0", "d0"}, R"("parallel")",
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
      simplified(function(
          "%o: memref<8xf32>",
          generic("d0", {"d0", "d0"}, R"("parallel")",
                  "ins(%o : memref<8xf32>) outs(%o : memref<8xf32>)",
                  "^bb0(%in: f32, %old: f32): %n = arith.negf %in : f32 linalg.yield %n : f32"))),
      HasSubstr("for d0 in 0..8 vector {"));
}

TEST(MarkVectorizable, AShiftOfABufferOntoItselfIsNot) {
  EXPECT_THAT(simplified(function(
                  "%o: memref<10xf32>, %x: memref<8xf32>",
                  generic("d0", {"d0", "d0 + 1", "d0 + 2"}, R"("parallel")",
                          "ins(%x, %o : memref<8xf32>, memref<10xf32>) outs(%o : memref<10xf32>)",
                          "^bb0(%a: f32, %in: f32, %old: f32): %s = arith.addf %a, %in : f32 "
                          "linalg.yield %s : f32"))),
              Not(HasSubstr("vector")));
}

TEST(MarkVectorizable, StoresThatInterleaveAreParallel) {
  EXPECT_THAT(simplified(function(
                  "%x: memref<8xf32>, %o: memref<16xf32>",
                  generic("d0", {"d0", "d0 * 2", "d0 * 2 + 1"}, R"("parallel")",
                          "ins(%x : memref<8xf32>) outs(%o, %o : memref<16xf32>, memref<16xf32>)",
                          "^bb0(%in: f32, %p: f32, %q: f32): %n = arith.negf %in : f32 "
                          "linalg.yield %in, %n : f32, f32"))),
              HasSubstr("vector"));
}

TEST(MarkVectorizable, AStoreThatEveryIterationRepeatsKeepsTheLastOne) {
  EXPECT_THAT(
      simplified(function("%x: memref<8xf32>, %o: memref<f32>",
                          generic("d0", {"d0", ""}, R"("reduction")",
                                  "ins(%x : memref<8xf32>) outs(%o : memref<f32>)", kCopy))),
      HasSubstr("for d0 in 0..8 {"));
}

TEST(Simplify, TenThousandStepsInOneBody) {
  std::string body = "^bb0(%in: f32, %old: f32):\n";
  for (int i = 0; i < 10000; ++i)
    body +=
        fmt::format("%v{} = arith.addf {}, %in : f32\n", i, i ? fmt::format("%v{}", i - 1) : "%in");
  body += "linalg.yield %v9999 : f32";
  Kernel kernel =
      lowered(function("%x: memref<4x4xf32>, %o: memref<4x4xf32>",
                       generic("d0, d1", {"d0, d1", "d0, d1"}, R"("parallel", "parallel")",
                               "ins(%x : memref<4x4xf32>) outs(%o : memref<4x4xf32>)", body)));
  simplify(kernel);
  ASSERT_EQ(kernel.body.size(), 1u);
  EXPECT_EQ(kernel.body[0].as<Loop>()->body.size(), 10002u);
}

} // namespace
} // namespace mo

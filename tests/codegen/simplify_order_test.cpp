// Which loop goes where in a nest.
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

TEST(OrderLoops, TheLoopThatStoresNeighboursIsInnermost) {
  Kernel kernel = lowered(function_text(
      "%x: memref<4x8xf32>, %o: memref<8x4xf32>",
      generic_text("d0, d1", {"d0, d1", "d1, d0"}, R"("parallel", "parallel")",
                   "ins(%x : memref<4x8xf32>) outs(%o : memref<8x4xf32>)", kCopyBody)));
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
  Kernel kernel = lowered(function_text(
      "%o: memref<8x4xindex>",
      generic_text("d0, d1", {"d1, d0"}, R"("parallel", "parallel")",
                   "outs(%o : memref<8x4xindex>)",
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
  Kernel kernel = lowered(function_text(
      "%x: memref<64x32xf32>, %o: memref<32xf32>",
      generic_text("d0, d1", {"d1, d0", "d0"}, R"("parallel", "reduction")",
                   "ins(%x : memref<64x32xf32>) outs(%o : memref<32xf32>)", kAddBody)));
  order_loops(kernel);
  EXPECT_EQ(body_of(kernel), R"(  for d1 in 0..64 {
    for d0 in 0..32 {
      %in = load %x[32*d1 + d0]
      %acc = load %o[d0]
      %s = arith.addf %acc, %in : f32
      store %s, %o[d0]
    }
  }
)");
}

TEST(OrderLoops, LoopsThatAProductIsTakenOverKeepTheirOrder) {
  const auto nest = [](std::string_view op) {
    return function_text(
        "%x: memref<8x4xf32>, %o: memref<f32>",
        generic_text("d0, d1", {"d1, d0", ""}, R"("reduction", "reduction")",
                     "ins(%x : memref<8x4xf32>) outs(%o : memref<f32>)",
                     fmt::format("^bb0(%in: f32, %acc: f32): %s = arith.{} %acc, %in : f32 "
                                 "linalg.yield %s : f32",
                                 op)));
  };
  EXPECT_THAT(simplified(nest("mulf")), HasSubstr("for d0 in 0..4"));
  EXPECT_THAT(simplified(nest("addf")), HasSubstr("for d1_d0 in 0..32"));
}

TEST(OrderLoops, AParallelLoopMovesPastLoopsThatKeepTheirOrder) {
  EXPECT_EQ(simplified(function_text(
                "%x: memref<6x5x4xf32>, %o: memref<4xf32>",
                generic_text("d0, d1, d2", {"d2, d1, d0", "d0"},
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
  const std::string text = simplified(function_text(
      "%x: memref<4x8xf32>, %o: memref<11xf32>",
      generic_text("d0, d1", {"d0, d1", "d0 + d1"}, R"("parallel", "parallel")",
                   "ins(%x : memref<4x8xf32>) outs(%o : memref<11xf32>)", kCopyBody)));
  EXPECT_THAT(text, HasSubstr("for d0 in 0..4 {\n    for d1 in 0..8 vector {"));
}

TEST(OrderLoops, ABufferReadAndWrittenAtDifferentPlacesFixesTheOrder) {
  EXPECT_EQ(simplified(function_text(
                "%o: memref<4x4xf32>",
                generic_text("d0, d1", {"d0, d1", "d1, d0"}, R"("parallel", "parallel")",
                             "ins(%o : memref<4x4xf32>) outs(%o : memref<4x4xf32>)", kCopyBody))),
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

} // namespace
} // namespace mo

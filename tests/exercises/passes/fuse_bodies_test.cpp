// Exercise: the producer's body moves into the consumer.
#include "tests/exercises/cases.h"
#include "tests/exercises/passes/edges.h"

namespace mo::exercise {
namespace {

struct Fusion {
  std::string before;
  unsigned operand = 0;
  AffineMap loops;
  std::vector<unsigned> kept = {};
  const char* expected;
};

void expect_fused(const char* rule, const Fusion& c) {
  Function function = function_from(c.before);
  FusionPlan plan = plan_of(function, c.operand, c.loops);
  plan.kept_results = c.kept;
  apply_fusion(function, plan);
  expect_case(rule, c.before, c.expected, print(function, plan.consumer));
}

const char* const kRow = "affine_map<(d0) -> (d0)>";

TEST(FuseBodies, TheProducersInstructionsComeFirst) {
  const std::string row = kRow;
  expect_fused(
      "the fused body is the producer's instructions, then the consumer's; what the producer "
      "yields takes the place of the consumer's block argument",
      {.before = "func.func @f(%a: tensor<8xf32>, %e: tensor<8xf32>, %s: f32) -> tensor<8xf32> {\n"
                 "  %0 = linalg.generic {indexing_maps = [" +
                 row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
                 "  ^bb0(%x: f32, %o: f32):\n"
                 "    %m = arith.mulf %x, %s : f32\n"
                 "    linalg.yield %m : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  %1 = linalg.generic {indexing_maps = [" +
                 row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
                 "  ^bb0(%y: f32, %p: f32):\n"
                 "    %q = arith.mulf %y, %y : f32\n"
                 "    %r = arith.addf %q, %y : f32\n"
                 "    linalg.yield %r : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  return %1 : tensor<8xf32>\n}",
       .loops = AffineMap::identity(1),
       .expected =
           "%1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
           "(d0)>], iterator_types = [\"parallel\"]} ins(%a : tensor<8xf32>) outs(%e : "
           "tensor<8xf32>) {\n"
           "^bb0(%x: f32, %p: f32):\n"
           "  %m = arith.mulf %x, %s : f32\n"
           "  %q = arith.mulf %m, %m : f32\n"
           "  %r = arith.addf %q, %m : f32\n"
           "  linalg.yield %r : f32\n"
           "} -> tensor<8xf32>"});
}

TEST(FuseBodies, TheProducersInputsStandWhereTheOperandStood) {
  const std::string row = kRow;
  expect_fused(
      "inputs, maps and block arguments: the consumer's before the operand, the producer's, the "
      "consumer's after it; then the inits",
      {.before = "func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: "
                 "tensor<8xf32>,\n    %e: tensor<8xf32>) -> tensor<8xf32> {\n"
                 "  %0 = linalg.generic {indexing_maps = [" +
                 row + ", " + row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
                 "  ^bb0(%xa: f32, %xb: f32, %o: f32):\n"
                 "    %m = arith.mulf %xa, %xb : f32\n"
                 "    linalg.yield %m : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  %1 = linalg.generic {indexing_maps = [" +
                 row + ", " + row + ", " + row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%c, %0, %d : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : "
                 "tensor<8xf32>) {\n"
                 "  ^bb0(%xc: f32, %y: f32, %xd: f32, %p: f32):\n"
                 "    %q = arith.subf %xc, %y : f32\n"
                 "    %r = arith.subf %q, %xd : f32\n"
                 "    linalg.yield %r : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  return %1 : tensor<8xf32>\n}",
       .operand = 1,
       .loops = AffineMap::identity(1),
       .expected =
           "%1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
           "(d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
           "iterator_types = [\"parallel\"]} ins(%c, %a, %b, %d : tensor<8xf32>, tensor<8xf32>, "
           "tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
           "^bb0(%xc: f32, %xa: f32, %xb: f32, %xd: f32, %p: f32):\n"
           "  %m = arith.mulf %xa, %xb : f32\n"
           "  %q = arith.subf %xc, %m : f32\n"
           "  %r = arith.subf %q, %xd : f32\n"
           "  linalg.yield %r : f32\n"
           "} -> tensor<8xf32>"});
}

TEST(FuseBodies, TheLoopsAreTheConsumers) {
  expect_fused(
      "iterators and inits are the consumer's; the producer's maps go through the consumer's loops",
      {.before = "func.func @f(%a: tensor<4xf32>, %e: tensor<4xf32>, %b: tensor<8x4xf32>, %d: "
                 "tensor<8xf32>) -> tensor<8xf32> {\n"
                 "  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, "
                 "affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]}\n"
                 "      ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {\n"
                 "  ^bb0(%x: f32, %o: f32):\n"
                 "    %m = arith.negf %x : f32\n"
                 "    linalg.yield %m : f32\n"
                 "  } -> tensor<4xf32>\n"
                 "  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, "
                 "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types "
                 "= [\"parallel\", \"reduction\"]}\n"
                 "      ins(%0, %b : tensor<4xf32>, tensor<8x4xf32>) outs(%d : tensor<8xf32>) {\n"
                 "  ^bb0(%y: f32, %z: f32, %p: f32):\n"
                 "    %q = arith.mulf %y, %z : f32\n"
                 "    %r = arith.addf %p, %q : f32\n"
                 "    linalg.yield %r : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  return %1 : tensor<8xf32>\n}",
       .loops = AffineMap::select(2, std::vector<unsigned>{1}),
       .expected =
           "%1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, "
           "d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = [\"parallel\", "
           "\"reduction\"]} ins(%a, %b : tensor<4xf32>, tensor<8x4xf32>) outs(%d : tensor<8xf32>) "
           "{\n"
           "^bb0(%x: f32, %z: f32, %p: f32):\n"
           "  %m = arith.negf %x : f32\n"
           "  %q = arith.mulf %m, %z : f32\n"
           "  %r = arith.addf %p, %q : f32\n"
           "  linalg.yield %r : f32\n"
           "} -> tensor<8xf32>"});
}

TEST(FuseBodies, AYieldedBlockArgumentIsReplacedToo) {
  const std::string row = kRow;
  expect_fused(
      "the block argument is replaced wherever it is named: in operands and in yields",
      {.before = "func.func @f(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {\n"
                 "  %0 = linalg.generic {indexing_maps = [" +
                 row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
                 "  ^bb0(%x: f32, %o: f32):\n"
                 "    %m = math.exp %x : f32\n"
                 "    linalg.yield %m : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  %1 = linalg.generic {indexing_maps = [" +
                 row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
                 "  ^bb0(%y: f32, %p: f32):\n"
                 "    linalg.yield %y : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  return %1 : tensor<8xf32>\n}",
       .loops = AffineMap::identity(1),
       .expected =
           "%1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
           "(d0)>], iterator_types = [\"parallel\"]} ins(%a : tensor<8xf32>) outs(%e : "
           "tensor<8xf32>) {\n"
           "^bb0(%x: f32, %p: f32):\n"
           "  %m = math.exp %x : f32\n"
           "  linalg.yield %m : f32\n"
           "} -> tensor<8xf32>"});
}

TEST(FuseBodies, ResultsThatTheProducerKeepsComeBeforeTheConsumers) {
  const std::string row = kRow;
  expect_fused(
      "kept results of the producer (--fuse=mlir) come first among the inits, block arguments, "
      "yields and results, with their maps between the inputs' and the consumer's inits'",
      {.before = "func.func @f(%a: tensor<8xf32>, %e: tensor<8xf32>, %g: tensor<8xf32>) -> "
                 "(tensor<8xf32>, tensor<8xf32>) {\n"
                 "  %0:2 = linalg.generic {indexing_maps = [" +
                 row + ", " + row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%a : tensor<8xf32>) outs(%e, %g : tensor<8xf32>, tensor<8xf32>) {\n"
                 "  ^bb0(%x: f32, %o: f32, %u: f32):\n"
                 "    %m = arith.negf %x : f32\n"
                 "    %n = arith.addf %u, %x : f32\n"
                 "    linalg.yield %m, %n : f32, f32\n"
                 "  } -> (tensor<8xf32>, tensor<8xf32>)\n"
                 "  %1 = linalg.generic {indexing_maps = [" +
                 row + ", " + row +
                 "], iterator_types = [\"parallel\"]}\n"
                 "      ins(%0#0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
                 "  ^bb0(%y: f32, %p: f32):\n"
                 "    %r = arith.mulf %y, %y : f32\n"
                 "    linalg.yield %r : f32\n"
                 "  } -> tensor<8xf32>\n"
                 "  return %0#1, %1 : tensor<8xf32>, tensor<8xf32>\n}",
       .loops = AffineMap::identity(1),
       .kept = {1},
       .expected =
           "%1:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> "
           "(d0)>, affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} ins(%a : "
           "tensor<8xf32>) outs(%g, %e : tensor<8xf32>, tensor<8xf32>) {\n"
           "^bb0(%x: f32, %u: f32, %p: f32):\n"
           "  %m = arith.negf %x : f32\n"
           "  %n = arith.addf %u, %x : f32\n"
           "  %r = arith.mulf %m, %m : f32\n"
           "  linalg.yield %n, %r : f32, f32\n"
           "} -> (tensor<8xf32>, tensor<8xf32>)"});
}

} // namespace
} // namespace mo::exercise

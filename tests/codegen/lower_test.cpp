// Buffer-level IR to loops: exact loops for each op, and the meaning against the interpreter.
#include <gtest/gtest.h>

#include "codegen/check_loops.h"
#include "codegen/simplify.h"
#include "tests/codegen/loops_support.h"
#include "tests/codegen/random_generic.h"

namespace mo {
namespace {

std::string lowered(std::string_view text) {
  return print(lower_to_loops(testing::parse_function(text)));
}

TEST(Lower, AGenericIsANestWithAllReadsBeforeItsBodyAndAllWritesAfter) {
  EXPECT_EQ(lowered(R"(
    func.func @f(%x: memref<4x8xf32>, %o: memref<8x4xf32>, %s: f32) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>],
                      iterator_types = ["parallel", "parallel"]}
          ins(%x : memref<4x8xf32>) outs(%o : memref<8x4xf32>) {
      ^bb0(%in: f32, %old: f32):
        %m = arith.mulf %in, %s : f32
        %a = arith.addf %m, %old : f32
        linalg.yield %a : f32
      }
      return
    })"),
            R"(kernel @f(%x: 32 x f32, %o: 32 x f32, %s: f32) {
  for d0 in 0..4 {
    for d1 in 0..8 {
      %in = load %x[8*d0 + d1]
      %old = load %o[d0 + 4*d1]
      %m = arith.mulf %in, %s : f32
      %a = arith.addf %m, %old : f32
      store %a, %o[d0 + 4*d1]
    }
  }
}
)");
}

TEST(Lower, SumsFactorsAndConstantsOfAMapBecomeStridesAndAnOffset) {
  EXPECT_EQ(lowered(R"(
    func.func @f(%x: memref<9x20xi32>, %o: memref<4x5xi32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 2 + 1, d0 + d1 * 3 + 2)>,
                                       affine_map<(d0, d1) -> (d0, d1)>],
                      iterator_types = ["parallel", "parallel"]}
          ins(%x : memref<9x20xi32>) outs(%o : memref<4x5xi32>) {
      ^bb0(%in: i32, %old: i32):
        linalg.yield %in : i32
      }
      return
    })"),
            R"(kernel @f(%x: 180 x i32, %o: 20 x i32) {
  for d0 in 0..4 {
    for d1 in 0..5 {
      %in = load %x[41*d0 + 3*d1 + 22]
      store %in, %o[5*d0 + d1]
    }
  }
}
)");
}

TEST(Lower, AnOperandThatTheBodyDoesNotNameIsNotRead) {
  EXPECT_EQ(lowered(R"(
    func.func @f(%x: memref<4xf32>, %o: memref<4xindex>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]}
          ins(%x : memref<4xf32>) outs(%o : memref<4xindex>) {
      ^bb0(%in: f32, %old: index):
        %i = linalg.index 0 : index
        linalg.yield %i : index
      }
      return
    })"),
            R"(kernel @f(%x: 4 x f32, %o: 4 x index) {
  for d0 in 0..4 {
    %i = index d0
    store %i, %o[d0]
  }
}
)");
}

TEST(Lower, AScalarOperandIsTheRegisterThatHoldsIt) {
  EXPECT_EQ(lowered(R"(
    func.func @f(%s: f64, %o: memref<3xf64>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]}
          ins(%s : f64) outs(%o : memref<3xf64>) {
      ^bb0(%in: f64, %old: f64):
        %n = arith.negf %in : f64
        linalg.yield %n : f64
      }
      return
    })"),
            R"(kernel @f(%s: f64, %o: 3 x f64) {
  for d0 in 0..3 {
    %n = arith.negf %s : f64
    store %n, %o[d0]
  }
}
)");
}

TEST(Lower, FillAndCopyAreOneLoopOverAllElements) {
  EXPECT_EQ(lowered(R"(
    func.func @f(%o: memref<4x5xi1>, %p: memref<4x5xi1>) {
      %t = arith.constant true
      linalg.fill ins(%t : i1) outs(%o : memref<4x5xi1>)
      memref.copy %o, %p : memref<4x5xi1> to memref<4x5xi1>
      return
    })"),
            R"(kernel @f(%o: 20 x i1, %p: 20 x i1) {
  %t = constant true
  for d0 in 0..20 {
    store %t, %o[d0]
  }
  for d0 in 0..20 {
    %o_0 = load %o[d0]
    store %o_0, %p[d0]
  }
}
)");
}

TEST(Lower, RankZeroNeedsNoLoops) {
  EXPECT_EQ(lowered(R"(
    func.func @f(%x: memref<f32>, %o: memref<f32>, %p: memref<f32>) {
      linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
          ins(%x : memref<f32>) outs(%o : memref<f32>) {
      ^bb0(%in: f32, %old: f32):
        %a = arith.addf %in, %old : f32
        linalg.yield %a : f32
      }
      memref.copy %o, %p : memref<f32> to memref<f32>
      return
    })"),
            R"(kernel @f(%x: 1 x f32, %o: 1 x f32, %p: 1 x f32) {
  %in = load %x[0]
  %old = load %o[0]
  %a = arith.addf %in, %old : f32
  store %a, %o[0]
  %o_0 = load %o[0]
  store %o_0, %p[0]
}
)");
}

TEST(Lower, AllocationsAndScalarArithmeticStayBetweenTheNests) {
  EXPECT_EQ(lowered(R"(
    func.func @f(%o: memref<4xf32>, %s: f32) {
      %two = arith.constant 2.0 : f32
      %d = arith.mulf %s, %two : f32
      %t = memref.alloc() {alignment = 128 : i64} : memref<4xf32>
      linalg.fill ins(%d : f32) outs(%t : memref<4xf32>)
      memref.copy %t, %o : memref<4xf32> to memref<4xf32>
      memref.dealloc %t : memref<4xf32>
      return
    })"),
            R"(kernel @f(%o: 4 x f32, %s: f32) {
  %two = constant 2.000000e+00 : f32
  %d = arith.mulf %s, %two : f32
  %t = alloc 4 x f32 align 128
  for d0 in 0..4 {
    store %d, %t[d0]
  }
  for d0 in 0..4 {
    %t_0 = load %t[d0]
    store %t_0, %o[d0]
  }
  free %t
}
)");
}

/// o = constant, elementwise, with a constant buffer that no text can name.
Function function_with_dense(DenseOp dense) {
  Function f = testing::parse_function(R"(
    func.func @f(%c: memref<2xf32>, %o: memref<2xf32>) {
      memref.copy %c, %o : memref<2xf32> to memref<2xf32>
      return
    })");
  Op constant;
  constant.kind = std::move(dense);
  constant.results = {f.args[0].value};
  f.ops.insert(f.ops.begin(), std::move(constant));
  f.args.erase(f.args.begin());
  return f;
}

TEST(Lower, AConstantBufferIsDataOfTheKernel) {
  EXPECT_EQ(print(lower_to_loops(function_with_dense({false, {0x3F800000, 0x40000000}}))),
            R"(kernel @f(%o: 2 x f32) {
  %c = data 2 x f32 [1.000000e+00, 2.000000e+00]
  for d0 in 0..2 {
    %c_0 = load %c[d0]
    store %c_0, %o[d0]
  }
}
)");
}

TEST(Lower, ASplatIsAConstantAndNotRead) {
  EXPECT_EQ(print(lower_to_loops(function_with_dense({true, {0x3F800000}}))),
            R"(kernel @f(%o: 2 x f32) {
  %c = data 2 x f32 splat [1.000000e+00]
  for d0 in 0..2 {
    %c_0 = constant 1.000000e+00 : f32
    store %c_0, %o[d0]
  }
}
)");
}

TEST(Lower, ALoopOfExtentZeroStaysAndDoesNotRun) {
  const Function function = testing::parse_function(R"(
    func.func @f(%x: memref<3x0xi32>, %o: memref<3xi32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                      iterator_types = ["parallel", "reduction"]}
          ins(%x : memref<3x0xi32>) outs(%o : memref<3xi32>) {
      ^bb0(%in: i32, %old: i32):
        linalg.yield %in : i32
      }
      return
    })");
  const testing::LoopArguments before = {{}, {7, 8, 9}};
  EXPECT_EQ(testing::result_of(lower_to_loops(function), before), before);
}

TEST(Lower, MeansWhatTheInterpreterSaysForRandomGenerics) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const Function function = testing::random_generic(seed);
    if (!testing::is_valid(function))
      continue;
    const testing::LoopArguments before = testing::random_arguments(function, seed);
    const Kernel kernel = lower_to_loops(function);
    ASSERT_EQ(check(kernel), std::vector<std::string>{}) << "seed " << seed;
    ASSERT_EQ(testing::difference(testing::interpreted(function, before),
                                  testing::result_of(kernel, before), function),
              "")
        << "seed " << seed << "\n"
        << print(kernel);
  }
}

} // namespace
} // namespace mo

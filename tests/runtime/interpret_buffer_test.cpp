// What a program on buffers means, aliasing included, and what a run refuses.
#include "runtime/interpret.h"

#include <gtest/gtest.h>

#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;
using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

TEST(InterpretBuffers, AllocFillCopyAndDeallocWorkOnMemory) {
  auto args = make_args(array_of<float>({3}, {0, 0, 0}));
  auto results = results_of(R"(
    func.func @f(%out: memref<3xf32>) {
      %c = arith.constant 2.5 : f32
      %t = memref.alloc() {alignment = 64 : i64} : memref<3xf32>
      linalg.fill ins(%c : f32) outs(%t : memref<3xf32>)
      memref.copy %t, %out : memref<3xf32> to memref<3xf32>
      memref.dealloc %t : memref<3xf32>
      return
    })",
                            args);
  EXPECT_TRUE(results.empty());
  EXPECT_EQ(elements_of<float>(args[0]), Floats(3, 2.5F));
}

TEST(InterpretBuffers, AnAllocHoldsZeros) {
  auto args = make_args(array_of<float>({2}, {5, 5}));
  results_of(R"(
    func.func @f(%out: memref<2xf32>) {
      %t = memref.alloc() : memref<2xf32>
      memref.copy %t, %out : memref<2xf32> to memref<2xf32>
      return
    })",
             args);
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{0, 0}));
}

TEST(InterpretBuffers, AnElementwiseUpdateInPlaceReadsEachElementBeforeItWritesIt) {
  auto args = make_args(array_of<float>({3}, {1, 2, 3}));
  results_of(R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: memref<3xf32>) {
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : memref<3xf32>) outs(%x : memref<3xf32>) {
      ^bb0(%a: f32, %o: f32):
        %y = arith.mulf %a, %o : f32
        linalg.yield %y : f32
      }
      return
    })",
             args);
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{1, 4, 9}));
}

TEST(InterpretBuffers, AReadOfTheElementBeforeSeesWhatThePointBeforeWrote) {
  // y[2999 - i] = y[3000 - i] + 1: a chain through memory, longer than a block.
  const int64_t n = 3000;
  auto args =
      make_args(array_of<int64_t>({n + 1}, Ints(n + 1, 0)), array_of<int64_t>({n}, Ints(n)));
  results_of(R"(
    func.func @f(%y: memref<3001xi64>, %loop: memref<3000xi64>) {
      %one = arith.constant 1 : i64
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (-d0 + 3000)>,
                                       affine_map<(d0) -> (-d0 + 2999)>], iterator_types = ["parallel"]}
          ins(%loop, %y : memref<3000xi64>, memref<3001xi64>) outs(%y : memref<3001xi64>) {
      ^bb0(%l: i64, %a: i64, %o: i64):
        %s = arith.addi %a, %one : i64
        linalg.yield %s : i64
      }
      return
    })",
             args);
  EXPECT_EQ(elements_of<int64_t>(args[0]).front(), n);
}

TEST(InterpretBuffers, AReversalInPlaceReadsWhatEarlierPointsWrote) {
  auto args = make_args(array_of<int64_t>({5}, {1, 2, 3, 4, 5}));
  results_of(R"(
    func.func @f(%x: memref<5xi64>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 4)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]} ins(%x : memref<5xi64>) outs(%x : memref<5xi64>) {
      ^bb0(%a: i64, %o: i64):
        linalg.yield %a : i64
      }
      return
    })",
             args);
  EXPECT_EQ(elements_of<int64_t>(args[0]), (Ints{5, 4, 3, 4, 5}));
}

TEST(InterpretBuffers, TwoInitsInOneBufferAreWrittenInTheirOrderAtEachPoint) {
  // At point i: x[3 - i] = a, then x[2 - i] = a + 100; the next point overwrites the second.
  auto args = make_args(array_of<int64_t>({3}, {1, 2, 3}), array_of<int64_t>({4}, Ints(4, 0)));
  results_of(R"(
    func.func @f(%a: memref<3xi64>, %x: memref<4xi64>) {
      %c = arith.constant 100 : i64
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (-d0 + 3)>,
                                       affine_map<(d0) -> (-d0 + 2)>], iterator_types = ["parallel"]}
          ins(%a : memref<3xi64>) outs(%x, %x : memref<4xi64>, memref<4xi64>) {
      ^bb0(%e: i64, %o: i64, %p: i64):
        %s = arith.addi %e, %c : i64
        linalg.yield %e, %s : i64, i64
      }
      return
    })",
             args);
  EXPECT_EQ(elements_of<int64_t>(args[1]), (Ints{103, 3, 2, 1}));
}

TEST(InterpretBuffers, AnArgmaxCarriesBothOfItsResultsFromPointToPoint) {
  auto args = make_args(array_of<float>({6}, {3, 9, -1, 9, 2, 0}), array_of<float>({}, {-100}),
                        array_of<int64_t>({}, {-1}));
  std::get<Array>(args[2]) = Array::allocate({}, ElementType::Index).value();
  results_of(R"(
    #s = affine_map<(d0) -> ()>
    func.func @f(%x: memref<6xf32>, %m: memref<f32>, %w: memref<index>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, #s, #s],
          iterator_types = ["reduction"]}
          ins(%x : memref<6xf32>) outs(%m, %w : memref<f32>, memref<index>) {
      ^bb0(%a: f32, %best: f32, %where: index):
        %i = linalg.index 0 : index
        %c = arith.cmpf ogt, %a, %best : f32
        %v = arith.select %c, %a, %best : f32
        %j = arith.select %c, %i, %where : index
        linalg.yield %v, %j : f32, index
      }
      return
    })",
             args);
  EXPECT_EQ(elements_of<float>(args[1]), (Floats{9}));
  EXPECT_EQ(elements_of<int64_t>(args[2]), (Ints{1}));
}

TEST(InterpretBuffers, AConstantBufferIsRead) {
  auto args = make_args(array_of<float>({2}, {0, 0}));
  // The text has no constants of memref type; bufferization makes them.
  Function function = parse_function(R"(
    func.func @f(%out: memref<2xf32>) {
      %k = memref.alloc() : memref<2xf32>
      memref.copy %k, %out : memref<2xf32> to memref<2xf32>
      return
    })");
  function.ops[0].kind = DenseOp{false, {to_bits(3.0F), to_bits(4.0F)}};
  results_of(function, args);
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{3, 4}));
}

// --- What a run refuses ---

constexpr const char* kTakesABufferAndAFloat = R"(
    func.func @f(%x: memref<2x3xf32>, %s: f32) {
      return
    })";

TEST(InterpretBuffers, TooFewArgumentsAreCounted) {
  auto args = make_args(scalar_of(1.0F));
  EXPECT_EQ(error_of(kTakesABufferAndAFloat, args), "the function takes 2 arguments, 1 given");
}

TEST(InterpretBuffers, AnArgumentOfAnotherShapeIsNamedWithBothShapes) {
  auto args = make_args(array_of<float>({3, 2}, Floats(6)), scalar_of(1.0F));
  EXPECT_EQ(error_of(kTakesABufferAndAFloat, args),
            "argument 0 is of type memref<2x3xf32>, given is an array of 3x2xf32");
}

TEST(InterpretBuffers, AnArgumentOfAnotherElementTypeIsNamedWithBothTypes) {
  auto args = make_args(array_of<int32_t>({2, 3}, std::vector<int32_t>(6)), scalar_of(1.0F));
  EXPECT_EQ(error_of(kTakesABufferAndAFloat, args),
            "argument 0 is of type memref<2x3xf32>, given is an array of 2x3xi32");
}

TEST(InterpretBuffers, AScalarOfAnotherTypeIsNamedWithBothTypes) {
  auto args = make_args(array_of<float>({2, 3}, Floats(6)), scalar_of(1.0));
  EXPECT_EQ(error_of(kTakesABufferAndAFloat, args), "argument 1 is of type f32, given is f64");
}

TEST(InterpretBuffers, AnArrayOfRankZeroIsNoScalar) {
  auto args = make_args(array_of<float>({2, 3}, Floats(6)), array_of<float>({}, {1}));
  EXPECT_EQ(error_of(kTakesABufferAndAFloat, args),
            "argument 1 is of type f32, given is an array of f32");
}

TEST(InterpretBuffers, AnAllocationThatCannotBeHadIsAnError) {
  auto args = make_args();
  EXPECT_EQ(error_of(R"(
    func.func @f() {
      %t = memref.alloc() : memref<1000000000000x1000000xf32>
      return
    })",
                     args),
            "no memory for %t : memref<1000000000000x1000000xf32>: 4000000000000000000 bytes");
}

} // namespace
} // namespace mo

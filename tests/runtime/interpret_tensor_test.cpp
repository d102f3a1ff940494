// What tensor values are: contents that do not change, whatever is done to buffers and other
// tensors.
#include "runtime/interpret.h"

#include <limits>

#include <gtest/gtest.h>

#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;
using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

TEST(InterpretTensors, ATensorArgumentIsNotChangedByAnUpdateOfIt) {
  auto args = make_args(array_of<float>({3}, {1, 2, 3}));
  auto results = results_of(R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
      %r = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
          outs(%x : tensor<3xf32>) {
      ^bb0(%o: f32):
        %y = arith.addf %o, %o : f32
        linalg.yield %y : f32
      } -> tensor<3xf32>
      return %r : tensor<3xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{2, 4, 6}));
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{1, 2, 3}));
}

TEST(InterpretTensors, TwoUpdatesOfOneTensorDoNotSeeEachOther) {
  auto args = make_args(array_of<float>({2}, {1, 2}));
  auto results = results_of(R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %c = arith.constant 10.0 : f32
      %own = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : tensor<2xf32>) outs(%x : tensor<2xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<2xf32>
      %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
          outs(%own : tensor<2xf32>) {
      ^bb0(%o: f32):
        %y = arith.addf %o, %c : f32
        linalg.yield %y : f32
      } -> tensor<2xf32>
      %q = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]}
          outs(%own : tensor<2xf32>) {
      ^bb0(%o: f32):
        %y = arith.mulf %o, %c : f32
        linalg.yield %y : f32
      } -> tensor<2xf32>
      return %own, %p, %q : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{1, 2}));
  EXPECT_EQ(elements_of<float>(results[1]), (Floats{11, 12}));
  EXPECT_EQ(elements_of<float>(results[2]), (Floats{10, 20}));
}

TEST(InterpretTensors, AnInputThatIsAlsoTheInitKeepsItsOldElements) {
  auto args = make_args(array_of<int64_t>({4}, {1, 2, 3, 4}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<4xi64>) -> tensor<4xi64> {
      %own = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]} ins(%x : tensor<4xi64>) outs(%x : tensor<4xi64>) {
      ^bb0(%a: i64, %o: i64):
        linalg.yield %a : i64
      } -> tensor<4xi64>
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 3)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]} ins(%own : tensor<4xi64>) outs(%own : tensor<4xi64>) {
      ^bb0(%a: i64, %o: i64):
        linalg.yield %a : i64
      } -> tensor<4xi64>
      return %r : tensor<4xi64>
    })",
                            args);
  EXPECT_EQ(elements_of<int64_t>(results[0]), (Ints{4, 3, 2, 1}));
}

TEST(InterpretTensors, ConstantsAreListsAndSplats) {
  auto args = make_args();
  auto results = results_of(R"(
    func.func @f() -> (tensor<2x2xi32>, tensor<3xf32>, tensor<2xi1>) {
      %a = arith.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>
      %b = arith.constant dense<0xFF800000> : tensor<3xf32>
      %c = arith.constant dense<[true, false]> : tensor<2xi1>
      return %a, %b, %c : tensor<2x2xi32>, tensor<3xf32>, tensor<2xi1>
    })",
                            args);
  EXPECT_EQ(elements_of<int32_t>(results[0]), (std::vector<int32_t>{1, 2, 3, -4}));
  EXPECT_EQ(elements_of<float>(results[1]), Floats(3, -std::numeric_limits<float>::infinity()));
  EXPECT_EQ(elements_of<bool>(results[2]), (std::vector<bool>{true, false}));
}

TEST(InterpretTensors, AnEmptyTensorHoldsZeros) {
  auto args = make_args();
  auto results = results_of(R"(
    func.func @f() -> (tensor<2xf32>, tensor<2xf32>) {
      %e = tensor.empty() : tensor<2xf32>
      return %e, %e : tensor<2xf32>, tensor<2xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{0, 0}));
  EXPECT_EQ(elements_of<float>(results[1]), (Floats{0, 0}));
}

TEST(InterpretTensors, AReturnedArgumentIsACopyAndSoIsEachOfTwoReturns) {
  auto args = make_args(array_of<float>({2}, {1, 2}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      return %x, %x : tensor<2xf32>, tensor<2xf32>
    })",
                            args);
  results[0].set_bits(0, 0);
  EXPECT_EQ(elements_of<float>(results[1]), (Floats{1, 2}));
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{1, 2}));
}

TEST(InterpretTensors, MaterializeIntoATensorIsTheSource) {
  auto args = make_args(array_of<float>({2}, {1, 2}), array_of<float>({2}, {8, 9}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<2xf32>, %d: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %r = bufferization.materialize_in_destination %x in %d
          : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      return %r, %d : tensor<2xf32>, tensor<2xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{1, 2}));
  EXPECT_EQ(elements_of<float>(results[1]), (Floats{8, 9}));
}

TEST(InterpretTensors, AToTensorIsTheContentsBeforeALaterMaterialize) {
  auto args = make_args(array_of<float>({2}, {1, 2}), array_of<float>({2}, {8, 9}));
  auto results = results_of(R"(
    func.func @f(%m: memref<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
      %before = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>
      bufferization.materialize_in_destination %y in restrict writable %m
          : (tensor<2xf32>, memref<2xf32>) -> ()
      %after = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>
      return %before, %after : tensor<2xf32>, tensor<2xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{1, 2}));
  EXPECT_EQ(elements_of<float>(results[1]), (Floats{8, 9}));
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{8, 9}));
}

TEST(InterpretTensors, MaterializingABuffersOwnOldContentsRestoresThem) {
  auto args = make_args(array_of<float>({2}, {1, 2}), array_of<float>({2}, {8, 9}));
  results_of(R"(
    func.func @f(%m: memref<2xf32>, %y: tensor<2xf32>) {
      %before = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>
      bufferization.materialize_in_destination %y in restrict writable %m
          : (tensor<2xf32>, memref<2xf32>) -> ()
      bufferization.materialize_in_destination %before in restrict writable %m
          : (tensor<2xf32>, memref<2xf32>) -> ()
      return
    })",
             args);
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{1, 2}));
}

TEST(InterpretTensors, AToTensorThatIsUpdatedLeavesItsBuffer) {
  auto args = make_args(array_of<float>({2}, {1, 2}));
  auto results = results_of(R"(
    func.func @f(%m: memref<2xf32>) -> tensor<2xf32> {
      %c = arith.constant 7.0 : f32
      %t = bufferization.to_tensor %m restrict writable : memref<2xf32> to tensor<2xf32>
      %r = linalg.fill ins(%c : f32) outs(%t : tensor<2xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{7, 7}));
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{1, 2}));
}

TEST(InterpretTensors, AnAccumulationAfterAMaterializeLeavesWhatWasMaterialized) {
  // r0 goes to %o, then r1 accumulates on r0 and goes to %p.
  auto args = make_args(array_of<float>({2}, {1, 2}), array_of<float>({2}, {0, 0}),
                        array_of<float>({2}, {0, 0}));
  results_of(R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: memref<2xf32>, %o: memref<2xf32>, %p: memref<2xf32>) {
      %t = bufferization.to_tensor %x restrict : memref<2xf32> to tensor<2xf32>
      %e = tensor.empty() : tensor<2xf32>
      %r0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%t : tensor<2xf32>) outs(%e : tensor<2xf32>) {
      ^bb0(%a: f32, %i: f32):
        %y = arith.addf %a, %a : f32
        linalg.yield %y : f32
      } -> tensor<2xf32>
      bufferization.materialize_in_destination %r0 in restrict writable %o
          : (tensor<2xf32>, memref<2xf32>) -> ()
      %r1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%t : tensor<2xf32>) outs(%r0 : tensor<2xf32>) {
      ^bb0(%a: f32, %i: f32):
        %y = arith.addf %a, %i : f32
        linalg.yield %y : f32
      } -> tensor<2xf32>
      bufferization.materialize_in_destination %r1 in restrict writable %p
          : (tensor<2xf32>, memref<2xf32>) -> ()
      return
    })",
             args);
  EXPECT_EQ(elements_of<float>(args[1]), (Floats{2, 4}));
  EXPECT_EQ(elements_of<float>(args[2]), (Floats{3, 6}));
}

} // namespace
} // namespace mo

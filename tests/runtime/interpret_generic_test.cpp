// What a generic does, whatever its maps and its body.
#include "runtime/interpret.h"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;
using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;

TEST(InterpretGeneric, AnElementwiseGenericAppliesItsBodyToEachElement) {
  auto args = make_args(array_of<float>({2, 2}, {1, -2, 3, -4}), scalar_of(2.0F));
  auto results = results_of(R"(
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%x: tensor<2x2xf32>, %s: f32) -> tensor<2x2xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x2xf32>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) {
      ^bb0(%a: f32, %o: f32):
        %m = arith.mulf %a, %s : f32
        %y = arith.maximumf %m, %zero : f32
        linalg.yield %y : f32
      } -> tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{2, 0, 6, 0}));
  EXPECT_EQ(results[0].shape(), (Shape{2, 2}));
}

TEST(InterpretGeneric, AFloatSumIsAddedUpInOrder) {
  // In order: ((1e8 + 1) - 1e8) + 1 = 1, as 1e8 + 1 rounds to 1e8.
  auto args = make_args(array_of<float>({4}, {1e8F, 1, -1e8F, 1}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<4xf32>) -> tensor<f32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<f32>
      %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
          iterator_types = ["reduction"]} ins(%x : tensor<4xf32>) outs(%z : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %y = arith.addf %o, %a : f32
        linalg.yield %y : f32
      } -> tensor<f32>
      return %r : tensor<f32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{1}));
}

TEST(InterpretGeneric, SumsOverLongRowsAndColumnsAreThoseOfALoop) {
  const int64_t rows = 50, columns = 2100; // several blocks per row
  Floats x(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = std::sin(static_cast<float>(i));
  Floats row_sums(rows, 0.0F), column_sums(columns, 0.0F);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j) {
      row_sums[i] += x[i * columns + j];
      column_sums[j] += x[i * columns + j];
    }
  auto args = make_args(array_of<float>({rows, columns}, x));
  auto results = results_of(R"(
    #id = affine_map<(d0, d1) -> (d0, d1)>
    func.func @f(%x: tensor<50x2100xf32>) -> (tensor<50xf32>, tensor<2100xf32>) {
      %rows = arith.constant dense<0.0> : tensor<50xf32>
      %columns = arith.constant dense<0.0> : tensor<2100xf32>
      %r = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<50x2100xf32>) outs(%rows : tensor<50xf32>) {
      ^bb0(%a: f32, %o: f32):
        %y = arith.addf %o, %a : f32
        linalg.yield %y : f32
      } -> tensor<50xf32>
      %c = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>],
          iterator_types = ["reduction", "parallel"]}
          ins(%x : tensor<50x2100xf32>) outs(%columns : tensor<2100xf32>) {
      ^bb0(%a: f32, %o: f32):
        %y = arith.addf %o, %a : f32
        linalg.yield %y : f32
      } -> tensor<2100xf32>
      return %r, %c : tensor<50xf32>, tensor<2100xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), row_sums);
  EXPECT_EQ(elements_of<float>(results[1]), column_sums);
}

TEST(InterpretGeneric, AnOverwritingReductionKeepsTheLastElement) {
  auto args = make_args(array_of<int64_t>({2, 3}, {1, 2, 3, 4, 5, 6}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<2x3xi64>) -> tensor<2xi64> {
      %e = tensor.empty() : tensor<2xi64>
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<2x3xi64>) outs(%e : tensor<2xi64>) {
      ^bb0(%a: i64, %o: i64):
        linalg.yield %a : i64
      } -> tensor<2xi64>
      return %r : tensor<2xi64>
    })",
                            args);
  EXPECT_EQ(elements_of<int64_t>(results[0]), (Ints{3, 6}));
}

TEST(InterpretGeneric, TransposedBroadcastAndStridedReadsTakeTheElementsTheirMapsName) {
  auto args = make_args(array_of<int64_t>({3, 2}, {1, 2, 3, 4, 5, 6}),
                        array_of<int64_t>({3}, {100, 200, 300}),
                        array_of<int64_t>({5}, {0, 1000, 2000, 3000, 4000}));
  auto results = results_of(R"(
    func.func @f(%t: tensor<3x2xi64>, %row: tensor<3xi64>, %s: tensor<5xi64>) -> tensor<2x3xi64> {
      %e = tensor.empty() : tensor<2x3xi64>
      %r = linalg.generic {indexing_maps = [
              affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>,
              affine_map<(d0, d1) -> (d0 * 2 + d1)>, affine_map<(d0, d1) -> (d0, d1)>],
          iterator_types = ["parallel", "parallel"]}
          ins(%t, %row, %s : tensor<3x2xi64>, tensor<3xi64>, tensor<5xi64>)
          outs(%e : tensor<2x3xi64>) {
      ^bb0(%a: i64, %b: i64, %c: i64, %o: i64):
        %y = arith.addi %a, %b : i64
        %z = arith.addi %y, %c : i64
        linalg.yield %z : i64
      } -> tensor<2x3xi64>
      return %r : tensor<2x3xi64>
    })",
                            args);
  EXPECT_EQ(elements_of<int64_t>(results[0]), (Ints{101, 1203, 2305, 2102, 3204, 4306}));
}

TEST(InterpretGeneric, AScatteredWriteLeavesTheOtherElementsOfItsInit) {
  auto args = make_args(array_of<int64_t>({2}, {1, 2}), array_of<int64_t>({4}, {7, 7, 7, 7}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<2xi64>, %d: tensor<4xi64>) -> tensor<4xi64> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 * 2 + 1)>],
          iterator_types = ["parallel"]} ins(%x : tensor<2xi64>) outs(%d : tensor<4xi64>) {
      ^bb0(%a: i64, %o: i64):
        linalg.yield %a : i64
      } -> tensor<4xi64>
      return %r : tensor<4xi64>
    })",
                            args);
  EXPECT_EQ(elements_of<int64_t>(results[0]), (Ints{7, 1, 7, 2}));
}

TEST(InterpretGeneric, SeveralResultsComeFromOneWalk) {
  auto args = make_args(array_of<float>({3}, {1.5F, -2.5F, 4}));
  auto results = results_of(R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<3xf32>) -> (tensor<3xi32>, tensor<3xi1>) {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<3xi32>
      %p = tensor.empty() : tensor<3xi1>
      %r:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
          ins(%x : tensor<3xf32>) outs(%e, %p : tensor<3xi32>, tensor<3xi1>) {
      ^bb0(%a: f32, %o: i32, %q: i1):
        %i = arith.fptosi %a : f32 to i32
        %c = arith.cmpf olt, %a, %zero : f32
        linalg.yield %i, %c : i32, i1
      } -> (tensor<3xi32>, tensor<3xi1>)
      return %r#0, %r#1 : tensor<3xi32>, tensor<3xi1>
    })",
                            args);
  EXPECT_EQ(elements_of<int32_t>(results[0]), (std::vector<int32_t>{1, -2, 4}));
  EXPECT_EQ(elements_of<bool>(results[1]), (std::vector<bool>{false, true, false}));
}

TEST(InterpretGeneric, LinalgIndexCountsTheLoopsAsWritten) {
  auto args = make_args();
  auto results = results_of(R"(
    func.func @f() -> tensor<2x1x3xindex> {
      %ten = arith.constant 10 : index
      %e = tensor.empty() : tensor<2x1x3xindex>
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
          iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<2x1x3xindex>) {
      ^bb0(%o: index):
        %i = linalg.index 0 : index
        %j = linalg.index 1 : index
        %k = linalg.index 2 : index
        %m = arith.muli %i, %ten : index
        %n = arith.addi %m, %k : index
        %p = arith.subi %n, %j : index
        linalg.yield %p : index
      } -> tensor<2x1x3xindex>
      return %r : tensor<2x1x3xindex>
    })",
                            args);
  EXPECT_EQ(elements_of<int64_t>(results[0]), (Ints{0, 1, 2, 10, 11, 12}));
}

TEST(InterpretGeneric, ScalarInputsAndCapturedValuesAreTheSameAtEachPoint) {
  auto args = make_args(array_of<double>({2}, {1, 2}), scalar_of(0.5), scalar_of(int32_t{4}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<2xf64>, %s: f64, %n: i32) -> tensor<2xf64> {
      %nf = arith.sitofp %n : i32 to f64
      %twice = arith.addf %nf, %nf : f64
      %e = tensor.empty() : tensor<2xf64>
      %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>,
                                            affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]} ins(%x, %s : tensor<2xf64>, f64) outs(%e : tensor<2xf64>) {
      ^bb0(%a: f64, %b: f64, %o: f64):
        %y = arith.mulf %a, %b : f64
        %z = arith.addf %y, %twice : f64
        linalg.yield %z : f64
      } -> tensor<2xf64>
      return %r : tensor<2xf64>
    })",
                            args);
  EXPECT_EQ(elements_of<double>(results[0]), (std::vector<double>{8.5, 9}));
}

TEST(InterpretGeneric, ATensorOfRankZeroHoldsOneElement) {
  auto args = make_args(array_of<float>({}, {3}));
  auto results = results_of(R"(
    #s = affine_map<() -> ()>
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %e = tensor.empty() : tensor<f32>
      %r = linalg.generic {indexing_maps = [#s, #s], iterator_types = []}
          ins(%x : tensor<f32>) outs(%e : tensor<f32>) {
      ^bb0(%a: f32, %o: f32):
        %y = arith.mulf %a, %a : f32
        linalg.yield %y : f32
      } -> tensor<f32>
      return %r : tensor<f32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{9}));
}

TEST(InterpretGeneric, AReductionOverNothingLeavesTheInit) {
  auto args = make_args(array_of<float>({2, 0}, {}), array_of<float>({2}, {5, 6}));
  auto results = results_of(R"(
    func.func @f(%x: tensor<2x0xf32>, %i: tensor<2xf32>) -> tensor<2xf32> {
      %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
          iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<2x0xf32>) outs(%i : tensor<2xf32>) {
      ^bb0(%a: f32, %o: f32):
        linalg.yield %a : f32
      } -> tensor<2xf32>
      return %r : tensor<2xf32>
    })",
                            args);
  EXPECT_EQ(elements_of<float>(results[0]), (Floats{5, 6}));
}

TEST(InterpretGeneric, ABodyOfManyOpsAndManyPointsIsRunInBlocks) {
  // 300 additions of 1 to each of 5000 elements: blocks, a last partial one, registers used again.
  std::string body;
  std::string last = "%a";
  for (int i = 0; i < 300; ++i) {
    body += "        %v" + std::to_string(i) + " = arith.addf " + last + ", %one : f32\n";
    last = "%v" + std::to_string(i);
  }
  Floats x(5000);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  auto args = make_args(array_of<float>({5000}, x));
  auto results = results_of(R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @f(%x: tensor<5000xf32>) -> tensor<5000xf32> {
      %one = arith.constant 1.0 : f32
      %e = tensor.empty() : tensor<5000xf32>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : tensor<5000xf32>) outs(%e : tensor<5000xf32>) {
      ^bb0(%a: f32, %o: f32):
)" + body + "        linalg.yield " +
                                last +
                                R"( : f32
      } -> tensor<5000xf32>
      return %r : tensor<5000xf32>
    })",
                            args);
  for (float& v : x)
    v += 300;
  EXPECT_EQ(elements_of<float>(results[0]), x);
}

TEST(InterpretGeneric, AnArgumentMayLieAtAnyAddressAndIsNotWrittenAround) {
  for (size_t misalign : {0, 1, 2, 3, 4, 63}) {
    std::vector<RuntimeValue> args;
    args.emplace_back(Array::allocate_guarded({5}, ElementType::F64, misalign).value());
    args.emplace_back(Array::allocate_guarded({5}, ElementType::F64, misalign).value());
    auto& x = std::get<Array>(args[0]);
    for (int64_t i = 0; i < 5; ++i)
      x.set_bits(i, to_bits(static_cast<double>(i)));
    results_of(R"(
      #id = affine_map<(d0) -> (d0)>
      func.func @f(%x: memref<5xf64>, %y: memref<5xf64>) {
        linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
            ins(%x : memref<5xf64>) outs(%y : memref<5xf64>) {
        ^bb0(%a: f64, %o: f64):
          %s = arith.addf %a, %a : f64
          linalg.yield %s : f64
        }
        return
      })",
               args);
    EXPECT_EQ(elements_of<double>(args[1]), (std::vector<double>{0, 2, 4, 6, 8})) << misalign;
    EXPECT_TRUE(std::get<Array>(args[1]).guard_intact()) << misalign;
  }
}

} // namespace
} // namespace mo

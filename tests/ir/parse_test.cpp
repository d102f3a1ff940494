// What the parser makes of the text: types, maps, constants, names, and everything that mlir-opt
// writes and the IR does not keep.
#include <gtest/gtest.h>

#include <bit>

#include "tests/ir/bad_inputs.h"
#include "tests/ir/from_text.h"

namespace mo {
namespace {

Type argument_type(const std::string& type) {
  return function_from("func.func @f(%x: " + type + ") {\n  return\n}").values[0].type;
}

/// The bits of `arith.constant <text>`.
uint64_t constant(const std::string& text) {
  return function_from("func.func @f() {\n  %c = arith.constant " + text + "\n  return\n}")
      .ops[0]
      .as<ScalarInst>()
      ->immediate;
}

DenseOp dense(const std::string& text) {
  return *function_from("func.func @f() {\n  %c = arith.constant " + text + "\n  return\n}")
              .ops[0]
              .as<DenseOp>();
}

AffineMap map_of(const std::string& map) {
  const Function f = function_from("#m = affine_map<" + map + ">\n" + with_maps("#m, #m"));
  return f.ops[0].as<GenericOp>()->maps[0];
}

uint64_t f32(float value) {
  return std::bit_cast<uint32_t>(value);
}
uint64_t f64(double value) {
  return std::bit_cast<uint64_t>(value);
}
using Bits = std::vector<uint64_t>;

TEST(ParseType, ScalarsTensorsAndMemrefs) {
  EXPECT_EQ(argument_type("index"), scalar_type(ElementType::Index));
  EXPECT_EQ(argument_type("tensor<4x8xf32>"), tensor_type({4, 8}, ElementType::F32));
  EXPECT_EQ(argument_type("memref<0x2xi1>"), memref_type({0, 2}, ElementType::I1));
  EXPECT_EQ(argument_type("tensor<f64>"), tensor_type({}, ElementType::F64));
  EXPECT_EQ(argument_type("tensor< 4 x 8 x i64 >"), tensor_type({4, 8}, ElementType::I64));
}

TEST(ParseMap, RowsAreSumsOfDimsTimesConstants) {
  EXPECT_EQ(to_string(map_of("(i, j) -> (j, i)")), "(d0, d1) -> (d1, d0)");
  EXPECT_EQ(to_string(map_of("() -> ()")), "() -> ()");
  AffineMap map(2, 1);
  map.set_coefficient(0, 0, -5);
  map.set_coefficient(0, 1, 2);
  map.set_constant(0, -4);
  EXPECT_EQ(map_of("(d0, d1) -> ((d0 + d1) * 2 - 7 * d0 - 4)"), map);
  EXPECT_EQ(map_of("(d0, d1) -> (-d0 * 5 + 2 * d1 - (1 + 3))"), map);
}

TEST(ParseMap, DimsThatCancelOutAreGone) {
  EXPECT_EQ(map_of("(d0) -> ((d0 - d0 + 2) * d0)"), map_of("(d0) -> (d0 * 2)"));
}

TEST(ParseConstant, FloatsAreDecimalOrBits) {
  EXPECT_EQ(constant("1.5 : f32"), f32(1.5f));
  EXPECT_EQ(constant("-0.0 : f32"), f32(-0.0f));
  EXPECT_EQ(constant("0xFF800000 : f32"), 0xFF800000u);
  EXPECT_EQ(constant("0x7FF8000000000001 : f64"), 0x7FF8000000000001u);
  EXPECT_EQ(constant("1. : f64"), f64(1.0));
  EXPECT_EQ(constant("-1.25e-3 : f64"), f64(-1.25e-3));
  EXPECT_EQ(constant("5.0e-324 : f64"), 1u);
  EXPECT_EQ(constant("1.0e-400 : f64"), 0u);
}

TEST(ParseConstant, AnF32IsRoundedThroughDoubleAsMlirDoes) {
  // Halfway between two floats once it is a double, a little above before.
  EXPECT_EQ(constant("1.00000005960464477540 : f32"), f32(1.0f));
}

TEST(ParseConstant, IntegersMayBeSignedUnsignedOrHex) {
  EXPECT_EQ(constant("-1 : i32"), 0xFFFFFFFFu);
  EXPECT_EQ(constant("4294967295 : i32"), 0xFFFFFFFFu);
  EXPECT_EQ(constant("-2147483648 : i32"), 0x80000000u);
  EXPECT_EQ(constant("0x1F : i64"), 31u);
  EXPECT_EQ(constant("18446744073709551615 : i64"), UINT64_MAX);
  EXPECT_EQ(constant("-9223372036854775808 : index"), uint64_t{1} << 63);
  EXPECT_EQ(constant("true"), 1u);
  EXPECT_EQ(constant("false"), 0u);
  EXPECT_EQ(constant("-1 : i1"), 1u);
}

TEST(ParseDense, SplatsListsAndBytes) {
  EXPECT_TRUE(dense("dense<1.0> : tensor<4x4xf32>").splat);
  EXPECT_EQ(dense("dense<1.0> : tensor<4x4xf32>").bits, (Bits{f32(1)}));
  EXPECT_EQ(dense("dense<[[1, -2], [3, 0x4]]> : tensor<2x2xi32>").bits,
            (Bits{1, 0xFFFFFFFE, 3, 4}));
  EXPECT_EQ(dense("dense<[true, false, 1]> : tensor<3xi1>").bits, (Bits{1, 0, 1}));
  EXPECT_EQ(dense("dense<> : tensor<0x3xf32>").bits, (Bits{}));
  EXPECT_EQ(dense("dense<7> : tensor<i64>").bits, (Bits{7}));
  EXPECT_EQ(dense("dense<\"0x01000000FEFFFFFF\"> : tensor<2xi32>").bits, (Bits{1, 0xFFFFFFFE}));
  EXPECT_TRUE(dense("dense<\"0x01000000\"> : tensor<2xi32>").splat);
}

TEST(ParseDense, BytesHoldEightTruthValuesEach) {
  EXPECT_EQ(dense("dense<\"0x4902\"> : tensor<10xi1>").bits, (Bits{1, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
}

TEST(ParseNames, ResultsOfOneOpShareTheirName) {
  const Function f = function_from(R"(
func.func @f(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2, %q = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t, %t, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    linalg.yield %a, %b, %c : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#1, %r : tensor<4xf32>, tensor<4xf32>
})");
  const Op& op = f.ops[0];
  ASSERT_EQ(op.results.size(), 3u);
  EXPECT_EQ(f.value(op.results[1]).name, "r");
  EXPECT_EQ(f.value(op.results[2]).name, "q");
  EXPECT_EQ(f.ops[1].as<ReturnOp>()->values, (std::vector{op.results[1], op.results[0]}));
}

TEST(ParseNames, ABodyMayReuseTheNamesOfOtherBodiesAndOfItsOwnResult) {
  EXPECT_NO_THROW(module_from(R"(
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %x = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%o: f32):
    %x = arith.negf %o : f32
    linalg.yield %x : f32
  } -> tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%x : tensor<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
})"));
}

TEST(ParseFunction, ArgumentAttributesAreKept) {
  const Function f = function_from(
      "func.func private @f(%t: tensor<4xf32> {bufferization.writable = false, other.unit, other.a "
      "= [1, {b = \"c\"}]}, %m: memref<4xf32> {bufferize.result}) {\n  return\n}");
  EXPECT_EQ(f.visibility, Visibility::Private);
  EXPECT_EQ(f.args[0].writable, false);
  EXPECT_FALSE(f.args[0].is_result);
  EXPECT_EQ(f.args[1].writable, std::nullopt);
  EXPECT_TRUE(f.args[1].is_result);
}

TEST(ParseFunction, WhatMlirWritesAroundItIsReadOver) {
  const Module module = module_from(R"(
#loc = loc("a.mlir":1:1)
#map = affine_map<(d0) -> (d0)>
module @m attributes {dl.spec = #dl.x<"a" = dense<1> : tensor<2xi32>>} {
  func.func @f(%t: tensor<4xf32> loc("x"), %a: f32) -> (tensor<4xf32> {x.y = 1 : i32}) attributes {llvm.emit, b = affine_map<(d0) -> (d0)>} {
    %0 = linalg.generic {doc = "it's", indexing_maps = [#map, #map], iterator_types = ["parallel"], library_call = "f"} ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) attrs =  {foo = "bar"} {
    ^bb0(%in: f32 loc("y"), %out: f32):
      %1 = arith.addf %in, %out fastmath<nnan, contract> : f32 loc(callsite("a"("b":1:2) at #loc))
      linalg.yield %1 : f32 loc(#loc)
    } -> tensor<4xf32> loc(#loc)
    return %0 : tensor<4xf32> loc(unknown)
  } loc(#loc)
} loc(#loc)
)");
  EXPECT_TRUE(module.explicit_module);
  EXPECT_EQ(module.functions.at(0).ops.size(), 2u);
}

TEST(ParseFunction, FlagsOfScalarOpsAreReadOver) {
  EXPECT_NO_THROW(module_from(in_function("  %0 = arith.addi %i, %i overflow<nsw, nuw> : i32\n"
                                          "  %1 = arith.divsi %i, %i exact : i32\n"
                                          "  %2 = arith.cmpf olt, %a, %b fastmath<fast> : f32\n"
                                          "  %3 = math.exp %a fastmath<afn> : f32\n"
                                          "  %4 = arith.extui %2 nneg : i1 to i32")));
}

TEST(ParseFunction, TheToTensorOfOlderMlirHasItsTypeFromTheMemref) {
  const Function f =
      function_from(in_function("  %x = bufferization.to_tensor %m restrict : memref<4xf32>"));
  EXPECT_EQ(f.type(f.ops[0].results[0]), tensor_type({4}, ElementType::F32));
}

TEST(ParseFunction, ResultsNeedNoNames) {
  const Function f = function_from(in_function("  tensor.empty() : tensor<4xf32>"));
  EXPECT_EQ(f.value(f.ops[0].results.at(0)).name, "");
}

TEST(ParseFunction, AnEmptyFileIsAModuleWithoutFunctions) {
  EXPECT_TRUE(module_from("").functions.empty());
  EXPECT_TRUE(module_from("// nothing\n").functions.empty());
}

TEST(ParseFunction, OpsStandWhereTheirNameIs) {
  const Function f = function_from("func.func @f() {\n  %e = tensor.empty() : tensor<4xf32>\n"
                                   "  return\n}");
  EXPECT_EQ(f.ops[0].loc, (Loc{2, 8}));
  EXPECT_EQ(f.value(f.ops[0].results[0]).loc, (Loc{2, 3}));
  EXPECT_EQ(f.ops[1].loc, (Loc{3, 3}));
}

TEST(ParseGlobal, EachUseIsAConstantBuffer) {
  const Function f = function_from(R"(
memref.global "private" constant @g : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 64 : i64}
func.func @f() {
  %g = memref.get_global @g : memref<2xf32>
  return
})");
  EXPECT_EQ(f.type(f.ops[0].results[0]), memref_type({2}, ElementType::F32));
  EXPECT_EQ(f.ops[0].as<DenseOp>()->bits, (Bits{f32(1), f32(2)}));
}

} // namespace
} // namespace mo

// What the verifier says of functions and of the ops besides linalg.generic, one test per rule.
#include <gtest/gtest.h>

#include "tests/ir/from_text.h"

namespace mo {
namespace {

/// `body` in a function with these arguments, which returns nothing.
std::string violations(const std::string& args, const std::string& body) {
  return violations_in("func.func @f(" + args + ") {\n" + body + "\nreturn\n}");
}

TEST(VerifyFunction, TwoFunctionsOfOneNameAreRefused) {
  Module module = module_from("func.func @f() { return }\nfunc.func @g() { return }");
  module.functions[1].name = "f";
  Diagnostics diagnostics;
  verify(module, diagnostics);
  EXPECT_EQ(listing(diagnostics), "function-redefined: there are two functions @f\n");
}

TEST(VerifyFunction, ReturnedValuesAreAsManyAsTheResults) {
  EXPECT_EQ(violations_in("func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> { return }"),
            "return-count: return has 0 values but @f has 1 result\n");
}

TEST(VerifyFunction, ReturnedValuesHaveTheTypesOfTheResults) {
  EXPECT_EQ(violations_in("func.func @f(%t: tensor<4xf32>) -> tensor<5xf32> {\n"
                          "  return %t : tensor<4xf32>\n}"),
            "return-type: value #0 returned is %t : tensor<4xf32>, but result #0 of @f is "
            "tensor<5xf32>\n");
}

TEST(VerifyFunction, BuffersAreNotReturned) {
  EXPECT_EQ(violations_in("func.func @f(%m: memref<4xf32>) -> memref<4xf32> {\n"
                          "  return %m : memref<4xf32>\n}"),
            "buffer-result: result #0 of @f is memref<4xf32>, but a function returns tensors and "
            "scalars: a buffer is handed in as an argument\n");
}

TEST(VerifyFunction, ScalarsMayBeReturned) {
  EXPECT_EQ(violations_in("func.func @f(%s: f32) -> f32 {\n  return %s : f32\n}"), "");
}

TEST(VerifyFunction, ArgumentAttributesBelongToTheirKindOfType) {
  EXPECT_EQ(violations("%t: tensor<4xf32> {bufferization.writable = false}", ""), "");
  EXPECT_EQ(violations("%m: memref<4xf32> {bufferize.result}", ""), "");
  EXPECT_EQ(violations("%m: memref<4xf32> {bufferization.writable = false}", ""),
            "argument-attribute: bufferization.writable is said of tensors, but %m : memref<4xf32> "
            "is none\n");
  EXPECT_EQ(violations("%t: tensor<4xf32> {bufferize.result}", ""),
            "argument-attribute: bufferize.result is said of memrefs, but %t : tensor<4xf32> is "
            "none\n");
}

TEST(VerifyLevel, BufferOpsDoNotStandInAFunctionOnTensors) {
  EXPECT_EQ(
      violations("%t: tensor<4xf32>", "%a = memref.alloc() : memref<4xf32>"),
      "mixed-levels: memref.alloc works on buffers here, but the function works on tensors\n");
}

TEST(VerifyLevel, AMixedLevelPointsAtTheFirstTensor) {
  Diagnostics diagnostics;
  verify(module_from("func.func @f(%s: f32, %t: tensor<4xf32>) {\n"
                     "%a = memref.alloc() : memref<4xf32>\nreturn\n}"),
         diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  ASSERT_EQ(diagnostics.all()[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].notes[0].message, "%t : tensor<4xf32> is defined here");
  EXPECT_EQ(diagnostics.all()[0].notes[0].loc, (Loc{1, 23}));
}

TEST(VerifyLevel, OnBuffersAReturnedScalarIsWhatTheMessageNames) {
  EXPECT_EQ(violations_in("func.func @f(%m: memref<4xf32>, %s: f32) -> f32 {\n"
                          "linalg.fill ins(%s : f32) outs(%m : memref<4xf32>)\n"
                          "return %s : f32\n}"),
            "mixed-levels: linalg.fill works on buffers here, but @f returns f32, and on buffers "
            "results are arguments\n");
}

TEST(VerifyLevel, AFunctionThatShouldBeOnBuffersHasNoTensorLeft) {
  const Function function = function_from("func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n"
                                          "%e = tensor.empty() : tensor<4xf32>\n"
                                          "return %e : tensor<4xf32>\n}");
  EXPECT_EQ(violations_in(function, Level::Buffer),
            "mixed-levels: argument %t : tensor<4xf32> is a tensor, and the function works on "
            "buffers\n"
            "mixed-levels: result #0 of @f is tensor<4xf32>, and on buffers results are arguments\n"
            "mixed-levels: tensor.empty works on tensors here, but the function works on "
            "buffers\n");
}

TEST(VerifyFill, TheValueHasTheElementType) {
  EXPECT_EQ(violations("%c: i32, %t: tensor<4xf32>",
                       "%r = linalg.fill ins(%c : i32) outs(%t : tensor<4xf32>) -> tensor<4xf32>"),
            "fill-type: %c : i32 is filled into %t, which holds f32\n");
}

TEST(VerifyFill, TheValueIsAScalar) {
  EXPECT_EQ(violations("%c: tensor<f32>, %t: tensor<4xf32>",
                       "%r = linalg.fill ins(%c : tensor<f32>) outs(%t : tensor<4xf32>) -> "
                       "tensor<4xf32>"),
            "operand-kind: the value of linalg.fill must be a scalar, but %c : tensor<f32> is "
            "none\n");
}

TEST(VerifyFill, TheResultHasTheTypeOfTheInit) {
  EXPECT_EQ(violations("%c: f32, %t: tensor<4xf32>",
                       "%r = linalg.fill ins(%c : f32) outs(%t : tensor<4xf32>) -> tensor<5xf32>"),
            "result-type: result #0 of linalg.fill is tensor<5xf32>, but its init is "
            "%t : tensor<4xf32>\n");
}

TEST(VerifyFill, OfAMemrefIsValidInAFunctionOnBuffers) {
  EXPECT_EQ(violations("%c: f32, %m: memref<4xf32>",
                       "linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)"),
            "");
}

TEST(VerifyToTensor, ShapeAndElementTypeAreThoseOfTheMemref) {
  EXPECT_EQ(violations("%m: memref<4xf32>",
                       "%t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<5xf32>"),
            "to-tensor-type: %m : memref<4xf32> cannot be seen as tensor<5xf32>: shape and element "
            "type must agree\n");
}

TEST(VerifyToTensor, TheOperandIsAMemref) {
  EXPECT_EQ(violations("%m: tensor<4xf32>",
                       "%t = bufferization.to_tensor %m : tensor<4xf32> to tensor<4xf32>"),
            "operand-kind: the operand of bufferization.to_tensor must be a memref, but "
            "%m : tensor<4xf32> is none\n");
}

TEST(VerifyMaterialize, ShapeAndElementTypeAreThoseOfTheDestination) {
  EXPECT_EQ(violations("%t: tensor<4xf32>, %m: memref<4xf64>",
                       "bufferization.materialize_in_destination %t in restrict writable %m : "
                       "(tensor<4xf32>, memref<4xf64>) -> ()"),
            "materialize-type: %t : tensor<4xf32> cannot be written to %m : memref<4xf64>: shape "
            "and element type must agree\n");
}

TEST(VerifyMaterialize, WritableIsSaidOfMemrefsAlways) {
  EXPECT_EQ(violations("%t: tensor<4xf32>, %m: memref<4xf32>",
                       "bufferization.materialize_in_destination %t in restrict %m : "
                       "(tensor<4xf32>, memref<4xf32>) -> ()"),
            "materialize-flags: the destination %m is a memref, so `writable` must be said\n");
}

TEST(VerifyMaterialize, RestrictAndWritableAreNotSaidOfTensors) {
  EXPECT_EQ(violations("%t: tensor<4xf32>, %d: tensor<4xf32>",
                       "%r = bufferization.materialize_in_destination %t in restrict writable %d : "
                       "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"),
            "materialize-flags: the destination %d is a tensor, so `writable` cannot be said\n"
            "materialize-flags: the destination %d is a tensor, so `restrict` cannot be said\n");
}

TEST(VerifyMaterialize, IntoATensorGivesThatTensor) {
  EXPECT_EQ(violations("%t: tensor<4xf32>, %d: tensor<4xf32>",
                       "%r = bufferization.materialize_in_destination %t in %d : "
                       "(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>"),
            "");
}

TEST(VerifyCopy, ShapesAndElementTypesAgree) {
  EXPECT_EQ(violations("%a: memref<4xf32>, %b: memref<5xf32>",
                       "memref.copy %a, %b : memref<4xf32> to memref<5xf32>"),
            "copy-type: %a : memref<4xf32> cannot be copied to %b : memref<5xf32>: shape and "
            "element type must agree\n");
  EXPECT_EQ(violations("%a: memref<4xf32>, %b: memref<4xi32>",
                       "memref.copy %a, %b : memref<4xf32> to memref<4xi32>"),
            "copy-type: %a : memref<4xf32> cannot be copied to %b : memref<4xi32>: shape and "
            "element type must agree\n");
}

TEST(VerifyAlloc, TheAlignmentIsAPowerOfTwo) {
  EXPECT_EQ(violations("", "%a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>"), "");
  EXPECT_EQ(violations("", "%a = memref.alloc() {alignment = 48 : i64} : memref<4xf32>"),
            "alignment: an alignment must be a power of two, but this is 48\n");
  EXPECT_EQ(violations("", "%a = memref.alloc() {alignment = 0 : i64} : memref<4xf32>"),
            "alignment: an alignment must be a power of two, but this is 0\n");
}

TEST(VerifyDealloc, OnlyAllocatedBuffersAreDeallocated) {
  EXPECT_EQ(violations("%m: memref<4xf32>", "memref.dealloc %m : memref<4xf32>"),
            "dealloc-target: only what memref.alloc gave can be deallocated, and "
            "%m : memref<4xf32> is not that\n");
}

TEST(VerifyDealloc, ABufferIsDeallocatedOnce) {
  EXPECT_EQ(violations("", "%a = memref.alloc() : memref<4xf32>\n"
                           "memref.dealloc %a : memref<4xf32>\n"
                           "memref.dealloc %a : memref<4xf32>"),
            "double-dealloc: %a is deallocated twice\n");
}

TEST(VerifyDealloc, ABufferIsNotUsedAfterwards) {
  EXPECT_EQ(violations("%m: memref<4xf32>", "%a = memref.alloc() : memref<4xf32>\n"
                                            "memref.dealloc %a : memref<4xf32>\n"
                                            "memref.copy %a, %m : memref<4xf32> to memref<4xf32>"),
            "use-after-dealloc: %a is used after its dealloc\n");
}

TEST(VerifyScalar, FloatOpsWorkOnFloats) {
  EXPECT_EQ(violations("%a: i32", "%r = arith.addf %a, %a : i32"),
            "scalar-type: arith.addf works on f32 or f64, not on i32\n");
  EXPECT_EQ(violations("%a: index", "%r = math.exp %a : index"),
            "scalar-type: math.exp works on f32 or f64, not on index\n");
}

TEST(VerifyScalar, IntegerOpsWorkOnIntegers) {
  EXPECT_EQ(violations("%a: index", "%r = arith.addi %a, %a : index"), "");
  EXPECT_EQ(violations("%a: f64", "%r = arith.muli %a, %a : f64"),
            "scalar-type: arith.muli works on i1, i32, i64 or index, not on f64\n");
}

TEST(VerifyScalar, ComparisonsAreOfTheirKind) {
  EXPECT_EQ(violations("%a: i32", "%r = arith.cmpf olt, %a, %a : i32"),
            "scalar-type: arith.cmpf works on f32 or f64, not on i32\n");
  EXPECT_EQ(violations("%a: f32", "%r = arith.cmpi slt, %a, %a : f32"),
            "scalar-type: arith.cmpi works on i1, i32, i64 or index, not on f32\n");
}

TEST(VerifyScalar, CastsGoWhereTheirRuleSays) {
  EXPECT_EQ(violations("%a: f64", "%r = arith.extf %a : f64 to f32"),
            "scalar-type: arith.extf does not go from f64 to f32\n");
  EXPECT_EQ(violations("%a: index", "%r = arith.sitofp %a : index to f32"),
            "scalar-type: arith.sitofp does not go from index to f32\n");
}

// ---- IR that text cannot say, as a pass could leave it -----------------------------------------

const std::string kScalars = R"(
func.func @f(%a: f32, %b: f64, %c: i1, %t: tensor<4xf32>) {
  %r = arith.addf %a, %a : f32
  %s = arith.select %c, %r, %r : f32
  return
})";

TEST(VerifyScalar, OperandsOfOneOpHaveOneType) {
  Function function = function_from(kScalars);
  function.ops[0].as<ScalarInst>()->operands[1] = function.args[1].value;
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "scalar-type: operand 1 of arith.addf is f64, but operand 0 is f32\n");
}

TEST(VerifyScalar, TheConditionOfASelectIsATruthValue) {
  Function function = function_from(kScalars);
  function.ops[1].as<ScalarInst>()->operands[0] = function.args[0].value;
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "scalar-type: the condition of arith.select is f32 where i1 is needed\n");
}

TEST(VerifyScalar, TheResultHasTheTypeOfTheOperands) {
  Function function = function_from(kScalars);
  function.value(function.ops[1].results[0]).type = scalar_type(ElementType::I32);
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "scalar-type: the result of arith.select is i32 where f32 is needed\n");
}

TEST(VerifyScalar, OperandsAreScalars) {
  Function function = function_from(kScalars);
  function.ops[0].as<ScalarInst>()->operands[0] = function.args[3].value;
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "operand-kind: arith.addf works on scalars, but %t : tensor<4xf32> is none\n");
}

TEST(VerifyScalar, LinalgIndexStandsInABodyOnly) {
  Function function = function_from(kScalars);
  ScalarInst* inst = function.ops[1].as<ScalarInst>();
  inst->op = ScalarOp::LoopIndex;
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "op-place: linalg.index stands outside of a body, where there are no loops\n");
}

TEST(VerifyDefinitions, AUseComesAfterItsDefinition) {
  Function function = function_from(kScalars);
  std::swap(function.ops[0], function.ops[1]);
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "use-before-definition: %r is used before its definition\n"
            "use-before-definition: %r is used before its definition\n");
}

TEST(VerifyDefinitions, AnOpDoesNotUseItsOwnResult) {
  Function function = function_from(kScalars);
  ScalarInst* inst = function.ops[0].as<ScalarInst>();
  inst->operands[0] = inst->result;
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "use-before-definition: %r is used before its definition\n");
}

TEST(VerifyDefinitions, AUseHasADefinition) {
  Function function = function_from(kScalars);
  function.ops[0] = Op{{}, {}, ErasedOp{}};
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "undefined-value: %r is used, but nothing defines it\n"
            "undefined-value: %r is used, but nothing defines it\n");
}

TEST(VerifyDefinitions, AValueHasOneDefinition) {
  Function function = function_from(kScalars);
  const ValueId r = function.ops[0].results[0];
  function.ops[1].as<ScalarInst>()->operands = {function.args[2].value, function.args[0].value,
                                                function.args[0].value};
  function.ops[1].as<ScalarInst>()->result = r;
  function.ops[1].results = {r};
  EXPECT_EQ(violations_in(function, Level::Tensor), "value-redefined: %r has two definitions\n");
}

const std::string kTwoBodies = R"(
func.func @f(%e: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : memref<4xf32>) {
  ^bb0(%o: f32):
    %1 = arith.addf %o, %o : f32
    %2 = arith.mulf %1, %1 : f32
    linalg.yield %2 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : memref<4xf32>) {
  ^bb0(%p: f32):
    linalg.yield %p : f32
  }
  return
})";

TEST(VerifyDefinitions, TheValuesOfOneBodyAreNotSeenByAnother) {
  Function function = function_from(kTwoBodies);
  const Body& first = function.ops[0].as<GenericOp>()->body;
  function.ops[1].as<GenericOp>()->body.yields = {first.insts[0].result};
  EXPECT_EQ(violations_in(function, Level::Buffer),
            "undefined-value: %1 is used here, but is a value inside the body of a generic\n");
}

TEST(VerifyDefinitions, InABodyToAUseComesAfterItsDefinition) {
  Function function = function_from(kTwoBodies);
  Body& body = function.ops[0].as<GenericOp>()->body;
  std::swap(body.insts[0], body.insts[1]);
  EXPECT_EQ(violations_in(function, Level::Buffer),
            "use-before-definition: %1 is used before its definition\n"
            "use-before-definition: %1 is used before its definition\n");
}

TEST(VerifyDefinitions, TwoBodiesDoNotShareAValue) {
  Function function = function_from(kTwoBodies);
  Body& second = function.ops[1].as<GenericOp>()->body;
  second.args = function.ops[0].as<GenericOp>()->body.args;
  second.yields = second.args;
  EXPECT_EQ(violations_in(function, Level::Buffer), "value-redefined: %o has two definitions\n");
}

TEST(VerifyBuffers, AConstantIsNotWritten) {
  Function function = function_from("func.func @f(%m: memref<4xf32>) {\n"
                                    "%a = memref.alloc() : memref<4xf32>\n"
                                    "memref.copy %m, %a : memref<4xf32> to memref<4xf32>\n"
                                    "return\n}");
  function.ops[0].kind = DenseOp{true, {0}};
  EXPECT_EQ(violations_in(function, Level::Buffer),
            "constant-write: memref.copy writes %a, which is a constant\n");
}

TEST(VerifyDense, AConstantHasAllItsElements) {
  Function function = function_from("func.func @f() {\n"
                                    "%k = arith.constant dense<[1, 2]> : tensor<2xi32>\n"
                                    "return\n}");
  function.ops[0].as<DenseOp>()->bits.push_back(3);
  EXPECT_EQ(violations_in(function, Level::Tensor),
            "dense-shape: the constant has 3 elements where tensor<2xi32> has 2\n");
}

} // namespace
} // namespace mo

#include "ir/walk.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/ir/from_text.h"

namespace mo {
namespace {

char letter(Role role) {
  switch (role) {
  case Role::Input: return 'r';
  case Role::Init: return 'w';
  case Role::Capture: return 'c';
  case Role::Source: return 's';
  }
  return '?';
}

/// "x:r0 e:w1 s:c2": name, role, number of each operand.
std::string operands(const Function& function, size_t op) {
  std::string text;
  for_each_operand(function.ops.at(op), [&](ValueId v, Role role, unsigned k) {
    text +=
        fmt::format("{}{}:{}{}", text.empty() ? "" : " ", function.value(v).name, letter(role), k);
  });
  return text;
}

const std::string kTensors = R"(
func.func @f(%m: memref<4xf32>, %o: memref<4xf32>, %s: f32, %c: i1) -> (tensor<4xf32>, f32) {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %p = arith.select %c, %s, %s : f32
  %e = tensor.empty() : tensor<4xf32>
  %g = linalg.fill ins(%p : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t, %s : tensor<4xf32>, f32) outs(%g : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.addf %a, %p : f32
    %2 = arith.addf %1, %s : f32
    %3 = arith.addf %2, %p : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  return %r, %p : tensor<4xf32>, f32
})";

const std::string kBuffers = R"(
func.func @f(%m: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
})";

const GenericOp& generic_of(const Function& function) {
  for (const Op& op : function.ops)
    if (const auto* generic = op.as<GenericOp>())
      return *generic;
  throw std::runtime_error("no generic");
}

/// A generic over one input and one init, with the given maps, iterators and shapes.
Function one_generic(const std::string& maps, const std::string& iterators,
                     const std::string& input, const std::string& init,
                     const std::string& yield = "%i") {
  return function_from(fmt::format(R"(
func.func @f(%x: {2}, %e: {3}) {{
  %r = linalg.generic {{indexing_maps = [{0}], iterator_types = [{1}]}} ins(%x : {2}) outs(%e : {3}) {{
  ^bb0(%i: f32, %o: f32):
    linalg.yield {4} : f32
  }} -> {3}
  return
}})",
                                   maps, iterators, input, init, yield));
}

TEST(ForEachOperand, AGenericHasInputsThenInitsThenOneCapturePerMention) {
  EXPECT_EQ(operands(function_from(kTensors), 4), "t:r0 s:r1 g:w2 p:c3 s:c4 p:c5");
}

TEST(ForEachOperand, EveryOpOnTensorsNamesItsOperandsInTextualOrder) {
  const Function function = function_from(kTensors);
  EXPECT_EQ(operands(function, 0), "m:s0");
  EXPECT_EQ(operands(function, 1), "c:r0 s:r1 s:r2");
  EXPECT_EQ(operands(function, 2), "");
  EXPECT_EQ(operands(function, 3), "p:r0 e:w1");
  EXPECT_EQ(operands(function, 5), "r:r0 o:w1");
  EXPECT_EQ(operands(function, 6), "r:r0 p:r1");
}

TEST(ForEachOperand, EveryOpOnBuffersNamesItsOperands) {
  const Function function = function_from(kBuffers);
  EXPECT_EQ(operands(function, 0), "");
  EXPECT_EQ(operands(function, 1), "m:r0 a:w1");
  EXPECT_EQ(operands(function, 2), "a:s0");
}

TEST(ForEachOperand, AYieldedOuterScalarIsACapture) {
  const Function function = function_from(R"(
func.func @f(%s: f32, %e: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : memref<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %s : f32
  }
  return
})");
  EXPECT_EQ(operands(function, 0), "e:w0 s:c1");
}

TEST(DefUse, ValuesKnowWhoDefinesThem) {
  const Function function = function_from(kTensors);
  const DefUse def_use(function);
  const auto definition_of = [&](const std::string& name) {
    for (uint32_t v = 0; v < function.values.size(); ++v)
      if (function.values[v].name == name)
        return def_use.def({v});
    return Definition{};
  };
  EXPECT_EQ(definition_of("o").kind, Definition::Kind::Argument);
  EXPECT_EQ(definition_of("o").number, 1u);
  EXPECT_EQ(definition_of("g").kind, Definition::Kind::Result);
  EXPECT_EQ(definition_of("g").op, OpId{3});
  EXPECT_EQ(definition_of("out").kind, Definition::Kind::InBody);
  EXPECT_EQ(definition_of("2").op, OpId{4});
}

TEST(DefUse, AnErasedDefinitionIsNone) {
  Function function = function_from(kBuffers);
  const ValueId a = function.ops[0].results[0];
  function.ops[0] = Op{{}, {}, ErasedOp{}};
  EXPECT_EQ(DefUse(function).def(a).kind, Definition::Kind::None);
}

TEST(DefUse, UsesAreInProgramOrderCapturesIncluded) {
  const Function function = function_from(kTensors);
  const DefUse def_use(function);
  const ValueId p = function.ops[1].results[0];
  std::string text;
  for (const DefUse::Use& use : def_use.uses_of(p))
    text += fmt::format("op{}:{}{} ", use.op.index, letter(use.role), use.operand);
  EXPECT_EQ(text, "op3:r0 op4:c3 op4:c5 op6:r1 ");
}

TEST(LoopExtents, ComeFromTheFirstOperandThatNamesTheLoop) {
  const Function function =
      one_generic("affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1)>",
                  R"("parallel", "parallel", "reduction")", "tensor<7x3xf32>", "tensor<3x5xf32>");
  EXPECT_EQ(loop_extents(function, generic_of(function)), (std::vector<int64_t>{3, 5, 7}));
}

TEST(LoopExtents, SumsAndConstantsDetermineNothing) {
  const Function function =
      one_generic("affine_map<(d0, d1) -> (d0 + d1, 0)>, affine_map<(d0, d1) -> (d1)>",
                  R"("reduction", "parallel")", "tensor<7x3xf32>", "tensor<5xf32>");
  EXPECT_EQ(inferred_extents(function, generic_of(function)),
            (std::vector<std::optional<int64_t>>{std::nullopt, 5}));
}

TEST(LoopExtents, AGenericOfRankZeroHasNone) {
  const Function function =
      one_generic("affine_map<() -> ()>, affine_map<() -> ()>", "", "tensor<f32>", "tensor<f32>");
  EXPECT_EQ(loop_extents(function, generic_of(function)), std::vector<int64_t>{});
}

TEST(LoopExtents, MapsThatDoNotFitTheirOperandsAreReadAsFarAsTheyGo) {
  const Function function =
      one_generic("affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0) -> (d0)>",
                  R"("parallel")", "tensor<7xf32>", "tensor<5xf32>");
  EXPECT_EQ(inferred_extents(function, generic_of(function)),
            (std::vector<std::optional<int64_t>>{7}));
}

TEST(BodyReadsInit, SeesAYieldAndAnOperand) {
  const std::string maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>";
  const Function ignores = one_generic(maps, R"("parallel")", "tensor<4xf32>", "tensor<4xf32>");
  EXPECT_FALSE(body_reads_init(generic_of(ignores), 0));
  const Function yields =
      one_generic(maps, R"("parallel")", "tensor<4xf32>", "tensor<4xf32>", "%o");
  EXPECT_TRUE(body_reads_init(generic_of(yields), 0));
  const Function adds = function_from(R"(
func.func @f(%x: memref<4xf32>, %e: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<4xf32>) outs(%e : memref<f32>) {
  ^bb0(%i: f32, %o: f32):
    %s = arith.addf %o, %i : f32
    linalg.yield %s : f32
  }
  return
})");
  EXPECT_TRUE(body_reads_init(generic_of(adds), 0));
}

TEST(AllParallel, OneReductionIsEnoughToSayNo) {
  const Function yes =
      one_generic("affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>",
                  R"("parallel", "parallel")", "tensor<4x4xf32>", "tensor<4x4xf32>");
  const Function no = one_generic("affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>",
                                  R"("parallel", "reduction")", "tensor<4x4xf32>", "tensor<4xf32>");
  EXPECT_TRUE(all_parallel(generic_of(yes)));
  EXPECT_FALSE(all_parallel(generic_of(no)));
}

TEST(Spelling, EveryOpIsNamedAsInTheText) {
  std::string text;
  for (const Op& op : function_from(kTensors).ops)
    text += std::string(spelling(op)) + " ";
  for (const Op& op : function_from(kBuffers).ops)
    text += std::string(spelling(op)) + " ";
  EXPECT_EQ(text, "bufferization.to_tensor arith.select tensor.empty linalg.fill linalg.generic "
                  "bufferization.materialize_in_destination return "
                  "memref.alloc memref.copy memref.dealloc return ");
}

} // namespace
} // namespace mo

#include "ir/function.h"

#include <gtest/gtest.h>

#include "ir/walk.h"
#include "tests/ir/from_text.h"

namespace mo {
namespace {

const std::string kDouble = R"(
func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %two : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
})";

std::vector<std::string> names(const Function& function) {
  std::vector<std::string> result;
  for (const Value& value : function.values)
    result.push_back(value.name);
  return result;
}

TEST(Function, AddValueGivesTheNextRow) {
  Function function;
  const ValueId a = function.add_value("a", scalar_type(ElementType::F32), {1, 2});
  const ValueId b = function.add_value("b", scalar_type(ElementType::I1), {});
  EXPECT_EQ(a.index, 0u);
  EXPECT_EQ(b.index, 1u);
  EXPECT_EQ(function.value(a).name, "a");
  EXPECT_EQ(function.value(a).loc, (Loc{1, 2}));
  EXPECT_EQ(function.type(b), scalar_type(ElementType::I1));
}

TEST(Function, ACopyIsASnapshot) {
  Function function = function_from(kDouble);
  const Function snapshot = function;
  function.value(function.args[0].value).name = "renamed";
  function.ops.clear();
  EXPECT_EQ(snapshot.value(snapshot.args[0].value).name, "x");
  EXPECT_EQ(snapshot.ops.size(), 4u);
}

TEST(Module, FindsAFunctionByItsName) {
  const Module module = module_from("func.func @a() { return }\nfunc.func @b() { return }");
  EXPECT_EQ(module.find("b"), &module.functions[1]);
  EXPECT_EQ(module.find("c"), nullptr);
}

TEST(LevelOf, AFunctionWithATensorAnywhereIsOnTensors) {
  EXPECT_EQ(level_of(function_from("func.func @f(%t: tensor<f32>) { return }")), Level::Tensor);
  EXPECT_EQ(
      level_of(function_from("func.func @f() { %e = tensor.empty() : tensor<4xf32> return }")),
      Level::Tensor);
}

TEST(LevelOf, AFunctionWithoutTensorsIsOnBuffers) {
  EXPECT_EQ(level_of(function_from("func.func @f(%m: memref<4xf32>, %s: f32) { return }")),
            Level::Buffer);
  EXPECT_EQ(level_of(function_from("func.func @f() { return }")), Level::Buffer);
}

TEST(LevelOf, ATensorThatNothingMentionsAnyMoreDoesNotCount) {
  Function function =
      function_from("func.func @f() { %e = tensor.empty() : tensor<4xf32> return }");
  function.ops[0] = Op{{}, {}, ErasedOp{}};
  EXPECT_EQ(level_of(function), Level::Buffer);
}

TEST(Compact, LeavesAFunctionWithoutGapsAsItIs) {
  Function function = function_from(kDouble);
  const std::vector<std::string> before = names(function);
  compact(function);
  EXPECT_EQ(names(function), before);
  EXPECT_EQ(violations_in(function, Level::Tensor), "");
}

TEST(Compact, DropsErasedOpsAndWhatTheyDefined) {
  Function function = function_from(R"(
func.func @f() -> tensor<4xf32> {
  %dead = tensor.empty() : tensor<5xf32>
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
})");
  function.ops[0] = Op{{}, {}, ErasedOp{}};
  compact(function);
  EXPECT_EQ(names(function), std::vector<std::string>{"e"});
  EXPECT_EQ(function.ops.size(), 2u);
  EXPECT_EQ(violations_in(function, Level::Tensor), "");
}

TEST(Compact, KeepsTheOrderOfWhatStays) {
  Function function;
  std::vector<ValueId> ids;
  for (const char* name : {"a", "gone", "b", "gone", "c"})
    ids.push_back(function.add_value(name, scalar_type(ElementType::F32), {}));
  function.args = {{ids[4], {}, false}, {ids[0], {}, false}, {ids[2], {}, false}};
  function.ops.push_back({{}, {}, ErasedOp{}});
  function.ops.push_back({{}, {}, ReturnOp{}});
  compact(function);
  EXPECT_EQ(names(function), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(function.args[0].value.index, 2u);
  EXPECT_EQ(function.args[1].value.index, 0u);
}

TEST(Compact, RenumbersEveryPlaceAnIdCanStand) {
  const std::string all_ops = R"(
func.func @f(%m: memref<4xf32>, %o: memref<4xf32>, %c: i1, %s: f32) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %p = arith.select %c, %s, %s : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%p : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t, %k : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %1 = arith.addf %a, %b : f32
    %2 = arith.addf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  return %r : tensor<4xf32>
})";
  Function function = function_from(all_ops);
  // A gap in front of everything: every id has to move.
  Function shifted = function;
  shifted.values.insert(shifted.values.begin(), Value{"gap", scalar_type(ElementType::F32), {}});
  const auto shift = [](ValueId& v) { ++v.index; };
  const auto shift_all = [&](std::vector<ValueId>& ids) {
    std::for_each(ids.begin(), ids.end(), shift);
  };
  const auto shift_inst = [&](ScalarInst& inst) {
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      shift(inst.operands[k]);
    shift(inst.result);
  };
  for (Argument& arg : shifted.args)
    shift(arg.value);
  for (Op& op : shifted.ops) {
    shift_all(op.results);
    if (auto* generic = op.as<GenericOp>()) {
      for (auto* ids :
           {&generic->inputs, &generic->inits, &generic->body.args, &generic->body.yields})
        shift_all(*ids);
      for (ScalarInst& inst : generic->body.insts)
        shift_inst(inst);
    }
    if (auto* fill = op.as<FillOp>())
      shift(fill->value), shift(fill->init);
    if (auto* to_tensor = op.as<ToTensorOp>())
      shift(to_tensor->memref);
    if (auto* materialize = op.as<MaterializeOp>())
      shift(materialize->source), shift(materialize->dest);
    if (auto* inst = op.as<ScalarInst>())
      shift_inst(*inst);
    if (auto* ret = op.as<ReturnOp>())
      shift_all(ret->values);
  }
  compact(shifted);
  EXPECT_EQ(names(shifted), names(function));
  EXPECT_EQ(violations_in(shifted, Level::Tensor), "");
  const DefUse before(function), after(shifted);
  for (size_t v = 0; v < function.values.size(); ++v)
    EXPECT_EQ(after.uses[v].size(), before.uses[v].size()) << function.values[v].name;
}

TEST(Compact, HoldsTheBuffersOfAllocDeallocAndCopy) {
  Function function = function_from(R"(
func.func @f(%m: memref<4xf32>) {
  %gone = memref.alloc() : memref<5xf32>
  %a = memref.alloc() : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
})");
  function.ops[0] = Op{{}, {}, ErasedOp{}};
  compact(function);
  EXPECT_EQ(names(function), (std::vector<std::string>{"m", "a"}));
  EXPECT_EQ(violations_in(function, Level::Buffer), "");
}

} // namespace
} // namespace mo

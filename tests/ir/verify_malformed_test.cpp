// IR built by hand, or left by a pass, that is not even sound data. The verifier has to say so
// without reading outside of a table.
#include <gtest/gtest.h>
#include <random>

#include "ir/print.h"
#include "tests/ir/from_text.h"

namespace mo {
namespace {

Function parse_small() {
  return function_from(R"(
func.func @f(%x: memref<4xf32>, %s: f32) {
  %c = arith.constant true
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%x : memref<4xf32>) {
  ^bb0(%o: f32):
    %m = arith.mulf %o, %s : f32
    linalg.yield %m : f32
  }
  return
})");
}

/// A function to break: parsed once, copied often.
Function small() {
  static const Function parsed = parse_small();
  return parsed;
}

std::string violations(const Function& function) {
  return violations_in(function, Level::Buffer);
}

const std::string kOutside = "value 4294967295 of a function that has 5\n";

TEST(VerifyMalformed, TheFunctionTheseTestsBreakIsValid) {
  EXPECT_EQ(violations(small()), "");
}

TEST(VerifyMalformed, AnIdOutsideTheTableIsReportedWhereverItStands) {
  const ValueId outside{};
  const auto broken = [&](auto&& breaks) {
    Function function = small();
    breaks(function, *function.ops[1].as<GenericOp>());
    return violations(function);
  };
  EXPECT_EQ(broken([&](Function& f, GenericOp&) { f.args[0].value = outside; }),
            "malformed-ir: an argument is " + kOutside);
  EXPECT_EQ(broken([&](Function&, GenericOp& g) { g.inits[0] = outside; }),
            "malformed-ir: an init is " + kOutside);
  EXPECT_EQ(broken([&](Function&, GenericOp& g) { g.inputs = {outside}; }),
            "malformed-ir: an input is " + kOutside);
  EXPECT_EQ(broken([&](Function&, GenericOp& g) { g.body.args[0] = outside; }),
            "malformed-ir: a block argument is " + kOutside);
  EXPECT_EQ(broken([&](Function&, GenericOp& g) { g.body.insts[0].operands[1] = outside; }),
            "malformed-ir: an operand is " + kOutside);
  EXPECT_EQ(broken([&](Function&, GenericOp& g) { g.body.insts[0].result = outside; }),
            "malformed-ir: a result is " + kOutside);
  EXPECT_EQ(broken([&](Function&, GenericOp& g) { g.body.yields[0] = outside; }),
            "malformed-ir: a yielded value is " + kOutside);
  EXPECT_EQ(broken([&](Function& f, GenericOp&) { f.ops[1].results = {outside}; }),
            "malformed-ir: a result is " + kOutside);
  EXPECT_EQ(broken([&](Function& f, GenericOp&) { f.ops[1].kind = DeallocOp{outside}; }),
            "malformed-ir: an operand is " + kOutside);
}

TEST(VerifyMalformed, SeveralAreAllReported) {
  Function function = small();
  function.ops[1].as<GenericOp>()->inits[0] = {};
  function.ops[1].as<GenericOp>()->body.yields[0] = {};
  EXPECT_EQ(violations(function), "malformed-ir: an init is " + kOutside +
                                      "malformed-ir: a yielded value is " + kOutside);
}

TEST(VerifyMalformed, AScalarOpOutsideTheTable) {
  Function function = small();
  function.ops[1].as<GenericOp>()->body.insts[0].op = static_cast<ScalarOp>(255);
  EXPECT_EQ(violations(function), "malformed-ir: scalar op number 255 where there are " +
                                      std::to_string(num_scalar_ops()) + "\n");
}

TEST(VerifyMalformed, APredicateOutsideTheTable) {
  Function function = function_from("func.func @f(%a: f32) {\n"
                                    "%r = arith.cmpf olt, %a, %a : f32\nreturn\n}");
  function.ops[0].as<ScalarInst>()->predicate = 16;
  EXPECT_EQ(violations(function), "malformed-ir: arith.cmpf has no predicate 16\n");
}

TEST(VerifyMalformed, AnElementTypeThatDoesNotExist) {
  Function function = small();
  function.values[0].type.element = static_cast<ElementType>(9);
  EXPECT_EQ(violations(function), "malformed-ir: a type that does not exist\n");
}

TEST(VerifyMalformed, AScalarWithAShape) {
  Function function = small();
  function.value(function.args[1].value).type.shape = {4};
  EXPECT_EQ(violations(function), "malformed-ir: a scalar type with a shape\n");
}

TEST(VerifyMalformed, ANegativeExtent) {
  Function function = small();
  function.value(function.args[0].value).type.shape = {-4};
  EXPECT_EQ(violations(function), "element-count: memref<-4xf32> has a negative extent or more "
                                  "bytes than 64 bits count\n");
}

TEST(VerifyMalformed, ConstantBitsBeyondTheWidthOfTheType) {
  Function function = small();
  function.ops[0].as<ScalarInst>()->immediate = 2;
  EXPECT_EQ(violations(function), "malformed-ir: constant bits 0x2 where i1 has 1\n");
}

TEST(VerifyMalformed, AScalarOpWhoseResultIsNotTheOps) {
  Function function = small();
  function.ops[0].results.clear();
  EXPECT_EQ(violations(function), "malformed-ir: a scalar op whose result is not the op's\n");
}

TEST(VerifyMalformed, ResultsOnAnOpThatHasNone) {
  Function function = small();
  function.ops[1].kind = ErasedOp{};
  function.ops[1].results = {function.add_value("r", scalar_type(ElementType::F32), {})};
  EXPECT_EQ(violations(function), "malformed-ir: erased cannot have 1 result\n");
}

TEST(VerifyMalformed, AGenericThatWritesNothing) {
  Function function = small();
  function.ops[1].kind = GenericOp{};
  EXPECT_EQ(violations(function), "malformed-ir: linalg.generic has no outs: it writes nothing\n");
}

TEST(VerifyMalformed, AFunctionWithoutAReturn) {
  Function function = small();
  function.ops.pop_back();
  EXPECT_EQ(violations(function), "missing-terminator: @f does not end in a return\n");
}

TEST(VerifyMalformed, AReturnInTheMiddle) {
  Function function = small();
  function.ops.insert(function.ops.begin(), Op{{}, {}, ReturnOp{}});
  EXPECT_EQ(violations(function), "malformed-ir: a return in the middle of the function\n");
}

TEST(VerifyMalformed, AnEmptyFunctionObject) {
  EXPECT_EQ(violations(Function{}), "missing-terminator: @ does not end in a return\n");
}

/// One random id, enumerator or number of the function gets a random value.
void damage(Function& function, std::mt19937_64& random) {
  GenericOp& generic = *function.ops[1].as<GenericOp>();
  const ValueId id{static_cast<uint32_t>(random() % 2 == 0 ? random() : random() % 8)};
  const auto number = static_cast<uint8_t>(random());
  switch (random() % 14) {
  case 0: function.args[random() % 2].value = id; break;
  case 1: generic.inits.push_back(id); break;
  case 2: generic.inputs.push_back(id); break;
  case 3: generic.body.args[0] = id; break;
  case 4: generic.body.insts[0].operands[random() % 3] = id; break;
  case 5: generic.body.insts[0].op = static_cast<ScalarOp>(number); break;
  case 6: generic.body.insts[0].immediate = random(); break;
  case 7: generic.body.yields.assign(random() % 3, id); break;
  case 8: generic.maps[0] = AffineMap(number % 4, number % 3); break;
  case 9: generic.iterators.resize(number % 5); break;
  case 10: function.values[random() % 5].type.element = static_cast<ElementType>(number); break;
  case 11: function.values[random() % 5].type.kind = static_cast<Type::Kind>(number % 4); break;
  case 12: function.values[random() % 5].type.shape.assign(number % 3, int64_t{number} - 9); break;
  case 13: function.ops[random() % 3].results.push_back(id); break;
  }
}

/// A module of small(), damaged in one to three places.
Module damaged(uint64_t seed) {
  std::mt19937_64 random(seed);
  Module module;
  module.functions = {small()};
  for (uint64_t times = random() % 3 + 1; times > 0; --times)
    damage(module.functions[0], random);
  return module;
}

TEST(VerifyMalformed, AnyDamageIsSurvived) {
  unsigned refused = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const Module module = damaged(seed);
    Diagnostics diagnostics;
    verify(module, diagnostics);
    verify(module.functions[0], Level::Tensor, diagnostics);
    refused += diagnostics.has_errors();
  }
  EXPECT_EQ(refused, 3000u) << "at the tensor level even the undamaged function is wrong";
}

TEST(VerifyMalformed, WhatIsWrongButSoundCanBePrinted) {
  unsigned sound = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const Module module = damaged(seed);
    Diagnostics diagnostics;
    verify(module.functions[0], Level::Buffer, diagnostics);
    if (!is_sound(diagnostics))
      continue;
    ++sound;
    EXPECT_NE(print(module), "");
  }
  EXPECT_GT(sound, 300u);
  EXPECT_LT(sound, 2700u);
}

} // namespace
} // namespace mo

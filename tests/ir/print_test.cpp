// The exact text of what is printed, from IR that the parser read or a pass would make.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "ir/print.h"
#include "ir/value_names.h"
#include "tests/ir/from_text.h"

namespace mo {
namespace {

std::string reprinted(const std::string& text) {
  return print(module_from(text));
}

std::string f32(float value) {
  return print_constant(std::bit_cast<uint32_t>(value), ElementType::F32);
}
std::string f64(double value) {
  return print_constant(std::bit_cast<uint64_t>(value), ElementType::F64);
}

TEST(PrintConstant, FloatsWithSixDigitsAreWrittenAsMlirWritesThem) {
  EXPECT_EQ(f32(0), "0.000000e+00 : f32");
  EXPECT_EQ(f32(-0.0f), "-0.000000e+00 : f32");
  EXPECT_EQ(f32(1.1f), "1.100000e+00 : f32");
  EXPECT_EQ(f64(-2.5e300), "-2.500000e+300 : f64");
}

TEST(PrintConstant, OtherFloatsHaveAsManyDigitsAsTheyNeed) {
  EXPECT_EQ(f32(16777215.0f), "1.6777215e+07 : f32");
  EXPECT_EQ(f64(0.1 + 0.2), "3.0000000000000004e-01 : f64");
  EXPECT_EQ(f32(1.17549435e-38f), "1.1754944e-38 : f32");
}

TEST(PrintConstant, WhatIsNotFiniteIsWrittenAsItsBits) {
  EXPECT_EQ(f32(-INFINITY), "0xFF800000 : f32");
  EXPECT_EQ(print_constant(0x7FC00001, ElementType::F32), "0x7FC00001 : f32");
  EXPECT_EQ(f64(INFINITY), "0x7FF0000000000000 : f64");
}

TEST(PrintConstant, IntegersAreSigned) {
  EXPECT_EQ(print_constant(0xFFFFFFFF, ElementType::I32), "-1 : i32");
  EXPECT_EQ(print_constant(uint64_t{1} << 63, ElementType::I64), "-9223372036854775808 : i64");
  EXPECT_EQ(print_constant(7, ElementType::Index), "7 : index");
  EXPECT_EQ(print_constant(1, ElementType::I1), "true");
}

/// Do constants of these bits print as text that reads back as the same bits?
void expect_bits_survive(const std::vector<uint64_t>& all_bits, ElementType type) {
  std::string text = "func.func @f() {\n";
  for (const uint64_t bits : all_bits)
    text += "  arith.constant " + print_constant(bits, type) + "\n";
  const Function f = function_from(text + "  return\n}");
  for (size_t i = 0; i < all_bits.size(); ++i)
    ASSERT_EQ(f.ops[i].as<ScalarInst>()->immediate, all_bits[i]) << print(f, OpId{uint32_t(i)});
}

TEST(PrintConstant, FloatsReadBackAsTheirBits) {
  std::vector<uint64_t> f32_bits, f64_bits;
  uint64_t state = 1;
  for (int i = 0; i < 5000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    f32_bits.push_back(state >> 32);
    f64_bits.push_back(state);
  }
  expect_bits_survive(f32_bits, ElementType::F32);
  expect_bits_survive(f64_bits, ElementType::F64);
}

TEST(PrintDense, ShortListsAreNestedAndLongOnesAreBytes) {
  const std::string list = "func.func @f() {\n"
                           "  %c = arith.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>\n"
                           "  %e = arith.constant dense<> : tensor<0xf32>\n"
                           "  %s = arith.constant dense<1.500000e+00> : tensor<9xf32>\n"
                           "  %t = arith.constant dense<[true, false]> : tensor<2xi1>\n"
                           "  return\n}\n";
  EXPECT_EQ(reprinted(list), list);
  std::string numbers = "0";
  for (int i = 1; i <= 100; ++i)
    numbers += ", " + std::to_string(i);
  const std::string text = reprinted("func.func @f() {\n  %c = arith.constant dense<[" + numbers +
                                     "]> : tensor<101xi64>\n  return\n}");
  EXPECT_NE(text.find("dense<\"0x000000000000000001000000"), text.npos) << text;
  EXPECT_EQ(reprinted(text), text);
}

TEST(PrintModule, MapsBecomeAliasesInTheOrderOfTheirUse) {
  EXPECT_EQ(reprinted(R"(
#unused = affine_map<(d0) -> (d0 + 7)>
#a = affine_map<(i, j) -> (j, i)>
func.func @f(%t: tensor<2x3xf32>, %e: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = linalg.generic {iterator_types = ["parallel", "parallel"], indexing_maps = [#a, affine_map<(d0, d1) -> (d0, d1)>]}
      ins(%t : tensor<2x3xf32>)
      outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2xf32>
  func.return %r : tensor<3x2xf32>
})"),
            R"(#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%t: tensor<2x3xf32>, %e: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %r = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<2x3xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
)");
}

TEST(PrintModule, AModuleIsPrintedWhereOneWasWritten) {
  EXPECT_EQ(reprinted("module { func.func public @f() { return } }"),
            "module {\n  func.func public @f() {\n    return\n  }\n}\n");
}

TEST(PrintModule, EqualConstantBuffersShareAGlobal) {
  EXPECT_EQ(
      reprinted(R"(memref.global constant @x : memref<2xf32> = dense<1.0>
memref.global constant @y : memref<2xf32> = dense<[1.0, 2.0]>
func.func @f() {
  %a = memref.get_global @x : memref<2xf32>
  %b = memref.get_global @y : memref<2xf32>
  %c = memref.get_global @x : memref<2xf32>
  return
})"),
      R"(memref.global "private" constant @__constant_2xf32 : memref<2xf32> = dense<1.000000e+00>
memref.global "private" constant @__constant_2xf32_0 : memref<2xf32> = dense<[1.000000e+00, 2.000000e+00]>
func.func @f() {
  %a = memref.get_global @__constant_2xf32 : memref<2xf32>
  %b = memref.get_global @__constant_2xf32_0 : memref<2xf32>
  %c = memref.get_global @__constant_2xf32 : memref<2xf32>
  return
}
)");
}

TEST(PrintFunction, MapsStandInPlace) {
  const Function f = function_from(R"(
func.func @f(%m: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%m : memref<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  }
  return
})");
  EXPECT_NE(print(f).find("indexing_maps = [affine_map<(d0) -> (d0)>]"), std::string::npos);
  EXPECT_EQ(print(f, OpId{1}), "return");
}

TEST(PrintFunction, AttributesOfArgumentsAreKept) {
  const std::string text = "func.func private @f(%a: tensor<4xf32> {bufferization.writable = "
                           "false}, %b: memref<4xf32> {bufferize.result}, %c: f32) -> (f32, f32) "
                           "{\n  return %c, %c : f32, f32\n}\n";
  EXPECT_EQ(reprinted(text), text);
}

TEST(PrintFunction, ASymbolThatIsNoWordIsQuoted) {
  const std::string text = "func.func @\"a b\"() {\n  return\n}\n";
  EXPECT_EQ(reprinted(text), text);
}

// ---- names -------------------------------------------------------------------------------------

/// A function with one argument, %x : f32, and a negf of it under each of these names.
Function negations(const std::vector<std::string>& names) {
  Function f;
  f.name = "f";
  const Type type = scalar_type(ElementType::F32);
  const ValueId x = f.add_value("x", type, {});
  f.args.push_back({x, std::nullopt, false});
  for (const std::string& name : names) {
    ScalarInst inst;
    inst.op = ScalarOp::NegF;
    inst.operands[0] = x;
    inst.result = f.add_value(name, type, {});
    f.ops.push_back({{}, {inst.result}, inst});
  }
  f.ops.push_back({{}, {}, ReturnOp{}});
  return f;
}

using Names = std::vector<std::string>;

TEST(ValueNames, TheFirstOfANameKeepsIt) {
  EXPECT_EQ(value_names(negations({"r", "r", "r", "x"})), (Names{"x", "r", "r_0", "r_1", "x_0"}));
}

TEST(ValueNames, ASuffixedNameIsNotTakenFromOneWhoAsksForIt) {
  EXPECT_EQ(value_names(negations({"r", "r", "r_0", "r"})), (Names{"x", "r", "r_1", "r_0", "r_2"}));
}

TEST(ValueNames, NamelessValuesAreNumberedAroundTheNumbersInUse) {
  EXPECT_EQ(value_names(negations({"", "1", "", "0", "1"})), (Names{"x", "2", "1", "3", "0", "4"}));
}

TEST(ValueNames, WhatMlirCannotSpellIsMadeSpellable) {
  EXPECT_EQ(value_names(negations({"a b", "0a", "a#1"})), (Names{"x", "a_b", "_0a", "a_1"}));
}

TEST(ValueNames, RowsThatNothingDefinesHaveNone) {
  Function f = negations({"r"});
  f.add_value("gone", scalar_type(ElementType::F32), {});
  f.ops[0].kind = ErasedOp{};
  f.ops[0].results.clear();
  EXPECT_EQ(value_names(f), (Names{"x", "", ""}));
}

TEST(ValueNames, ManyOfOneNameTakeLinearTime) {
  const Names names = value_names(negations(Names(20000, "r")));
  EXPECT_EQ(names.back(), "r_19998");
}

/// A generic that has two inputs, an init, and three instructions in its body; all of these names.
Function generic_with_names(const Names& args, const Names& insts, const std::string& result) {
  Function f = function_from(R"(
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %n = arith.constant 1.0 : f32
  %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.addf %a, %b : f32
    %q = arith.addf %p, %n : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %g : tensor<4xf32>
})");
  const Op& op = f.ops[1];
  const Body& body = op.as<GenericOp>()->body;
  for (size_t i = 0; i < args.size(); ++i)
    f.value(body.args[i]).name = args[i];
  for (size_t i = 0; i < insts.size(); ++i)
    f.value(body.insts[i].result).name = insts[i];
  f.value(op.results[0]).name = result;
  return f;
}

std::string body_text(const Function& f) {
  const std::string text = print(f, OpId{1});
  return text.substr(text.find("^bb0"));
}

TEST(ValueNames, InABodyOfSeveralTheFirstKeepsTheNameAndOuterNamesAreTaken) {
  EXPECT_EQ(body_text(generic_with_names({"in", "in", "out"}, {"r", "n"}, "g")),
            "^bb0(%in: f32, %in_0: f32, %out: f32):\n"
            "  %r = arith.addf %in, %in_0 : f32\n"
            "  %n_0 = arith.addf %r, %n : f32\n"
            "  linalg.yield %n_0 : f32\n"
            "} -> tensor<4xf32>");
}

TEST(ValueNames, NamelessBlockArgumentsAreInAndOut) {
  EXPECT_EQ(body_text(generic_with_names({"", "", ""}, {"", ""}, "")),
            "^bb0(%in: f32, %in_0: f32, %out: f32):\n"
            "  %1 = arith.addf %in, %in_0 : f32\n"
            "  %2 = arith.addf %1, %n : f32\n"
            "  linalg.yield %2 : f32\n"
            "} -> tensor<4xf32>");
}

TEST(ValueNames, ABodyMayKeepTheNameOfItsOpsResult) {
  EXPECT_EQ(body_text(generic_with_names({"a", "b", "o"}, {"r", "s"}, "r")),
            "^bb0(%a: f32, %b: f32, %o: f32):\n"
            "  %r = arith.addf %a, %b : f32\n"
            "  %s = arith.addf %r, %n : f32\n"
            "  linalg.yield %s : f32\n"
            "} -> tensor<4xf32>");
}

TEST(ValueNames, WhatAPassLeavesUnderOneNamePrintsAndReadsBack) {
  const std::string text = print(generic_with_names({"n", "x", "g"}, {"x", "g"}, "x"));
  EXPECT_EQ(print(function_from(text)), text);
}

TEST(PrintOp, ResultsUnderDifferentNamesAreListed) {
  Function f = function_from(R"(
func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r:3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t, %t, %t : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    linalg.yield %a, %b, %c : f32, f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %r#2 : tensor<4xf32>
})");
  EXPECT_TRUE(print(f, OpId{0}).starts_with("%r:3 = linalg.generic"));
  f.value(f.ops[0].results[2]).name = "q";
  EXPECT_TRUE(print(f, OpId{0}).starts_with("%r:2, %q = linalg.generic"));
  EXPECT_EQ(print(f, OpId{1}), "return %q : tensor<4xf32>");
  f.value(f.ops[0].results[1]).name = "q";
  EXPECT_TRUE(print(f, OpId{0}).starts_with("%r, %q:2 = linalg.generic"));
  f.value(f.ops[0].results[2]).name = "r";
  EXPECT_TRUE(print(f, OpId{0}).starts_with("%r, %q, %r_0 = linalg.generic"));
}

TEST(PrintOp, InvalidIrPrintsWithoutReadingOutsideOfATable) {
  Function f = negations({"r"});
  f.ops[0].as<ScalarInst>()->operands[0] = ValueId{12345};
  EXPECT_EQ(print(f, OpId{0}), "%r = arith.negf %<undefined> : <undefined>");
}

} // namespace
} // namespace mo

#include "tests/ir/bad_inputs.h"

namespace mo {

namespace {

std::string repeat(const std::string& text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i)
    out += text;
  return out;
}

const std::string kNul(1, '\0');
const std::string kIdentity = "affine_map<(d0) -> (d0)>";

void add_characters(std::vector<BadInput>& rows) {
  rows.push_back(
      {DiagId::NulByte, "NUL byte", in_function("  %c = arith.constant $$" + kNul + "1 : i32")});
  rows.push_back({DiagId::NulByte, "NUL byte", "// a comment $$" + kNul + " goes on\n"});
  rows.push_back({DiagId::NulByte, "NUL byte", "module attributes {a = $$\"x" + kNul + "y\"} {}"});
  rows.push_back({DiagId::NotUtf8, "byte 0xFF", "// a comment $$\xFF goes on\n"});
  rows.push_back({DiagId::NotUtf8, "byte 0xC3", "$$\xC3 "});
  rows.push_back(
      {DiagId::NotUtf8, "is not UTF-8", "module attributes {a = $$\"\xED\xA0\x80\"} {}"});
  rows.push_back({DiagId::StrayCharacter, "'\xC3\xA9'",
                  in_function("  %r = arith.addf %a, $$\xC3\xA9%b : f32")});
  rows.push_back(
      {DiagId::StrayCharacter, "';' (0x3B)", in_function("  %r = arith.addf %a, %b : f32$$;")});
  rows.push_back({DiagId::BlockComment, "only // comments", "$$/* one\ntwo */ " + in_function("")});
  rows.push_back({DiagId::BlockComment, "only // comments", in_function("") + "$$/* never closed"});
  rows.push_back({DiagId::UnterminatedString, "not closed on its line",
                  generic("{indexing_maps = [" + kIdentity + ", " + kIdentity +
                          "], iterator_types = [\"parallel\"], doc = $$\"oops\n} ins(%t : "
                          "tensor<4xf32>) outs(%t : tensor<4xf32>)")});
}

void add_structure(std::vector<BadInput>& rows) {
  rows.push_back(
      {DiagId::UnexpectedEnd, "file ends before the '}' of @f", "func.func @f() {\n  return$$"});
  rows.push_back({DiagId::UnexpectedEnd, "file ends inside the module", "module {\n$$"});
  rows.push_back({DiagId::UnexpectedEnd, "expected ')'", "func.func @f(%x: f32$$"});
  rows.push_back({DiagId::UnexpectedEnd, "file ends inside the body",
                  "func.func @f(%t: tensor<4xf32>) {\n  linalg.generic {indexing_maps = [" +
                      kIdentity +
                      "], iterator_types = [\"parallel\"]} outs(%t : tensor<4xf32>) {\n  ^bb0(%o: "
                      "f32):\n    linalg.yield %o : f32\n$$"});
  rows.push_back({DiagId::UnexpectedToken, "expected ':', found 'f32'",
                  in_function("  %r = arith.addf %a, %b $$f32")});
  rows.push_back({DiagId::UnexpectedToken, "',' and operand 2 of the 2 that arith.addf takes",
                  in_function("  %r = arith.addf %a $$: f32")});
  rows.push_back({DiagId::UnexpectedToken, "math.exp takes 1 operand",
                  in_function("  %r = math.exp %a$$, %b : f32")});
  rows.push_back({DiagId::UnexpectedToken, "expected '('", "func.func @f $$[] {\n}"});
  rows.push_back({DiagId::UnexpectedToken, "another function starts before the '}' of @f",
                  "func.func @f() {\n  return\n$$func.func @g() {\n  return\n}"});
  rows.push_back(
      {DiagId::UnexpectedToken, "expected the '}' of the body in front of 'linalg.fill'",
       "func.func @f(%t: tensor<4xf32>, %a: f32) {\n  %g = linalg.generic {indexing_maps = [" +
           kIdentity +
           "], iterator_types = [\"parallel\"]} outs(%t : tensor<4xf32>) {\n  ^bb0(%o: f32):\n    "
           "linalg.yield %o : f32\n  $$%x = linalg.fill ins(%a : f32) outs(%t : tensor<4xf32>) -> "
           "tensor<4xf32>\n  return\n}"});
  rows.push_back({DiagId::UnexpectedToken, "in front of 'return'",
                  "func.func @f(%t: tensor<4xf32>) {\n  %g = linalg.generic {indexing_maps = [" +
                      kIdentity +
                      "], iterator_types = [\"parallel\"]} outs(%t : tensor<4xf32>) {\n  ^bb0(%o: "
                      "f32):\n    linalg.yield %o : f32\n  $$return\n}"});
  rows.push_back({DiagId::TooDeep, "100 nested parentheses",
                  with_maps(kIdentity + ", affine_map<(d0) -> (" + repeat("(", 100) + "$$" +
                            repeat("(", 99900) + "d0" + repeat(")", 100000) + ")>")});
  rows.push_back(
      {DiagId::TooDeep, "100 nested lists",
       in_function("  %c = arith.constant dense<" + repeat("[", 100) + "$$" + repeat("[", 99900) +
                   "1" + repeat("]", 100000) + "> : tensor<1xi32>")});
  rows.push_back({DiagId::TooDeep, "100 nested brackets",
                  "module attributes {a = " + repeat("{b = ", 100) + "$$" + repeat("{b = ", 99900) +
                      repeat("}", 100000) + "} {}"});
}

void add_literals(std::vector<BadInput>& rows) {
  const auto constant = [](const std::string& rest) {
    return in_function("  %c = arith.constant " + rest);
  };
  rows.push_back({DiagId::IntegerTooLarge, "does not fit in 64 bits",
                  constant("$$1234567890123456789012345678901234567890 : i64")});
  rows.push_back({DiagId::IntegerTooLarge, "does not fit in 64 bits",
                  constant("$$0x10000000000000000 : i64")});
  rows.push_back({DiagId::IntegerTooLarge, "larger than 9223372036854775807",
                  in_function("  %e = tensor.empty() : tensor<$$9223372036854775808xf32>")});
  rows.push_back({DiagId::IntegerTooLarge, "does not fit in 64 bits",
                  in_function("  %e = tensor.empty() : tensor<$$99999999999999999999xf32>")});
  rows.push_back(
      {DiagId::LiteralRange, "4294967296 does not fit in i32", constant("$$4294967296 : i32")});
  rows.push_back(
      {DiagId::LiteralRange, "-2147483649 does not fit in i32", constant("-$$2147483649 : i32")});
  rows.push_back({DiagId::LiteralRange, "2 does not fit in i1", constant("$$2 : i1")});
  rows.push_back({DiagId::LiteralRange, "too large for f32", constant("$$1.0e39 : f32")});
  rows.push_back({DiagId::LiteralRange, "too large for f64", constant("$$1.0e309 : f64")});
  rows.push_back(
      {DiagId::LiteralKind, "an integer, not a value of f32: write a dot", constant("$$1 : f32")});
  rows.push_back({DiagId::LiteralKind, "a float, not a value of i32", constant("$$1.0 : i32")});
  rows.push_back({DiagId::LiteralKind, "true is an i1, not a value of f32",
                  constant("dense<$$true> : tensor<2xf32>")});
  rows.push_back({DiagId::LiteralKind, "no sign in front", constant("-$$0x7FC00000 : f32")});
  rows.push_back({DiagId::LiteralKind, "is written dense<...>", constant("1.0 : $$tensor<4xf32>")});
  rows.push_back(
      {DiagId::HexFloatWidth, "an f32 are 8 hex digits; here are 4", constant("$$0x7FC0 : f32")});
  rows.push_back({DiagId::HexFloatWidth, "an f64 are 16 hex digits; here are 8",
                  constant("$$0x7FC00000 : f64")});
  rows.push_back({DiagId::HexFloatWidth, "here are 16",
                  constant("dense<[1.0, $$0x7FF8000000000000]> : tensor<2xf32>")});
  rows.push_back({DiagId::RaggedList, "a list of 1 where the first one at this depth has 2",
                  constant("dense<[[1, 2], $$[3]]> : tensor<2x2xi32>")});
  rows.push_back({DiagId::RaggedList, "inside 1 bracket, the first one is inside 2",
                  constant("dense<[[1, 2], $$3]> : tensor<2x2xi32>")});
  rows.push_back({DiagId::DenseShape, "the values have the shape 2, the type is tensor<3xi32>",
                  constant("dense$$<[1, 2]> : tensor<3xi32>")});
  rows.push_back({DiagId::DenseShape, "shape 2x3, the type is tensor<3x2xi32>",
                  constant("dense$$<[[1, 2, 3], [4, 5, 6]]> : tensor<3x2xi32>")});
  rows.push_back(
      {DiagId::DenseShape, "no values for the 3 elements", constant("dense$$<> : tensor<3xi32>")});
  rows.push_back({DiagId::DenseShape, "a dense constant is a tensor, not f32",
                  constant("dense<1.0> : $$f32")});
  rows.push_back({DiagId::DenseBytes,
                  "12 hex digits for a tensor<2xi32>, whose elements have 8 bytes",
                  constant("dense<$$\"0x010000000200\"> : tensor<2xi32>")});
  rows.push_back({DiagId::DenseBytes, "\"0x\" and hex digits",
                  constant("dense<$$\"0x0100000002000z\"> : tensor<2xi32>")});
}

void add_types(std::vector<BadInput>& rows) {
  const auto argument = [](const std::string& type) {
    return "func.func @f(%x: " + type + ") {\n  return\n}";
  };
  rows.push_back({DiagId::UnknownType, "'f16' is no type here", argument("$$f16")});
  rows.push_back({DiagId::UnknownType, "'i8' is no type here", argument("tensor<4x$$i8>")});
  rows.push_back({DiagId::UnknownType, "only f32, f64, i1", argument("$$!llvm.ptr")});
  rows.push_back({DiagId::DynamicShape, "'?' in a shape", argument("tensor<4x$$?xf32>")});
  rows.push_back({DiagId::DynamicShape, "'*' in a shape", argument("memref<$$*xf32>")});
  rows.push_back({DiagId::DynamicShape, "tensor.empty takes no sizes",
                  in_function("  %e = tensor.empty($$%n) : tensor<?xf32>")});
  rows.push_back({DiagId::DynamicShape, "memref.alloc takes no sizes",
                  in_function("  %e = memref.alloc($$%n) : memref<?xf32>")});
  rows.push_back(
      {DiagId::TypeLayout, "no layout but row-major", argument("memref<4xf32$$, strided<[2]>>")});
  rows.push_back({DiagId::TypeLayout, "no encoding", argument("tensor<4xf32$$, 1>")});
  rows.push_back({DiagId::TypeRank, "a memref has at most 64 dimensions",
                  argument("$$memref<" + repeat("1x", 65) + "f32>")});
  rows.push_back({DiagId::DenseShape, "the values have the shape 2x1x0",
                  in_function("  %c = arith.constant dense$$<[[[]], [1]]> : tensor<2x1x0xi32>")});
  rows.push_back({DiagId::ElementCount, "do not fit in 64 bits",
                  argument("$$tensor<4294967296x4294967296xf32>")});
  rows.push_back({DiagId::ElementCount, "do not fit in 64 bits",
                  argument("$$memref<9223372036854775807xi32>")});
}

void add_maps(std::vector<BadInput>& rows) {
  rows.push_back({DiagId::UnknownAlias, "'#mpa' is not defined above",
                  "#map = " + kIdentity + "\n" + with_maps("#map, $$#mpa")});
  rows.push_back({DiagId::MapNotAffine, "a dim times a dim", // and no word of #bad at its use
                  "#bad = affine_map<(d0) -> (d0 $$* d0)>\n" + with_maps("#bad, #bad")});
  rows.push_back({DiagId::IntegerTooLarge, "a number of this row does not fit in 64 bits",
                  "#map = affine_map<(d0) -> ($$d0 * 9223372036854775807 * 3)>\n"});
  rows.push_back({DiagId::AliasRedefined, "'#map' is defined twice",
                  "#map = " + kIdentity + "\n$$#map = " + kIdentity + "\n"});
  rows.push_back({DiagId::MapSymbol, "only dims",
                  with_maps(kIdentity + ", affine_map<(d0)$$[s0] -> (d0 + s0)>")});
  rows.push_back({DiagId::MapUnknownDim, "'d1' is not one of the 1 dim of this map",
                  with_maps(kIdentity + ", affine_map<(d0) -> ($$d1)>")});
  rows.push_back({DiagId::MapDimRedefined, "the dim d0 is listed twice",
                  with_maps(kIdentity + ", affine_map<(d0, $$d0) -> (d0)>")});
  rows.push_back(
      {DiagId::MapNotAffine, "a dim times a dim", "#map = affine_map<(d0, d1) -> (d0 $$* d1)>"});
  rows.push_back({DiagId::MapNotAffine, "'floordiv' in a map",
                  "#map = affine_map<(d0) -> (d0 $$floordiv 2)>"});
  rows.push_back(
      {DiagId::MapNotAffine, "'mod' in a map", "#map = affine_map<(d0) -> (d0 $$mod 2)>"});
  rows.push_back({DiagId::MapTooLarge, "at most 64 results",
                  "#map = affine_map<(d0) -> $$(" + repeat("d0, ", 64) + "d0)>"});
  std::string dims;
  for (int d = 0; d < 64; ++d)
    dims += "d" + std::to_string(d) + ", ";
  rows.push_back(
      {DiagId::MapTooLarge, "at most 64 dims", "#map = affine_map<(" + dims + "$$d64) -> (d0)>"});
}

void add_ops(std::vector<BadInput>& rows) {
  rows.push_back({DiagId::UnknownOp, "no op 'arith.adff' here; did you mean arith.addf?",
                  in_function("  %r = $$arith.adff %a, %b : f32")});
  rows.push_back({DiagId::UnknownOp, "did you mean arith.maximumf?",
                  in_function("  %r = $$arith.maximum %a, %b : f32")});
  rows.push_back({DiagId::UnknownOp, "no op 'linalg.frobnicate' here",
                  in_body("    $$linalg.frobnicate\n    linalg.yield %o : f32")});
  rows.push_back({DiagId::UnknownOp, "the generic form of ops",
                  in_function("  %r = $$\"arith.addf\"(%a, %b) : (f32, f32) -> f32")});
  rows.push_back({DiagId::UnknownDialect, "no dialect 'scf'", in_function("  $$scf.yield")});
  rows.push_back({DiagId::NamedOp, "mlir-opt --linalg-generalize-named-ops",
                  in_function("  %r = $$linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) "
                              "outs(%t : tensor<4xf32>) -> tensor<4xf32>")});
  rows.push_back({DiagId::NamedOp, "'linalg.batch_matmul' is a named op",
                  in_function("  $$linalg.batch_matmul")});
  rows.push_back({DiagId::OpPlace, "linalg.index can only stand in the body",
                  in_function("  %r = $$linalg.index 0 : index")});
  rows.push_back({DiagId::OpPlace, "linalg.yield can only stand in the body",
                  in_function("  $$linalg.yield %a : f32")});
  rows.push_back({DiagId::OpPlace, "tensor.empty cannot stand in the body",
                  in_body("    %e = $$tensor.empty() : tensor<4xf32>\n    linalg.yield %o : f32")});
  rows.push_back(
      {DiagId::OpPlace, "a tensor constant cannot stand in the body",
       in_body("    %e = arith.constant $$dense<1.0> : tensor<4xf32>\n    linalg.yield %o : f32")});
  rows.push_back({DiagId::ScalarOnShaped,
                  "arith.addf works on single elements here, not on a tensor<4xf32>",
                  in_function("  %r = arith.addf %t, %t : $$tensor<4xf32>")});
  rows.push_back({DiagId::UnknownPredicate, "arith.cmpf does not compare by 'slt'",
                  in_function("  %r = arith.cmpf $$slt, %a, %b : f32")});
  rows.push_back({DiagId::UnknownPredicate, "arith.cmpi does not compare by 'olt'",
                  in_function("  %r = arith.cmpi $$olt, %i, %i : i32")});
}

void add_attributes(std::vector<BadInput>& rows) {
  const std::string operands = " ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>)";
  const std::string maps = "indexing_maps = [" + kIdentity + ", " + kIdentity + "]";
  rows.push_back(
      {DiagId::UnknownAttribute, "'bufferization.writeable' is not known",
       "func.func @f(%x: tensor<4xf32> {$$bufferization.writeable = false}) {\n  return\n}"});
  rows.push_back(
      {DiagId::AttributeRedefined, "bufferize.result is given twice",
       "func.func @f(%x: memref<4xf32> {bufferize.result, $$bufferize.result}) {\n  return\n}"});
  rows.push_back({DiagId::AttributeRedefined, "bufferization.writable is given twice",
                  "func.func @f(%x: tensor<4xf32> {bufferization.writable = true, "
                  "$$bufferization.writable = true}) {\n  return\n}"});
  rows.push_back(
      {DiagId::AttributeRedefined, "indexing_maps is given twice",
       generic("{" + maps + ", $$" + maps + ", iterator_types = [\"parallel\"]}" + operands)});
  rows.push_back({DiagId::AttributeRedefined, "alignment is given twice",
                  "func.func @f() {\n  %a = memref.alloc() {alignment = 8 : i64, $$alignment = 8 : "
                  "i64} : memref<4xf32>\n  return\n}"});
  rows.push_back(
      {DiagId::MissingAttribute, "needs iterator_types",
       in_function(
           "  %g = $$linalg.generic {" + maps + "}" + operands +
           " {\n  ^bb0(%in: f32, %o: f32):\n    linalg.yield %o : f32\n  } -> tensor<4xf32>")});
  rows.push_back(
      {DiagId::MissingAttribute, "needs indexing_maps",
       in_function(
           "  %g = $$linalg.generic {iterator_types = []}" + operands +
           " {\n  ^bb0(%in: f32, %o: f32):\n    linalg.yield %o : f32\n  } -> tensor<4xf32>")});
  rows.push_back({DiagId::IteratorKind, "not 'window'",
                  generic("{" + maps + ", iterator_types = [$$\"window\"]}" + operands)});
}

void add_values(std::vector<BadInput>& rows) {
  rows.push_back({DiagId::UndefinedValue, "nothing defines '%q'",
                  in_function("  %r = arith.addf %a, $$%q : f32\n  %s = arith.addf %a, %q : f32")});
  rows.push_back({DiagId::UseBeforeDefinition, "'%q' is used above its definition",
                  in_function("  %r = arith.addf %a, $$%q : f32\n  %q = arith.addf %a, %b : f32")});
  rows.push_back({DiagId::UseBeforeDefinition, "'%q' is used above its definition",
                  in_body("    %r = arith.addf %in, $$%q : f32\n    %q = arith.addf %a, %b : f32\n "
                          "   linalg.yield %r : f32")});
  rows.push_back({DiagId::UseBeforeDefinition, "'%g' is used above its definition",
                  in_body("    linalg.yield $$%g : tensor<4xf32>")});
  rows.push_back({DiagId::ValueRedefined, "%r is defined twice",
                  in_function("  %r = arith.addf %a, %b : f32\n  $$%r = arith.addf %a, %b : f32")});
  rows.push_back({DiagId::ValueRedefined, "%a is defined twice",
                  in_body("    $$%a = arith.addf %in, %o : f32\n    linalg.yield %in : f32")});
  rows.push_back(
      {DiagId::ResultNumber, "no result #1 of %r, which has one result",
       in_function("  %r = arith.addf %a, %b : f32\n  %s = arith.addf %a, $$%r#1 : f32")});
  rows.push_back({DiagId::ResultCount, "2 results are named here, but this arith.addf has 1",
                  in_function("  $$%r:2 = arith.addf %a, %b : f32")});
  rows.push_back({DiagId::ResultCount, "1 result is named here, but this memref.dealloc has 0",
                  in_function("  $$%r = memref.dealloc %m : memref<4xf32>")});
  rows.push_back({DiagId::ResultCount, "0 results are not possible",
                  in_function("  %r:$$0 = arith.addf %a, %b : f32")});
  rows.push_back({DiagId::TypeListLength, "2 values but 1 type in one list",
                  "func.func @f(%x: f32) -> f32 {\n  return $$%x, %x : f32\n}"});
  rows.push_back({DiagId::WrittenType, "%a is used as f64 here but has type f32",
                  in_function("  %r = arith.negf $$%a : f64")});
  rows.push_back({DiagId::WrittenType, "%a is used as i1 here but has type f32",
                  in_function("  %r = arith.select $$%a, %a, %b : f32")});
  rows.push_back({DiagId::WrittenType,
                  "%t is used as tensor<5xf32> here but has type tensor<4xf32>",
                  in_function("  bufferization.materialize_in_destination $$%t in restrict "
                              "writable %m : (tensor<5xf32>, memref<4xf32>) -> ()")});
}

void add_functions(std::vector<BadInput>& rows) {
  rows.push_back({DiagId::FunctionRedefined, "@f is defined twice",
                  "func.func @f() {\n  return\n}\nfunc.func $$@f() {\n  return\n}"});
  rows.push_back(
      {DiagId::FunctionWithoutBody, "@f is declared without a body", "$$func.func private @f()\n"});
  rows.push_back({DiagId::FunctionWithoutBody, "the arguments of @f have no names",
                  "func.func private @f($$f32)\n"});
  rows.push_back({DiagId::MissingTerminator, "@f has no return", "func.func @f() {\n$$}"});
  rows.push_back({DiagId::MissingTerminator, "no linalg.yield",
                  "func.func @f(%t: tensor<4xf32>) {\n  %g = linalg.generic {indexing_maps = [" +
                      kIdentity +
                      "], iterator_types = [\"parallel\"]} outs(%t : tensor<4xf32>) {\n  ^bb0(%o: "
                      "f32):\n  $$} -> tensor<4xf32>\n  return\n}"});
  rows.push_back({DiagId::AfterTerminator, "nothing can stand behind the return",
                  "func.func @f() {\n  return\n  $$%e = tensor.empty() : tensor<4xf32>\n}"});
  rows.push_back({DiagId::AfterTerminator, "nothing can stand behind the linalg.yield",
                  in_body("    linalg.yield %o : f32\n    $$%r = arith.addf %in, %o : f32")});
  const std::string global =
      "memref.global \"private\" constant @g : memref<2xi32> = dense<[1, 2]>\n";
  rows.push_back({DiagId::GlobalKind, "has to be a constant",
                  "$$memref.global @g : memref<2xi32> = dense<1>\n"});
  rows.push_back(
      {DiagId::GlobalKind, "@g has no value", "$$memref.global constant @g : memref<2xi32>\n"});
  rows.push_back({DiagId::GlobalKind, "is a memref, not tensor<2xi32>",
                  "memref.global constant @g : $$tensor<2xi32> = dense<1>\n"});
  rows.push_back({DiagId::FunctionRedefined, "@g is defined twice",
                  global + "func.func $$@g() {\n  return\n}"});
  rows.push_back({DiagId::UnknownGlobal, "no memref.global '@h'",
                  global + in_function("  %c = memref.get_global $$@h : memref<2xi32>")});
  rows.push_back({DiagId::WrittenType,
                  "@g is used as memref<3xi32> here but has type memref<2xi32>",
                  global + in_function("  %c = memref.get_global $$@g : memref<3xi32>")});
  rows.push_back(
      {DiagId::GlobalUses, "copies would have more than 4194304 elements",
       "memref.global constant @g : memref<3000000xi1> = dense<\"0x" + repeat("A5", 375000) +
           "\">\n" +
           in_function("  memref.get_global @g : memref<3000000xi1>\n  memref.get_global @g : "
                       "memref<3000000xi1>\n  memref.get_global $$@g : memref<3000000xi1>")});
  rows.push_back({DiagId::ModuleContents, "a second module", "module {\n}\n$$module {\n}"});
  rows.push_back(
      {DiagId::ModuleContents, "a module inside a module", "module {\n  $$module {\n  }\n}"});
  rows.push_back({DiagId::ModuleContents, "functions that stand outside",
                  "func.func @f() {\n  return\n}\n$$module {\n}"});
  rows.push_back({DiagId::ModuleContents, "a function behind the module",
                  "module {\n}\n$$func.func @f() {\n  return\n}"});
}

} // namespace

std::vector<BadInput> bad_texts() {
  std::vector<BadInput> rows;
  add_characters(rows);
  add_structure(rows);
  add_literals(rows);
  add_types(rows);
  add_maps(rows);
  add_ops(rows);
  add_attributes(rows);
  add_values(rows);
  add_functions(rows);
  return rows;
}

} // namespace mo

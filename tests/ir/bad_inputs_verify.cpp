#include "tests/ir/bad_inputs.h"

namespace mo {

namespace {

const std::string kId = "affine_map<(d0) -> (d0)>";
const std::string kTwo =
    "{indexing_maps = [" + kId + ", " + kId + R"(], iterator_types = ["parallel"]})";

/// A function on buffers.
std::string on_buffers(const std::string& ops) {
  return "func.func @f(%a: f32, %m: memref<4xf32>, %k: memref<5xf32>) {\n" + ops +
         "\n  return\n}\n";
}

/// One generic from %t to %e, with $$ in front of its name, this header and this body.
std::string from_t_to_e(const std::string& types, const std::string& header,
                        const std::string& body, const std::string& result) {
  return "func.func @f(" + types + ") {\n  %g = $$linalg.generic " + header + " {\n" + body +
         "  } -> " + result + "\n  return\n}\n";
}

void add_functions(std::vector<BadInput>& rows) {
  rows.push_back({DiagId::MixedLevels, "works on buffers here, but the function works on tensors",
                  in_function("  %r = $$memref.alloc() : memref<4xf32>")});
  rows.push_back({DiagId::ArgumentAttribute, "bufferize.result is said of memrefs",
                  "func.func @f($$%t: tensor<4xf32> {bufferize.result}) {\n  return\n}"});
  rows.push_back({DiagId::BufferResult, "a function returns tensors and scalars",
                  "$$func.func @f(%m: memref<4xf32>) -> memref<4xf32> {\n  return %m : "
                  "memref<4xf32>\n}"});
  rows.push_back({DiagId::ReturnCount, "return has 0 values but @f has 1 result",
                  "func.func @f() -> f32 {\n  $$return\n}"});
  rows.push_back({DiagId::ReturnType, "result #0 of @f is f64",
                  "func.func @f(%a: f32) -> f64 {\n  $$return %a : f32\n}"});
}

void add_generics(std::vector<BadInput>& rows) {
  const std::string types = "%t: tensor<4xf32>, %e: tensor<4xf32>";
  const std::string lists = " ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>)";
  const std::string body = "  ^bb0(%in: f32, %o: f32):\n    linalg.yield %in : f32\n";
  const auto maps = [&](const std::string& a, const std::string& b) {
    return "{indexing_maps = [affine_map<" + a + ">, affine_map<" + b +
           R"(>], iterator_types = ["parallel"]})" + lists;
  };
  const auto with = [&](const std::string& header) {
    return from_t_to_e(types, header, body, "tensor<4xf32>");
  };
  const auto with_body = [&](const std::string& b) {
    std::string text = from_t_to_e(types, kTwo + lists, b, "tensor<4xf32>");
    return text.erase(text.find("$$"), 2); // the place is in the body
  };
  rows.push_back({DiagId::MixedOperands, "",
                  from_t_to_e("%t: tensor<4xf32>, %m: memref<4xf32>",
                              kTwo + " ins(%m : memref<4xf32>) outs(%t : tensor<4xf32>)", body,
                              "tensor<4xf32>")});
  rows.push_back(
      {DiagId::OperandKind, "",
       from_t_to_e(
           "%t: tensor<4xf32>, %e: f32",
           R"({indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%t : tensor<4xf32>) outs(%e : f32))",
           body, "f32")});
  rows.push_back({DiagId::ResultType, "result #0 of linalg.generic is tensor<5xf32>",
                  from_t_to_e(types, kTwo + lists, body, "tensor<5xf32>")});
  rows.push_back(
      {DiagId::MapCount, "",
       with("{indexing_maps = [" + kId + R"(], iterator_types = ["parallel"]})" + lists)});
  rows.push_back({DiagId::MapDims, "", with(maps("(d0) -> (d0)", "(d0, d1) -> (d0)"))});
  rows.push_back({DiagId::MapRank, "", with(maps("(d0) -> (d0, d0)", "(d0) -> (d0)"))});
  rows.push_back({DiagId::MapRange, "", with(maps("(d0) -> (d0 + 1)", "(d0) -> (d0)"))});
  rows.push_back({DiagId::ExtentConflict, "map #1 gives 4 where %e : tensor<5xf32> has 5",
                  from_t_to_e("%t: tensor<4xf32>, %e: tensor<5xf32>",
                              kTwo + " ins(%t : tensor<4xf32>) outs(%e : tensor<5xf32>)", body,
                              "tensor<5xf32>")});
  rows.push_back({DiagId::LoopExtent, "",
                  from_t_to_e(types,
                              "{indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) "
                              "-> (d0)>], iterator_types = [\"parallel\", \"reduction\"]}" +
                                  lists,
                              body, "tensor<4xf32>")});
  rows.push_back({DiagId::BlockArgumentCount, "",
                  with_body("  $$^bb0(%in: f32):\n    linalg.yield %in : f32\n")});
  rows.push_back({DiagId::BlockArgumentType, "",
                  with_body("  ^bb0($$%in: f64, %o: f32):\n    linalg.yield %o : f32\n")});
  rows.push_back(
      {DiagId::YieldCount, "",
       with_body("  ^bb0(%in: f32, %o: f32):\n    $$linalg.yield %in, %o : f32, f32\n")});
  rows.push_back({DiagId::YieldType, "",
                  with_body("  ^bb0(%in: f32, %o: f32):\n    %c = arith.constant 1 : i32\n    "
                            "$$linalg.yield %c : i32\n")});
  rows.push_back({DiagId::IndexDim, "asks for loop 1 where the generic has 1 loop",
                  with_body("  ^bb0(%in: f32, %o: f32):\n    %c = $$linalg.index 1 : index\n    "
                            "linalg.yield %o : f32\n")});
  rows.push_back({DiagId::CaptureKind, "a body can name scalars from outside",
                  with_body("  ^bb0(%in: f32, %o: f32):\n    $$linalg.yield %t : tensor<4xf32>\n"),
                  2});
}

void add_ops(std::vector<BadInput>& rows) {
  rows.push_back(
      {DiagId::ScalarType, "arith.addf", in_function("  %r = $$arith.addf %i, %i : i32")});
  rows.push_back(
      {DiagId::ScalarType, "arith.addi", in_function("  %r = $$arith.addi %a, %a : f32")});
  rows.push_back(
      {DiagId::ScalarType, "arith.extf", in_function("  %r = $$arith.extf %a : f32 to f32")});
  rows.push_back(
      {DiagId::FillType, "",
       in_function(
           "  %r = $$linalg.fill ins(%i : i32) outs(%t : tensor<4xf32>) -> tensor<4xf32>")});
  rows.push_back(
      {DiagId::ToTensorType, "",
       in_function(
           "  %r = $$bufferization.to_tensor %m restrict : memref<4xf32> to tensor<5xf32>")});
  rows.push_back({DiagId::MaterializeType, "",
                  "func.func @f(%t: tensor<4xf32>, %m: memref<5xf32>) {\n  "
                  "$$bufferization.materialize_in_destination %t in restrict writable %m : "
                  "(tensor<4xf32>, memref<5xf32>) -> ()\n  return\n}"});
  rows.push_back(
      {DiagId::MaterializeFlags, "",
       "func.func @f(%t: tensor<4xf32>) {\n  %r = $$bufferization.materialize_in_destination %t in "
       "restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n  return\n}"});
  rows.push_back({DiagId::CopyType, "",
                  on_buffers("  $$memref.copy %m, %k : memref<4xf32> to memref<5xf32>")});
  rows.push_back({DiagId::ConstantWrite, "",
                  "memref.global constant @g : memref<4xf32> = dense<1.0>\n" +
                      on_buffers("  %x = memref.get_global @g : memref<4xf32>\n  $$memref.copy %m, "
                                 "%x : memref<4xf32> to memref<4xf32>")});
  rows.push_back({DiagId::Alignment, "",
                  on_buffers("  %x = $$memref.alloc() {alignment = 3 : i64} : memref<4xf32>\n  "
                             "memref.dealloc %x : memref<4xf32>")});
  rows.push_back({DiagId::DeallocTarget, "", on_buffers("  $$memref.dealloc %m : memref<4xf32>")});
  rows.push_back({DiagId::DoubleDealloc, "",
                  on_buffers("  %x = memref.alloc() : memref<4xf32>\n  memref.dealloc %x : "
                             "memref<4xf32>\n  $$memref.dealloc %x : memref<4xf32>")});
  rows.push_back(
      {DiagId::UseAfterDealloc, "",
       on_buffers("  %x = memref.alloc() : memref<4xf32>\n  memref.dealloc %x : memref<4xf32>\n  "
                  "$$memref.copy %x, %m : memref<4xf32> to memref<4xf32>")});
}

} // namespace

std::vector<BadInput> bad_programs() {
  std::vector<BadInput> rows;
  add_functions(rows);
  add_generics(rows);
  add_ops(rows);
  return rows;
}

} // namespace mo

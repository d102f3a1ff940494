#include "tests/ir/rich_text.h"

#include <fmt/format.h>

#include "ir/scalar_op.h"

namespace mo {

std::string rich_text() {
  return R"(#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d0)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0) -> (-d0 + 3)>
#map6 = affine_map<(d0) -> (d0 * 2 + 1)>
#map7 = affine_map<() -> ()>
module {
  memref.global "private" constant @__constant_4xf32 : memref<4xf32> = dense<[1.000000e+00, -2.500000e+00, 0x7FC00000, 1.6777215e+07]>
  func.func @tensors(%x: tensor<4x8xf32>, %y: tensor<8xf32> {bufferization.writable = false}, %out: memref<4x8xf32>, %s: f32, %i: i32) -> (tensor<4x8xf32>, tensor<4xf32>) {
    %zero = arith.constant 0.000000e+00 : f32
    %inf = arith.constant 0xFF800000 : f32
    %third = arith.constant 3.333333333333333e-01 : f64
    %yes = arith.constant true
    %c-7_i32 = arith.constant -7 : i32
    %big = arith.constant -9223372036854775808 : i64
    %c3 = arith.constant 3 : index
    %w = arith.constant dense<[[1, 2], [-3, 4]]> : tensor<2x2xi32>
    %none = arith.constant dense<> : tensor<0x3xi64>
    %mask = arith.constant dense<[true, false]> : tensor<2xi1>
    %ones = arith.constant dense<1.000000e+00> : tensor<4x8xf64>
    %one = arith.constant dense<1> : tensor<index>
    %scaled = arith.mulf %s, %s : f32
    %e = tensor.empty() : tensor<4x8xf32>
    %r = tensor.empty() : tensor<4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%r : tensor<4xf32>) -> tensor<4xf32>
    %in = bufferization.to_tensor %out restrict writable : memref<4x8xf32> to tensor<4x8xf32>
    %0 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %scaled : tensor<4x8xf32>, tensor<8xf32>, f32) outs(%e : tensor<4x8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
      %row = linalg.index 0 : index
      %k = arith.index_cast %row : index to i32
      %less = arith.cmpi slt, %k, %i : i32
      %nan = arith.cmpf uno, %a, %b : f32
      %m = math.fma %a, %b, %c : f32
      %v = arith.select %less, %m, %s : f32
      linalg.yield %v : f32
    } -> tensor<4x8xf32>
    %1:2 = linalg.generic {indexing_maps = [#map, #map, #map3], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%e, %f : tensor<4x8xf32>, tensor<4xf32>) {
    ^bb0(%a: f32, %o: f32, %sum: f32):
      %2 = arith.addf %a, %sum : f32
      linalg.yield %a, %2 : f32, f32
    } -> (tensor<4x8xf32>, tensor<4xf32>)
    %m = bufferization.materialize_in_destination %1#0 in %in : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    bufferization.materialize_in_destination %m in restrict writable %out : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
    return %1#0, %1#1 : tensor<4x8xf32>, tensor<4xf32>
  }
  func.func private @buffers(%x: memref<4xf32>, %n: memref<9xf32>, %z: memref<i32>, %out: memref<4xf32> {bufferize.result}) {
    %c = memref.get_global @__constant_4xf32 : memref<4xf32>
    %seven = arith.constant 7 : i32
    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
    %b = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps = [#map4, #map5, #map6, #map4], iterator_types = ["parallel"]} ins(%x, %c, %n : memref<4xf32>, memref<4xf32>, memref<9xf32>) outs(%a : memref<4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %o: f32):
      %sum = arith.addf %in, %in_0 : f32
      %all = arith.addf %sum, %in_1 : f32
      linalg.yield %all : f32
    }
    linalg.generic {indexing_maps = [#map7], iterator_types = []} outs(%z : memref<i32>) {
    ^bb0(%o: i32):
      linalg.yield %seven : i32
    }
    memref.copy %a, %b : memref<4xf32> to memref<4xf32>
    memref.copy %b, %out : memref<4xf32> to memref<4xf32>
    memref.dealloc %a : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    return
  }
}
)";
}

std::string all_scalar_ops() {
  constexpr ElementType kTypes[] = {ElementType::F32, ElementType::F64, ElementType::I1,
                                    ElementType::I32, ElementType::I64, ElementType::Index};
  std::string args, ops;
  for (const ElementType t : kTypes)
    args += fmt::format("{}%{}: {}", args.empty() ? "" : ", ", spelling(t), spelling(t));
  unsigned number = 0;
  for (unsigned i = 0; i < num_scalar_ops(); ++i) {
    const ScalarOpInfo& row = info(static_cast<ScalarOp>(i));
    if (row.arity == 0)
      continue; // constants and linalg.index: in rich_text
    for (const ElementType from : kTypes)
      for (const ElementType to : kTypes) {
        if (is_cast(row.rule) ? !types_agree(row.rule, from, to)
                              : from != to || !types_agree(row.rule, from, from))
          continue;
        std::string operands;
        for (unsigned k = 0; k < row.arity; ++k)
          operands += fmt::format("{}%{}", k > 0 ? ", " : "", spelling(from));
        if (row.rule == TypeRule::Select)
          operands.replace(0, operands.find(','), "%i1");
        const std::string_view predicate = row.rule == TypeRule::CompareFloat ? "ule, "
                                           : row.rule == TypeRule::CompareInt ? "ugt, "
                                                                              : "";
        ops += fmt::format("  %{} = {} {}{} : {}{}\n", number++, row.spelling, predicate, operands,
                           spelling(from),
                           is_cast(row.rule) ? fmt::format(" to {}", spelling(to)) : "");
      }
  }
  return "func.func @scalars(" + args + ") {\n" + ops + "  return\n}\n";
}

} // namespace mo

// Maps from text and back, for tables of cases.
#pragma once

#include <string>
#include <vector>

#include "ir/affine_map.h"
#include "ir/function.h"
#include "tests/ir/from_text.h"

namespace mo::exercise {

/// "(d0, d1) -> (d1, d0)" as a map.
inline AffineMap map_of(const std::string& text) {
  const Function function =
      function_from("func.func @f(%x: memref<f32>) {\n"
                    "  linalg.generic {indexing_maps = [affine_map<" +
                    text +
                    ">], iterator_types = []} outs(%x : memref<f32>) {\n"
                    "  ^bb0(%o: f32):\n    linalg.yield %o : f32\n  }\n  return\n}");
  return function.ops[0].as<GenericOp>()->maps[0];
}

/// "(3, -1)"
inline std::string text_of(const std::vector<int64_t>& point) {
  std::string text = "(";
  for (size_t i = 0; i < point.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(point[i]);
  return text + ")";
}

} // namespace mo::exercise

// Texts that are wrong in one way each: what is said about them, and where.
#pragma once

#include <string>
#include <vector>

#include "ir/diagnostic.h"

namespace mo {

struct BadInput {
  DiagId id;
  std::string message; // a part of it
  std::string text;    // with $$ where the caret goes; the $$ is not part of the text
  size_t count = 1;    // errors in all; this is the first
};

/// What the lexer and the parser refuse (bad_inputs_parse.cpp).
std::vector<BadInput> bad_texts();
/// What parses but is refused by the verifier (bad_inputs_verify.cpp).
std::vector<BadInput> bad_programs();

/// These ops between the braces of a function with arguments of every kind.
inline std::string in_function(const std::string& ops) {
  return "func.func @f(%a: f32, %b: f32, %i: i32, %n: index, %t: tensor<4xf32>, %m: memref<4xf32>) "
         "{\n" +
         ops + "\n  return\n}\n";
}

/// This header of a generic in front of a body that adds up its input.
inline std::string generic(const std::string& header) {
  return in_function("  %g = linalg.generic " + header + R"( {
  ^bb0(%in: f32, %o: f32):
    %s = arith.addf %in, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>)");
}

/// These statements as the body of a generic over tensor<4xf32>, with %in and %o.
inline std::string in_body(const std::string& statements) {
  return in_function(
      R"(  %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
)" + statements +
      "\n  } -> tensor<4xf32>");
}

/// A generic over tensor<4xf32> with these two maps.
inline std::string with_maps(const std::string& maps) {
  return generic(
      "{indexing_maps = [" + maps +
      R"(], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>))");
}

} // namespace mo

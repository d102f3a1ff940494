// The command line of check_math.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/isa.h"
#include "tests/math/math_op.h"

namespace mo::testing {

struct CheckOptions {
  std::vector<MathOp> ops;        // all, if none is named
  std::vector<Isa> isas;          // all of this machine, if none is named
  std::vector<ElementType> types; // f32 if none is named
  bool all = false;               // every f32
  std::optional<std::pair<float, float>> range;
  uint64_t samples = 1 << 20;
  bool lanes = false;
  bool help = false;
};

inline constexpr const char* kCheckHelp =
    R"(check_math [FLAGS]: how far the compiled math functions are from the exact ones

Compiles out[i] = op(in[i]) and compares every result with the C library's function in the next
wider type. The error is in units in the last place of the result (ULP); NaN, infinities and signed
zeros must be right. Exit status 1 where an error is beyond its bound.

  --op=exp,tanh      the functions to check; default: all of
                     exp exp2 expm1 log log2 log1p tanh erf sin cos powf rsqrt sqrt
  --isa=avx2,avx512  instruction sets; default: all that this machine has (sse4.2 avx2 avx512)
  --type=f32,f64     default: f32
  --all              all 2^32 values; a minute or two per function. f32, not powf
  --range=A,B        all values from A to B. f32, not powf
  --samples=N        about N values of all kinds, and the neighbourhoods of what is special
                     (default 1048576)
  --lanes            also: does a lane's result depend on its neighbours, or on their number
  --help             this

Examples:
  check_math --op=exp --all
  check_math --type=f64 --samples=10000000 --isa=avx512
  check_math --op=sin --range=0,100 --lanes
)";

/// Reads the arguments; on a mistake the second is what is wrong, with what would be right.
std::pair<CheckOptions, std::string> read_check_options(int argc, const char* const* argv);

} // namespace mo::testing

// Runs a kernel step by step, one element at a time: what a loop nest means, without machine code.
// For tests of lowering and simplification only.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/loop_nest.h"
#include "runtime/compiled_math.h"

namespace mo::testing {

/// By position among the function's arguments: a buffer's elements, or a scalar in [0]; the bits of
/// each, cut to bit_width.
using LoopArguments = std::vector<std::vector<uint64_t>>;

enum class VectorLoops : uint8_t {
  InOrder, // as if no loop were vectorizable
  /// As hard on a vectorizable loop as its contract allows: groups of four iterations, the last
  /// group first, each step done for the whole group before the next step; one partial result per
  /// lane of what is carried.
  SideBySide,
};

/// Runs the kernel on the arguments; `math`: see interpret. An access outside of a buffer throws
/// std::out_of_range.
void evaluate(const Kernel& kernel, LoopArguments& arguments, VectorLoops vector_loops,
              CompiledMath* math = nullptr);

} // namespace mo::testing

// The body of a generic as steps over blocks of points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ir/function.h"
#include "runtime/compiled_math.h"

namespace mo {

/// One scalar op over a block: result[i] = op(operands[.][i]).
struct BodyStep {
  BlockFunction kernel;
  unsigned arity = 0;
  std::byte* operands[3] = {};
  unsigned operand_sizes[3] = {}; // bytes per element
  std::byte* result = nullptr;
  unsigned result_size = 0;
};

/// A body ready to run. Each value has a block of elements, dense and aligned, one element per
/// point; values whose lives do not overlap may share one. No step looks at any point but its own.
struct BodyProgram {
  size_t block_length = 0;                // points that a block has room for
  std::vector<std::byte*> args;           // by block argument; null where nothing reads it
  std::vector<std::byte*> loop_counters;  // by loop; null where no linalg.index asks for it
  std::vector<BodyStep> block_steps;      // first: what does not depend on an ordered argument
  std::vector<BodyStep> ordered_steps;    // then: what does
  std::vector<const std::byte*> yields;   // by init
  std::unique_ptr<std::byte[]> registers; // the memory of all blocks
};

/// `ordered` tells for each block argument whether it must be read point by point, after the writes
/// of the point before. `scalar_of` gives the bits of a scalar from outside: a captured value. An
/// argument with a value in `fixed` is a scalar operand; its block is filled once, here, as those
/// of constants and captured values are. `points` is how many points there are to run. `math`: see
/// interpret.
BodyProgram compile_body(const Function& function, const GenericOp& op,
                         const std::vector<bool>& ordered,
                         const std::vector<std::optional<uint64_t>>& fixed,
                         const std::function<uint64_t(ValueId)>& scalar_of, size_t points,
                         CompiledMath* math);

} // namespace mo

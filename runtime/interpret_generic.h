// One generic on memory: the same at both levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "ir/function.h"
#include "runtime/compiled_math.h"

namespace mo {

/// An input or an init as it lies in memory, or a scalar input. Two operands overlap only if they
/// have the same address. An input's memory is only read.
struct OperandMemory {
  std::byte* data = nullptr;
  std::optional<uint64_t> scalar;
};

/// Runs the loops; `operands` inputs first, then inits, which are updated in place. An input that
/// the body does not read may be null. `scalar_of` gives the bits of a scalar captured from
/// outside. `math`: see interpret.
void run_generic(const Function& function, const GenericOp& op,
                 const std::vector<OperandMemory>& operands,
                 const std::function<uint64_t(ValueId)>& scalar_of, CompiledMath* math);

} // namespace mo

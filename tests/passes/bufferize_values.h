// Does a bufferized function compute what the function computed? The interpreter says.
#pragma once

#include <cstdint>
#include <string>

#include "ir/function.h"
#include "passes/bufferize.h"

namespace mo::testing {

/// Runs `original` and a bufferized copy on the same arrays, special values among them, and
/// compares every returned tensor and every memref argument bit by bit. Returns what differs, or
/// what the verifier says; empty where all is well. Tensor arguments may change (they are the
/// callee's to update). `allowed`: the number of rewrites before the observer says no.
std::string difference_after(const Function& original, BufferizeMode mode, uint64_t seed,
                             unsigned allowed = UINT32_MAX);

} // namespace mo::testing

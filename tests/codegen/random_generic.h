// Random functions of one generic on buffers, for tests of codegen.
#pragma once

#include <cstdint>

#include "ir/function.h"
#include "tests/codegen/evaluate_loops.h"

namespace mo::testing {

/// A valid function with one generic: up to four loops with extents from 0 to 9, or two up to 65;
/// transposed, broadcast, strided, shifted and constant reads; reductions at any place in any
/// position; several results; operands in place; functions of codegen's own, rounded to whole
/// numbers. Floats are whole numbers and stay small where they are summed, so that the order of a
/// sum does not show. The same seed gives the same function.
Function random_generic(uint32_t seed);

/// One value per argument: small whole numbers, the same for the same seed.
LoopArguments random_arguments(const Function& function, uint32_t seed);

} // namespace mo::testing

// Random valid programs: the best finder of bugs that nobody thought of.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"
#include "runtime/array.h"

namespace mo::testing {

struct RandomProgram {
  Function function; // tensor level, verified
  /// Float inputs are small whole numbers and no float value can leave the range where whole
  /// numbers are exact; so float sums come out the same in any order, and may be in the program.
  bool whole_numbers = false;
};

/// The same seed makes the same program. One to eight generics over a few extents from 0 to 70:
/// shared and separate empties, fills, constants, in-place inits, reductions, broadcasts,
/// transposes, strided reads, several results, all element types, several destinations (some of
/// them twice, some of them inputs too), returned values.
RandomProgram random_program(uint64_t seed);

/// One value per argument of the function as it was before bufferization; {bufferize.result}
/// arguments get arrays of their own. The elements start `misalign` bytes off and are guarded.
std::vector<RuntimeValue> random_arguments(const Function& function, uint64_t seed,
                                           bool whole_numbers, size_t misalign);

} // namespace mo::testing

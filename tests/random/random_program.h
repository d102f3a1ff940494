// Random valid programs: the best finder of bugs that nobody thought of.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"
#include "runtime/array.h"

namespace mo::testing {

/// Which floats a program computes with. Sums, whose order is open, need tame ones.
enum class Numbers : uint8_t {
  Any, // special ones as well; no float sums
  /// Small whole numbers, and no float value can leave the range where those are exact; so float
  /// sums come out the same in any order.
  Whole,
  /// Fractions, all kinds of sums, and no op that makes much of a little (a remainder, the sine of
  /// a large number, a question whether two numbers are equal): what a sum may be off by tells
  /// how far the results may be off (tools/oracle.h).
  Fractions,
};

struct RandomProgram {
  Function function; // tensor level, verified
  Numbers numbers = Numbers::Any;
};

/// The same seed makes the same program. One to eight generics over a few extents from 0 to 70,
/// often over the same loops as the one before, so that a row is reduced and then read again:
/// shared and separate empties, fills, constants, in-place inits, reductions along any loops,
/// broadcasts, transposes, strided reads and writes, several results, all element types, several
/// destinations (some of them twice, some of them inputs too), returned values, some of them never
/// written.
RandomProgram random_program(uint64_t seed);

/// One value per argument of the function as it was before bufferization; {bufferize.result}
/// arguments get arrays of their own. The elements start `misalign` bytes off and are guarded.
std::vector<RuntimeValue> random_arguments(const Function& function, uint64_t seed, Numbers numbers,
                                           size_t misalign);

} // namespace mo::testing

// What the math functions are tried on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ir/scalar_op.h"

namespace mo::testing {

/// `count` evaluations; fill writes the bits of the operands of n of them, the first numbered
/// `first`. May be called by several threads at once. b is left alone for functions of one operand.
struct MathInputs {
  uint64_t count = 0;
  std::function<void(uint64_t first, size_t n, uint64_t* a, uint64_t* b)> fill;
};

/// Every f32 from `low` to `high`, in order, -0 before +0; both are numbers.
MathInputs floats_between(float low, float high);
/// All 2^32 of them.
MathInputs all_floats();
/// About `count` values over all bit patterns and over moderate numbers, and the neighbourhoods of
/// what is special: zeros, infinities, NaN, denormals, powers of two, multiples of pi/4 and
/// ln(2)/2, where functions overflow.
MathInputs sample_of(ElementType type, uint64_t count);
/// Pairs: special ones with each other, random ones, and such with a power between denormals and
/// overflow.
MathInputs sample_of_pairs(ElementType type, uint64_t count);

} // namespace mo::testing

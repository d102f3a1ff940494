// Do two runs agree?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "runtime/array.h"

namespace mo {

/// Where two arrays of one shape and element type disagree.
struct Difference {
  int64_t count = 0;     // of the elements that differ
  int64_t first = 0;     // row-major position of the first of them
  uint64_t expected = 0; // its bits in the one
  uint64_t actual = 0;   // and in the other
};

/// Element by element, all of them; nothing if they agree. Two elements agree if they have the same
/// bits or are both NaN; -0 and +0 do not. Element i may also be off by at most leeway[i], where it
/// is made of float sums, which may be added up in any order; where that is infinite it may be
/// anything. No leeway at all, or one number per element. Requires arrays of the same shape and
/// element type.
std::optional<Difference> compare(const Array& expected, const Array& actual,
                                  std::span<const double> leeway = {});

/// How far two elements of one float type are apart, in units in the last place of the larger one:
/// 0 for equal ones, zeros of two signs and two NaNs; infinite where one is NaN, or an infinity
/// that the other is not.
double ulps_apart(uint64_t a, uint64_t b, ElementType type);

/// "3 of 16 elements differ; the first at [1, 2]: expected 1.5 (0x3FC00000), got -0.0
/// (0x80000000)".
std::string describe(const Difference& difference, const Array& array);

/// The value of an element: exact for floats, i1 (0 or 1) and i32; 64-bit integers are rounded.
double element_value(uint64_t bits, ElementType type);

/// An element for people: the shortest text that reads back to the same value.
std::string element_text(uint64_t bits, ElementType type);

} // namespace mo

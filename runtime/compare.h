// Do two runs agree?
#pragma once

#include <cstdint>
#include <optional>
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
/// bits or are both NaN; -0 and +0 do not. With `bound` > 0, floats agree also where they differ by
/// at most that much: for results whose float sums were added up in another order. Requires arrays
/// of the same shape and element type.
std::optional<Difference> compare(const Array& expected, const Array& actual, double bound = 0);

/// "3 of 16 elements differ; the first at [1, 2]: expected 1.5 (0x3FC00000), got -0.0
/// (0x80000000)".
std::string describe(const Difference& difference, const Array& array);

/// The value of an element: exact for floats, i1 (0 or 1) and i32; 64-bit integers are rounded.
double element_value(uint64_t bits, ElementType type);

/// An element for people: the shortest text that reads back to the same value.
std::string element_text(uint64_t bits, ElementType type);

} // namespace mo

// Arrays: the memory that a kernel works on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "ir/type.h"

namespace mo {

/// Owns the elements of one tensor or buffer: row-major, contiguous, as wide as byte_size says. An
/// i1 is one byte that holds 0 or 1; what a program computes from any other byte is not defined.
/// Move-only; what is moved from may only be assigned to or destroyed. Allocation can fail, so it
/// is a named function.
class Array {
public:
  /// Zero pages fresh from the system, aligned to a page. Nothing where the memory is not to be had
  /// or its size does not fit. An array of no elements is fine.
  static std::optional<Array> allocate(Shape shape, ElementType element);
  /// For tests: the elements start `misalign` (0 to 63) bytes after a 64-byte boundary, and
  /// `guard_intact` tells whether the pattern before and after them is still there. Less than 64
  /// bytes behind the last element (none where it ends on a 64-byte boundary) any access faults.
  static std::optional<Array> allocate_guarded(Shape shape, ElementType element,
                                               size_t misalign = 0);

  const Shape& shape() const { return shape_; }
  ElementType element() const { return element_; }
  int64_t count() const { return count_; }
  size_t bytes() const { return static_cast<size_t>(count_) * byte_size(element_); }
  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }

  uint64_t bits(int64_t i) const; // element i, cut to bit_width
  void set_bits(int64_t i, uint64_t value);
  bool guard_intact() const; // true for an array without guards
  /// A copy without guards; nothing where the memory is not to be had.
  std::optional<Array> clone() const;

private:
  struct Unmap {
    size_t bytes; // of the whole mapping
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte, Unmap> memory_;
  std::byte* data_ = nullptr;
  size_t guard_ = 0; // bytes without access at each end of memory_; 0 for an array without guards
  Shape shape_;
  ElementType element_ = ElementType::F32;
  int64_t count_ = 0;
};

struct Scalar {
  ElementType type = ElementType::F32;
  uint64_t bits = 0;
};

/// One argument of a function that is run: a scalar, or the contents of a tensor or memref.
using RuntimeValue = std::variant<Scalar, Array>;

} // namespace mo

// The loops of a generic, seen as points in row-major order and walked block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/affine_map.h"
#include "ir/type.h"

namespace mo {

/// A number that goes with each point of the loops: offset + sum over loops of counter * stride.
/// Which element of an array an access touches, or the counter of a loop. Wraps at 64 bits.
struct LinearForm {
  int64_t offset = 0;
  std::vector<int64_t> strides; // one per loop, outermost first
  bool operator==(const LinearForm&) const = default;
};

/// Row-major position, in elements, of the element at map(point) in an array of this shape.
LinearForm element_position(const AffineMap& map, const Shape& shape);
/// The counter of one of `num_loops` loops.
LinearForm loop_counter(unsigned loop, unsigned num_loops);

/// Loops and the forms over them. Extents are >= 1.
struct PointSpace {
  std::vector<int64_t> extents; // outermost first; none: a single point
  std::vector<LinearForm> forms;
};

/// Drops loops of one iteration and merges neighbours that every form walks as if they were one.
/// The points, their order and the value of each form at each of them stay.
void simplify(PointSpace& space);

/// The smallest level l such that within the loops l, l+1, ... (the outer ones held fixed)
/// different points have different values of the form; extents.size() if that holds for no loop.
/// Errs upwards.
size_t distinct_from_level(const PointSpace& space, const LinearForm& form);

/// Points in the loops level, level+1, ...; SIZE_MAX where that overflows.
size_t points_from_level(const PointSpace& space, size_t level);

/// Blocks of consecutive points, each a list of segments: runs of the innermost loop.
class BlockWalker {
public:
  /// Blocks have at most `max_length` >= 1 points, and the counters of the loops outside `level` do
  /// not change within one.
  BlockWalker(const PointSpace& space, size_t max_length, size_t level);

  /// The next block, in row-major order; false after the last.
  bool next();
  size_t length() const { return length_; } // points of this block
  size_t num_segments() const { return lengths_.size(); }
  size_t segment_length(size_t segment) const { return lengths_[segment]; }
  /// The form at the first point of the segment; from point to point it grows by `stride(form)`.
  int64_t position(size_t segment, size_t form) const {
    return positions_[segment * current_.size() + form];
  }
  int64_t stride(size_t form) const { return inner_strides_[form]; }

private:
  void add_segment(size_t length);
  size_t advance_outer();
  void move(size_t level, int64_t iterations);

  const PointSpace& space_;
  size_t max_length_, level_;
  int64_t inner_extent_;
  std::vector<int64_t> inner_strides_; // per form
  std::vector<int64_t> counters_;      // of the next point to hand out
  std::vector<int64_t> current_;       // per form, at that point
  bool done_ = false;
  size_t length_ = 0;
  std::vector<size_t> lengths_;
  std::vector<int64_t> positions_;
};

} // namespace mo

#include "runtime/point_space.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ir/wrapping.h"

namespace mo {

namespace {

void erase_loop(PointSpace& space, size_t loop) {
  const auto at = static_cast<std::ptrdiff_t>(loop);
  space.extents.erase(space.extents.begin() + at);
  for (LinearForm& form : space.forms)
    form.strides.erase(form.strides.begin() + at);
}

/// Is the step of loop `outer` that of a whole run of loop `outer + 1`, in every form?
bool continues_inner_loop(const PointSpace& space, size_t outer) {
  return std::ranges::all_of(space.forms, [&](const LinearForm& form) {
    return form.strides[outer] == wrapping_mul(form.strides[outer + 1], space.extents[outer + 1]);
  });
}

/// Are the numbers sum(counter_i * stride_i), counter_i < extent_i, all different? Sorted by size,
/// each stride must reach past everything that the smaller ones can add up to.
bool all_distinct(std::vector<std::pair<int64_t, int64_t>> stride_and_extent) {
  std::ranges::sort(stride_and_extent);
  int64_t reach = 0;
  for (auto [stride, extent] : stride_and_extent) {
    int64_t span = 0;
    if (stride <= reach || __builtin_mul_overflow(stride, extent - 1, &span) ||
        __builtin_add_overflow(reach, span, &reach))
      return false;
  }
  return true;
}

} // namespace

LinearForm element_position(const AffineMap& map, const Shape& shape) {
  LinearForm form{0, std::vector<int64_t>(map.num_dims(), 0)};
  int64_t elements = 1; // that one step of this row's index moves by
  for (size_t row = shape.size(); row-- > 0;) {
    const auto r = static_cast<unsigned>(row);
    form.offset = wrapping_add(form.offset, wrapping_mul(map.constant(r), elements));
    for (unsigned dim = 0; dim < map.num_dims(); ++dim)
      form.strides[dim] =
          wrapping_add(form.strides[dim], wrapping_mul(map.coefficient(r, dim), elements));
    elements = wrapping_mul(elements, shape[row]);
  }
  return form;
}

LinearForm loop_counter(unsigned loop, unsigned num_loops) {
  LinearForm form{0, std::vector<int64_t>(num_loops, 0)};
  form.strides[loop] = 1;
  return form;
}

void simplify(PointSpace& space) {
  for (size_t loop = space.extents.size(); loop-- > 0;)
    if (space.extents[loop] == 1)
      erase_loop(space, loop);
  for (size_t outer = space.extents.size(); outer-- > 1;) {
    const size_t loop = outer - 1; // the pair loop, outer
    int64_t merged = 0;
    if (!continues_inner_loop(space, loop) ||
        __builtin_mul_overflow(space.extents[loop], space.extents[outer], &merged))
      continue;
    space.extents[outer] = merged;
    erase_loop(space, loop);
  }
}

size_t distinct_from_level(const PointSpace& space, const LinearForm& form) {
  std::vector<std::pair<int64_t, int64_t>> inner;
  size_t level = space.extents.size();
  while (level > 0) {
    const int64_t stride = form.strides[level - 1];
    if (stride == INT64_MIN)
      break;
    inner.emplace_back(std::abs(stride), space.extents[level - 1]);
    if (!all_distinct(inner))
      break;
    --level;
  }
  return level;
}

size_t points_from_level(const PointSpace& space, size_t level) {
  size_t points = 1;
  for (size_t loop = level; loop < space.extents.size(); ++loop)
    if (__builtin_mul_overflow(points, static_cast<size_t>(space.extents[loop]), &points))
      return SIZE_MAX;
  return points;
}

BlockWalker::BlockWalker(const PointSpace& space, size_t max_length, size_t level)
    : space_(space), max_length_(max_length), level_(level),
      inner_extent_(space.extents.empty() ? 1 : space.extents.back()),
      counters_(space.extents.size(), 0) {
  for (const LinearForm& form : space.forms) {
    inner_strides_.push_back(form.strides.empty() ? 0 : form.strides.back());
    current_.push_back(form.offset);
  }
}

bool BlockWalker::next() {
  length_ = 0;
  lengths_.clear();
  positions_.clear();
  while (!done_ && length_ < max_length_) {
    const int64_t counter = counters_.empty() ? 0 : counters_.back();
    const auto left = static_cast<size_t>(inner_extent_ - counter);
    const size_t length = std::min(left, max_length_ - length_);
    add_segment(length);
    if (length < left) {
      move(counters_.size() - 1, static_cast<int64_t>(length));
      break; // the block is full
    }
    if (advance_outer() < level_)
      break;
  }
  return length_ > 0;
}

void BlockWalker::add_segment(size_t length) {
  lengths_.push_back(length);
  positions_.insert(positions_.end(), current_.begin(), current_.end());
  length_ += length;
}

/// To the first point of the next run of the innermost loop. Returns the outermost level whose
/// counter changed otherwise than by starting over, which is what a block must not cross.
size_t BlockWalker::advance_outer() {
  size_t level = counters_.size();
  while (level > 0) {
    --level;
    // The innermost loop is at some point of its last run: whole runs are handed out up to the end.
    const bool innermost = level + 1 == counters_.size();
    if (!innermost && counters_[level] + 1 < space_.extents[level]) {
      move(level, 1);
      return level;
    }
    move(level, -counters_[level]);
  }
  done_ = true;
  return 0;
}

void BlockWalker::move(size_t level, int64_t iterations) {
  counters_[level] += iterations;
  for (size_t form = 0; form < current_.size(); ++form)
    current_[form] =
        wrapping_add(current_[form], wrapping_mul(space_.forms[form].strides[level], iterations));
}

} // namespace mo

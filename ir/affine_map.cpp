#include "ir/affine_map.h"

#include <cassert>
#include <limits>

#include "ir/wrapping.h"

namespace mo {

namespace {

// |c| as text; the absolute value of the smallest number does not fit in an int64_t.
std::string magnitude(int64_t c) {
  const auto bits = static_cast<uint64_t>(c);
  return std::to_string(c < 0 ? 0 - bits : bits);
}

// Appends "c * dim" to a sum as MLIR writes it: a leading term keeps its sign on the coefficient
// ("d0 * -3", but "-d0"), a later one turns it into an operator (" - d0 * 3").
void append_term(std::string& sum, const std::string& dim, int64_t c) {
  if (sum.empty()) {
    sum = c == -1 ? "-" + dim : dim;
    if (c != 1 && c != -1)
      sum += " * " + std::to_string(c);
    return;
  }
  sum += (c < 0 ? " - " : " + ") + dim;
  if (c != 1 && c != -1)
    sum += " * " + magnitude(c);
}

constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

std::string row_to_string(const AffineMap& map, unsigned row) {
  std::string sum;
  for (unsigned d = 0; d < map.num_dims(); ++d) {
    const int64_t c = map.coefficient(row, d);
    if (c == 0)
      continue;
    const std::string dim = "d" + std::to_string(d);
    if (c != kSmallest) {
      append_term(sum, dim, c);
    } else { // MLIR reads no literal of this magnitude; two terms say the same
      append_term(sum, dim, c + 1);
      append_term(sum, dim, -1);
    }
  }
  int64_t constant = map.constant(row);
  const bool split = constant == kSmallest;
  if (split)
    ++constant;
  if (sum.empty())
    sum = std::to_string(constant);
  else if (constant != 0)
    sum += (constant < 0 ? " - " : " + ") + magnitude(constant);
  return split ? sum + " - 1" : sum;
}

} // namespace

AffineMap::AffineMap(unsigned num_dims, unsigned num_results)
    : num_dims_(num_dims), num_results_(num_results) {
  if (num_results > 0)
    cells_ = std::make_shared<std::vector<int64_t>>(position(num_results, 0));
}

void AffineMap::set_cell(unsigned row, unsigned col, int64_t c) {
  if (cells_.use_count() > 1)
    cells_ = std::make_shared<std::vector<int64_t>>(*cells_);
  (*cells_)[position(row, col)] = c;
}

bool AffineMap::operator==(const AffineMap& other) const {
  if (num_dims_ != other.num_dims_ || num_results_ != other.num_results_)
    return false;
  return cells_ == other.cells_ || *cells_ == *other.cells_;
}

AffineMap AffineMap::identity(unsigned num_dims) {
  AffineMap map(num_dims, num_dims);
  for (unsigned d = 0; d < num_dims; ++d)
    map.set_coefficient(d, d, 1);
  return map;
}

AffineMap AffineMap::select(unsigned num_dims, std::span<const unsigned> dims) {
  AffineMap map(num_dims, static_cast<unsigned>(dims.size()));
  for (unsigned row = 0; row < map.num_results(); ++row) {
    assert(dims[row] < num_dims);
    map.set_coefficient(row, dims[row], 1);
  }
  return map;
}

std::optional<unsigned> AffineMap::plain_dim(unsigned row) const {
  if (constant(row) != 0)
    return std::nullopt;
  std::optional<unsigned> only;
  for (unsigned d = 0; d < num_dims_; ++d) {
    const int64_t c = coefficient(row, d);
    if (c == 0)
      continue;
    if (c != 1 || only)
      return std::nullopt;
    only = d;
  }
  return only;
}

bool AffineMap::uses_dim(unsigned dim) const {
  for (unsigned row = 0; row < num_results_; ++row)
    if (coefficient(row, dim) != 0)
      return true;
  return false;
}

bool AffineMap::is_identity() const {
  if (num_dims_ != num_results_)
    return false;
  for (unsigned row = 0; row < num_results_; ++row)
    if (plain_dim(row) != row)
      return false;
  return true;
}

bool AffineMap::is_permutation() const {
  return num_dims_ == num_results_ && is_projected_permutation();
}

bool AffineMap::is_projected_permutation() const {
  std::vector<bool> seen(num_dims_);
  for (unsigned row = 0; row < num_results_; ++row) {
    const std::optional<unsigned> d = plain_dim(row);
    if (!d || seen[*d])
      return false;
    seen[*d] = true;
  }
  return true;
}

std::vector<int64_t> AffineMap::apply(std::span<const int64_t> point) const {
  assert(point.size() == num_dims_);
  std::vector<int64_t> index(num_results_);
  for (unsigned row = 0; row < num_results_; ++row) {
    index[row] = constant(row);
    for (unsigned d = 0; d < num_dims_; ++d)
      index[row] = wrapping_add(index[row], wrapping_mul(coefficient(row, d), point[d]));
  }
  return index;
}

AffineMap compose(const AffineMap& outer, const AffineMap& inner) {
  assert(outer.num_dims() == inner.num_results());
  // exercise: compose-maps
  AffineMap result(inner.num_dims(), outer.num_results());
  for (unsigned row = 0; row < outer.num_results(); ++row) {
    int64_t constant = outer.constant(row);
    for (unsigned k = 0; k < outer.num_dims(); ++k) {
      const int64_t c = outer.coefficient(row, k);
      if (c == 0)
        continue;
      constant = wrapping_add(constant, wrapping_mul(c, inner.constant(k)));
      for (unsigned d = 0; d < inner.num_dims(); ++d)
        result.set_coefficient(
            row, d,
            wrapping_add(result.coefficient(row, d), wrapping_mul(c, inner.coefficient(k, d))));
    }
    result.set_constant(row, constant);
  }
  return result;
  // end of exercise
}

AffineMap inverse_permutation(const AffineMap& map) {
  assert(map.is_permutation());
  // exercise: invert-permutation
  AffineMap inverse(map.num_dims(), map.num_dims());
  for (unsigned row = 0; row < map.num_results(); ++row)
    inverse.set_coefficient(*map.plain_dim(row), row, 1);
  return inverse;
  // end of exercise
}

std::optional<Range> row_range(const AffineMap& map, unsigned row,
                               std::span<const int64_t> extents) {
  assert(extents.size() == map.num_dims());
  // Each reach is below 2^126. min only falls and max only grows, so that a value once out of
  // bounds stays out, and stopping there keeps the sums below 2^127.
  __int128 min = map.constant(row), max = min;
  constexpr __int128 kBound = __int128{1} << 64;
  for (unsigned d = 0; d < map.num_dims(); ++d) {
    assert(extents[d] >= 1);
    const __int128 reach = __int128{map.coefficient(row, d)} * (extents[d] - 1);
    (reach < 0 ? min : max) += reach;
    if (min < -kBound || max > kBound)
      return std::nullopt;
  }
  const auto fits = [](__int128 v) { return v == static_cast<int64_t>(v); };
  if (!fits(min) || !fits(max))
    return std::nullopt;
  return Range{static_cast<int64_t>(min), static_cast<int64_t>(max)};
}

std::string to_string(const AffineMap& map) {
  std::string text = "(";
  for (unsigned d = 0; d < map.num_dims(); ++d)
    text += (d == 0 ? "d" : ", d") + std::to_string(d);
  text += ") -> (";
  for (unsigned row = 0; row < map.num_results(); ++row)
    text += (row == 0 ? "" : ", ") + row_to_string(map, row);
  text += ")";
  return text;
}

} // namespace mo

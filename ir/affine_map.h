// Affine maps: from the loops of a generic to the index of an operand's element.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mo {

/// (d0, ..., dn-1) -> (row0, ..., rowm-1), each row a sum of dims times constants plus a constant.
/// Stored as an m x (n+1) integer matrix, row-major, the constant in the last column; so composing
/// two maps is a matrix product. Arithmetic wraps at 64 bits: a coefficient that meets only dims of
/// extent 1 may be anything, and an index that is in range comes out right all the same.
class AffineMap {
public:
  /// The most dims or results that a map may have; keeps a map's memory linear in its text.
  static constexpr unsigned kMaxDims = 64;

  AffineMap() = default; // () -> ()
  AffineMap(unsigned num_dims, unsigned num_results);
  static AffineMap identity(unsigned num_dims);
  /// Row r is the plain dim `dims[r]`: `select(3, {2, 0})` is (d0, d1, d2) -> (d2, d0).
  static AffineMap select(unsigned num_dims, std::span<const unsigned> dims);

  unsigned num_dims() const { return num_dims_; }
  unsigned num_results() const { return num_results_; }

  int64_t coefficient(unsigned row, unsigned dim) const { return cell(row, dim); }
  int64_t constant(unsigned row) const { return cell(row, num_dims_); }
  void set_coefficient(unsigned row, unsigned dim, int64_t c) { set_cell(row, dim, c); }
  void set_constant(unsigned row, int64_t c) { set_cell(row, num_dims_, c); }

  /// The d for which row is exactly `d`: coefficient 1, all others and the constant 0.
  std::optional<unsigned> plain_dim(unsigned row) const;
  bool uses_dim(unsigned dim) const; // some row has a coefficient != 0 for it

  bool is_identity() const;    // (d0, d1) -> (d0, d1); () -> () too
  bool is_permutation() const; // every dim exactly once, plain
  /// Every row a plain dim, none twice; some dims may be missing.
  bool is_projected_permutation() const;

  /// The rows applied to one point; `point` has num_dims entries.
  std::vector<int64_t> apply(std::span<const int64_t> point) const;

  bool operator==(const AffineMap& other) const;

private:
  size_t position(unsigned row, unsigned col) const {
    return size_t{row} * (size_t{num_dims_} + 1) + col;
  }
  int64_t cell(unsigned row, unsigned col) const { return (*cells_)[position(row, col)]; }
  void set_cell(unsigned row, unsigned col, int64_t c);

  unsigned num_dims_ = 0;
  unsigned num_results_ = 0;
  /// Copies share their cells until one of them is written: a text may name one large #map a
  /// million times. Null where there are no results.
  std::shared_ptr<std::vector<int64_t>> cells_;
};

/// outer after inner: x -> outer(inner(x)). Requires outer.num_dims() == inner.num_results().
AffineMap compose(const AffineMap& outer, const AffineMap& inner);

/// The map that undoes a permutation. Requires map.is_permutation().
AffineMap inverse_permutation(const AffineMap& map);

/// The smallest and largest value of one row over the box 0 <= d_i < extents[i]; nothing where a
/// value does not fit in 64 bits. Requires every extent >= 1.
struct Range {
  int64_t min = 0, max = 0;
};
std::optional<Range> row_range(const AffineMap& map, unsigned row,
                               std::span<const int64_t> extents);

/// "(d0, d1) -> (d0, d1 * 2 + 1)", as mlir-opt prints it inside affine_map<>.
std::string to_string(const AffineMap& map);

} // namespace mo

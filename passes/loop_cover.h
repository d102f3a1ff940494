// Which operands give the loops of a generic their extents.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/function.h"

namespace mo {

/// Counts, per loop, the operand maps that name it as a plain dim: those can give it its extent
/// (inferred_extents, ir/walk.h). A loop that nobody names has none, and such a generic is not
/// valid.
class LoopCover {
public:
  explicit LoopCover(size_t num_loops) : counts_(num_loops, 0), missing_(num_loops) {}
  explicit LoopCover(const GenericOp& op); // all operands

  void add(const AffineMap& map);
  void remove(const AffineMap& map);
  bool complete() const { return missing_ == 0; }
  bool covers(unsigned loop) const { return counts_[loop] > 0; }
  std::optional<unsigned> first_missing() const;
  /// Would some loop be without an extent if this map, added before, went?
  std::optional<unsigned> loop_needing(const AffineMap& map) const;

private:
  std::vector<uint32_t> counts_;
  size_t missing_;
};

} // namespace mo

#include "passes/loop_cover.h"

namespace mo {

LoopCover::LoopCover(const GenericOp& op) : LoopCover(op.iterators.size()) {
  for (const AffineMap& map : op.maps)
    add(map);
}

void LoopCover::add(const AffineMap& map) {
  for (unsigned row = 0; row < map.num_results(); ++row)
    if (std::optional<unsigned> d = map.plain_dim(row); d && counts_[*d]++ == 0)
      --missing_;
}

void LoopCover::remove(const AffineMap& map) {
  for (unsigned row = 0; row < map.num_results(); ++row)
    if (std::optional<unsigned> d = map.plain_dim(row); d && --counts_[*d] == 0)
      ++missing_;
}

std::optional<unsigned> LoopCover::first_missing() const {
  for (unsigned d = 0; d < counts_.size(); ++d)
    if (counts_[d] == 0)
      return d;
  return std::nullopt;
}

std::optional<unsigned> LoopCover::loop_needing(const AffineMap& map) const {
  LoopCover without = *this;
  without.remove(map);
  return without.complete() ? std::nullopt : without.first_missing();
}

} // namespace mo

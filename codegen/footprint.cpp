#include "codegen/footprint.h"

#include <algorithm>

#include "codegen/loop_walk.h"

namespace mo {
namespace {

class Collector {
public:
  explicit Collector(unsigned depth) : depth_(depth) {}

  void block(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (const Loop* loop = node.as<Loop>()) {
        inner_extents_.push_back(loop->extent);
        block(loop->body);
        inner_extents_.pop_back();
      } else if (const Access* access = access_of(node)) {
        note(*access, node.as<Store>() != nullptr);
      }
    }
  }

  /// `extent`: of the loop itself.
  void note_repeats(int64_t extent) {
    for (auto& [buffer, footprint] : footprints_)
      if (footprint.stored && extent > 1 && footprint.strides.back() == 0)
        footprint.reduced = true;
  }

  Footprints take() { return std::move(footprints_); }

private:
  void note(const Access& access, bool stores) {
    Footprint footprint;
    footprint.strides.assign(access.strides.begin(), access.strides.begin() + depth_ + 1);
    footprint.low = footprint.high = access.offset;
    for (size_t d = 0; d < inner_extents_.size(); ++d) {
      const int64_t stride = access.strides[depth_ + 1 + d];
      const __int128 reach = static_cast<__int128>(stride) * (inner_extents_[d] - 1);
      (reach < 0 ? footprint.low : footprint.high) += reach;
      footprint.reduced |= stores && stride == 0 && inner_extents_[d] > 1;
    }
    (stores ? footprint.stored : footprint.loaded) = true;
    const auto [it, is_new] = footprints_.try_emplace(access.buffer, footprint);
    if (!is_new)
      it->second = merged(it->second, footprint);
  }

  unsigned depth_;
  std::vector<int64_t> inner_extents_; // of the loops inside the loop, around the current block
  Footprints footprints_;
};

} // namespace

Footprints footprints_of(const Loop& loop, unsigned depth) {
  Collector collector(depth);
  collector.block(loop.body);
  collector.note_repeats(loop.extent);
  return collector.take();
}

Footprint merged(const Footprint& a, const Footprint& b) {
  Footprint both = a;
  both.uniform = a.uniform && b.uniform && a.strides == b.strides;
  both.low = std::min(a.low, b.low);
  both.high = std::max(a.high, b.high);
  both.loaded |= b.loaded;
  both.stored |= b.stored;
  both.reduced |= b.reduced;
  return both;
}

bool disjoint_between_iterations(const Footprint& footprint) {
  const __int128 stride = footprint.strides.back();
  return footprint.uniform && footprint.high - footprint.low < (stride < 0 ? -stride : stride);
}

} // namespace mo

// What the iterations of one loop touch: which part of each buffer one iteration can reach.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codegen/loop_nest.h"

namespace mo {

/// Of one buffer, in one iteration of a loop at some depth: elements
/// [low, high] + sum over the loops up to and including that one of counter * strides.
struct Footprint {
  std::vector<int64_t> strides; // of the loops around the loop, then its own
  __int128 low = 0, high = 0;   // over all iterations of the loops inside
  bool uniform = true;          // every access has these strides
  bool loaded = false, stored = false;
  bool reduced = false; // some store comes back to an element in another iteration
};

using Footprints = std::map<uint32_t, Footprint>; // by buffer

/// Of all accesses in the body of a loop at `depth`.
Footprints footprints_of(const Loop& loop, unsigned depth);

/// Of both together.
Footprint merged(const Footprint& a, const Footprint& b);

/// No two different iterations of the loop touch the same element: what one reaches is narrower
/// than the step to the next.
bool disjoint_between_iterations(const Footprint& footprint);

/// Does every dependence on this buffer connect steps of one iteration?
inline bool same_iteration_only(const Footprint& footprint) {
  return !footprint.stored || disjoint_between_iterations(footprint);
}

} // namespace mo

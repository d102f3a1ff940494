// Two loops in blocks, the accesses that go across them through scratches: the building half of
// tile_transposes (simplify_tiles.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/loop_nest.h"
#include "codegen/perfect_nest.h"

namespace mo {

/// An access that goes through a scratch; all accesses to one place share it.
struct TiledAccess {
  Access access;
  uint32_t scratch = 0; // buffer; chosen by build_blocks
  bool loaded = false, stored = false;
};

bool same_place(const Access& a, const Access& b);

/// Largest block, in elements along each of the two loops, that leaves room for all scratches; 0 if
/// there is none.
int64_t choose_block(const Kernel& kernel, const std::vector<TiledAccess>& tiled);

/// What takes the place of the last two loops of the nest and their body: blocks of up to
/// `max_block` (from choose_block) in both directions. Adds the scratches to the kernel.
std::vector<Node> build_blocks(Kernel& kernel, const PerfectNest& nest,
                               std::vector<TiledAccess> tiled, int64_t max_block);

} // namespace mo

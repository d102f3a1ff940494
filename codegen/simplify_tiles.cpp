// Reads and writes across the innermost loop, in tiles.
//
//   for d0 { for d1 {                      for d0_block { for d1_block {
//     %a = load %x[4096*d1 + d0]             for d0 { for d1 {            // x, transposed into
//     cache %b = load %r[4096*d0 + d1]               scratch[144*d0 + d1] = x[...]
//     ...                           ==>      } }
//     store %c, %y[4096*d0 + d1]             for d0 { for d1 {
//   } }                                        %a = load scratch[144*d0 + d1]
//                                              %b, ..., store to y
//                                          } } } }
//
// In the nest as it was, x jumps from line to line, and of each line that comes into cache one
// element is used before it is driven out. Blocks bring a line in once (M. Lam, E. Rothberg and
// M. Wolf, "The cache performance and optimizations of blocked algorithms", ASPLOS 1991). The
// copies go through registers (emit_transpose.h), and the body runs on vectors of neighbours. What
// is written across the innermost loop goes the other way: into a scratch, and from there to
// memory.
//
// Why copies and not tiles in registers alone: the body may be anything, the rest of it does not
// have to know, and memory is read and written in runs of a block's width, not line by line from
// row to row, which DRAM and the prefetchers of the CPU want (measured: 1.3 times as fast).
#include <algorithm>
#include <optional>

#include "codegen/dependence.h"
#include "codegen/loop_walk.h"
#include "codegen/perfect_nest.h"
#include "codegen/simplify.h"
#include "codegen/tile_blocks.h"

namespace mo {
namespace {

constexpr size_t kMaxSteps = 200; // of a body: at the edges it is repeated

/// The two loops of a nest that are tiled, by position: along `row`, which comes to stand directly
/// around `column`, the tiled accesses have unit stride; along `column`, the innermost loop, the
/// others have.
struct TilePlan {
  unsigned row = 0, column = 0;
  std::vector<TiledAccess> tiled;
};

/// Does the access go along `row` by neighbours and along `column` by jumps?
bool is_transposed(const Kernel& kernel, const PerfectNest& nest, const Access& access,
                   unsigned row, unsigned column) {
  const int64_t along = access.strides[nest.depth + row];
  const int64_t across = access.strides[nest.depth + column];
  // The narrowest register is the smallest tile.
  const int64_t smallest =
      std::max<int64_t>(16 / byte_size(kernel.buffers[access.buffer].element), 4);
  return along == 1 && across != 0 && across != 1 && nest.loops[row].extent >= smallest &&
         nest.loops[column].extent >= smallest;
}

/// A tile that is written over and over again, by loops outside, is better updated where it is.
bool written_once(const PerfectNest& nest, const Access& access) {
  for (size_t d = 0; d < nest.loops.size(); ++d)
    if (access.strides[nest.depth + d] == 0 && nest.loops[d].extent > 1)
      return false;
  return true;
}

/// A buffer that is stored to takes part with all its accesses, which are the same one, or with
/// none.
std::vector<TiledAccess> find_tiled(const Kernel& kernel, const PerfectNest& nest, unsigned row,
                                    unsigned column) {
  std::vector<TiledAccess> result;
  for (const Node& node : nest.body) {
    const Access* access = access_of(node);
    if (!access || !is_transposed(kernel, nest, *access, row, column))
      continue;
    const bool is_store = node.as<Store>() != nullptr;
    auto known = std::ranges::find_if(
        result, [&](const TiledAccess& tiled) { return same_place(tiled.access, *access); });
    if (known == result.end())
      known = result.insert(result.end(), TiledAccess{*access, 0, false, false});
    known->loaded |= !is_store && !known->stored; // what was stored at this point is there
    known->stored |= is_store;
  }
  std::erase_if(result, [&](const TiledAccess& tiled) {
    return tiled.stored && !written_once(nest, tiled.access);
  });
  return result;
}

/// May `row` move inwards to `column`, and the two be run in blocks?
bool may_tile(const LoopOrder& allowed, unsigned row) {
  if (allowed.fixed)
    return false;
  for (const std::vector<unsigned>& group : allowed.in_order) // ascending
    if (std::ranges::find(group, row) != group.end() && group.back() != row)
      return false;
  return true;
}

std::optional<TilePlan> plan_tiles(const Kernel& kernel, const PerfectNest& nest,
                                   std::span<const uint32_t> uses) {
  if (nest.loops.size() < 2 || nest.body.size() > kMaxSteps || contains_loop(nest.body))
    return std::nullopt;
  for (const Node& node : nest.body)
    if (const Access* access = access_of(node);
        access && kernel.buffers[access->buffer].kind == Buffer::Kind::Scratch)
      return std::nullopt; // done already
  TilePlan best;
  best.column = static_cast<unsigned>(nest.loops.size() - 1);
  for (unsigned row = 0; row < best.column; ++row)
    if (auto tiled = find_tiled(kernel, nest, row, best.column); tiled.size() > best.tiled.size()) {
      best.row = row;
      best.tiled = std::move(tiled);
    }
  if (best.tiled.empty() || !may_tile(allowed_order(nest, uses), best.row))
    return std::nullopt;
  return best;
}

/// Brings `row` next to `column`.
void move_row_inside(PerfectNest& nest, TilePlan& plan) {
  std::vector<unsigned> source;
  for (unsigned d = 0; d < plan.column; ++d)
    if (d != plan.row)
      source.push_back(d);
  source.push_back(plan.row);
  source.push_back(plan.column);
  for (TiledAccess& tiled : plan.tiled) {
    const auto row = tiled.access.strides.begin() + nest.depth + plan.row;
    std::rotate(row, row + 1, tiled.access.strides.begin() + nest.depth + plan.column);
  }
  std::vector<Loop> loops;
  for (unsigned d : source)
    loops.push_back(std::move(nest.loops[d]));
  replace_loops(nest, std::move(loops), source);
}

} // namespace

void tile_transposes(Kernel& kernel) {
  const std::vector<uint32_t> uses = count_uses(kernel);
  for_each_perfect_nest(kernel, [&](PerfectNest& nest) {
    std::optional<TilePlan> plan = plan_tiles(kernel, nest, uses);
    const int64_t block = plan ? choose_block(kernel, plan->tiled) : 0;
    if (block == 0)
      return;
    move_row_inside(nest, *plan);
    nest.body = build_blocks(kernel, nest, std::move(plan->tiled), block);
    nest.loops.resize(nest.loops.size() - 2);
  });
}

} // namespace mo

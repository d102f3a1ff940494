// The simplifications that look at how often a loop runs, and where its next iteration is in
// memory.
#include <algorithm>
#include <iterator>

#include "codegen/loop_walk.h"
#include "codegen/perfect_nest.h"
#include "codegen/simplify.h"

namespace mo {
namespace {

bool never_runs(const Node& node) {
  const Loop* loop = node.as<Loop>();
  // The results of a loop that carries values are needed even if it does not run: they are the
  // inits.
  return loop && loop->extent == 0 && loop->carried.empty();
}

void drop_empty_loops_in(std::vector<Node>& block) {
  std::erase_if(block, never_runs);
  for (Node& node : block)
    if (Loop* loop = node.as<Loop>())
      drop_empty_loops_in(loop->body);
  // Around a loop that never runs nothing may be left.
  std::erase_if(block, [](const Node& node) {
    const Loop* loop = node.as<Loop>();
    return loop && loop->body.empty() && loop->carried.empty();
  });
}

} // namespace

void drop_empty_loops(Kernel& kernel) {
  drop_empty_loops_in(kernel.body);
}

void drop_unit_loops(Kernel& kernel) {
  for_each_perfect_nest(kernel, [](PerfectNest& nest) {
    std::vector<Loop> kept;
    std::vector<unsigned> source;
    for (unsigned d = 0; d < nest.loops.size(); ++d)
      if (nest.loops[d].extent != 1) {
        kept.push_back(std::move(nest.loops[d]));
        source.push_back(d);
      }
    replace_loops(nest, std::move(kept), source);
  });
}

namespace {

/// For each pair of neighbours of the nest (`outer`, `outer` + 1), whether they are one loop.
std::vector<bool> contiguous_pairs(const PerfectNest& nest) {
  // exercise: merge-loops
  std::vector<bool> contiguous(nest.loops.size() - 1, true);
  for_each_node(nest.body, 0, [&](const Node& node, unsigned) {
    if (const Access* access = access_of(node)) {
      for (size_t outer = 0; outer < contiguous.size(); ++outer) {
        const __int128 inner_walk = static_cast<__int128>(access->strides[nest.depth + outer + 1]) *
                                    nest.loops[outer + 1].extent;
        if (access->strides[nest.depth + outer] != inner_walk)
          contiguous[outer] = false;
      }
    } else if (const Compute* compute = node.as<Compute>();
               compute && compute->op == ScalarOp::LoopIndex && compute->immediate >= nest.depth) {
      const uint64_t asked = compute->immediate - nest.depth;
      if (asked < contiguous.size())
        contiguous[asked] = false;
      if (asked >= 1 && asked - 1 < contiguous.size())
        contiguous[asked - 1] = false;
    }
  });
  return contiguous;
  // end of exercise
}

} // namespace

void merge_contiguous_loops(Kernel& kernel) {
  for_each_perfect_nest(kernel, [](PerfectNest& nest) {
    const std::vector<bool> contiguous = contiguous_pairs(nest);
    std::vector<Loop> merged;
    std::vector<unsigned> source; // of each merged loop: the innermost loop that went into it
    merged.push_back(std::move(nest.loops[0]));
    source.push_back(0);
    for (unsigned d = 1; d < nest.loops.size(); ++d) {
      Loop& loop = nest.loops[d];
      int64_t product = 0;
      if (contiguous[d - 1] &&
          !__builtin_mul_overflow(merged.back().extent, loop.extent, &product)) {
        merged.back().extent = product;
        merged.back().name += "_" + loop.name;
        source.back() = d;
      } else {
        merged.push_back(std::move(loop));
        source.push_back(d);
      }
    }
    replace_loops(nest, std::move(merged), source);
  });
}

} // namespace mo

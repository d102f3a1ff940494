// Memory dependence between the iterations of loops: what may run in another order.
//
// Two accesses depend on each other if they may touch the same element and one of them writes it.
// Different buffers never overlap: arguments by the contract of the kernel, temps because they are
// allocated. So a dependence is a question about the accesses to one buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codegen/loop_nest.h"
#include "codegen/perfect_nest.h"

namespace mo {

/// What one block without loops does to one buffer that it stores to. Pointers into the block.
struct BufferUse {
  uint32_t buffer = 0;
  std::vector<const Load*> loads;
  std::vector<const Store*> stores;
  const Compute* update =
      nullptr; // what computes the value of the first store, if it is in the block
};

/// One entry per buffer that the block stores to, in the order of the first store.
std::vector<BufferUse> stored_buffers(const std::vector<Node>& block);

/// Every access to the buffer is the same one.
bool same_access_everywhere(const BufferUse& use);

/// Do the loops whose stride is not 0 reach different elements at different points? Sufficient, not
/// necessary: sorted by stride, each loop must step over all that the smaller ones reach together,
/// as the digits of a number do.
bool injective_over_used_loops(std::span<const int64_t> strides, std::span<const int64_t> extents);

/// A value in memory that every iteration updates by combine(old, x) or combine(x, old), where x
/// does not depend on the old value and nobody else looks at either: the order of the updates may
/// change.
struct MemoryReduction {
  const Load* load;
  const Store* store;
  ScalarOp combine;
};
/// `uses`: count_uses of the kernel.
std::optional<MemoryReduction> as_reduction(const BufferUse& use, std::span<const uint32_t> uses);

/// May the order of combining change? Integer ops that are associative and commutative; maximum and
/// minimum, which order all floats (-0 below +0) and have NaN as absorbing (maximumf) or neutral
/// (maxnumf) element, payloads aside; float sums by the licence that the order of a float sum is
/// not defined. Products of floats have no such licence.
bool order_free(ScalarOp combine);

/// How the loops of a nest may be permuted. The body must be a block without loops.
struct LoopOrder {
  bool fixed = false; // not at all
  std::vector<std::vector<unsigned>>
      in_order; // loops of one entry keep their order (positions in the nest)
};
LoopOrder allowed_order(const PerfectNest& nest, std::span<const uint32_t> uses);

/// May the iterations of an innermost loop at `depth` run side by side, step by step?
bool iterations_independent(const Loop& loop, unsigned depth);

} // namespace mo

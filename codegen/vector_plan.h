// How an innermost loop is run: how many lanes and vectors per step, how its end is handled, which
// stores go around the caches. Decided here, emitted in emit_vector_loop.h.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/isa.h"
#include "codegen/loop_nest.h"

namespace mo {

/// A Carried whose partial results are kept per lane: next = combine(current, partial).
struct Reduction {
  ScalarOp combine = ScalarOp::AddF;
  ElementType type = ElementType::F32;
  Reg init, current, next, result;
  Reg partial;                        // what this iteration adds to it
  const Compute* combining = nullptr; // the step that defines next
  uint64_t neutral = 0;               // combine(neutral, x) is x
};

struct VectorPlan {
  unsigned lanes = 1;  // elements per vector; 64-bit types fill it, or 32-bit ones if none is wider
  unsigned unroll = 1; // vectors per step of the main loop; each has accumulators of its own
  unsigned turns = 1;  // how many of these are emitted in turns (interleave.h); divides unroll
  /// What is left at the end (and before the first aligned address): one masked vector, or else
  /// vectors of lanes/2, lanes/4, ... 1 elements, as the bits of the number say.
  bool masked_ends = false;
  bool streams = false; // some store goes around the caches where its address permits
  std::vector<Reduction> reductions;
  /// Stores, to places that are apart, of what a load has brought: the elements go from memory to
  /// memory one by one, and are never put into lanes.
  std::unordered_map<const Store*, const Load*> moves;
  /// Steps to leave out: loads whose values only moves want, and prefetches in a loop that is slow
  /// enough for the prefetchers of the CPU to follow.
  std::unordered_set<const Node*> left_out;
};

/// More broadcast constants than this would only be spilled and read back: then each is made where
/// it is used.
unsigned max_constants_in_registers(Isa isa);

/// Nothing where the loop is to run one element at a time: not vectorizable, not innermost, a store
/// whose address stands still, one iteration only.
std::optional<VectorPlan> plan_vector_loop(const Kernel& kernel, const Loop& loop, unsigned depth,
                                           Isa isa);

} // namespace mo

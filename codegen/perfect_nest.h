// Perfect nests: loops of which each holds the next one and nothing else. What the steps of the
// simplification that rearrange loops work on.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "codegen/loop_nest.h"

namespace mo {

struct PerfectNest {
  unsigned depth = 0;      // how many loops stand around the nest
  std::vector<Loop> loops; // outermost first; their bodies are taken out. None carries a value
  std::vector<Node> body;  // of the innermost one; may hold loops in its turn
};

/// Takes every perfect nest of the kernel apart, outer ones first, lets `f` change it, and puts it
/// together again. Where `f` leaves no loops, the body takes the nest's place in its block.
void for_each_perfect_nest(Kernel& kernel, const std::function<void(PerfectNest&)>& f);

/// Replaces the loops of the nest. New loop j takes over the counter of the old loop `source[j]`:
/// accesses keep that one's stride, LoopIndex follows. The counter of an old loop that is no source
/// is taken to be 0 from now on.
void replace_loops(PerfectNest& nest, std::vector<Loop> loops, std::span<const unsigned> source);

} // namespace mo

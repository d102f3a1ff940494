// Reductions into registers.
//
//   for d0 { for d1 {                      for d0 {
//     %acc = load %o[d0]                     %init = load %o[d0]
//     %s = addf %acc, %x                     %sum = for d1 carrying %acc = %init {
//     store %s, %o[d0]            ==>          %s = addf %acc, %x
//   } }                                        next %s
//                                            }
//                                            store %sum, %o[d0]
//                                          }
#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "codegen/dependence.h"
#include "codegen/loop_walk.h"
#include "codegen/perfect_nest.h"
#include "codegen/simplify.h"

namespace mo {
namespace {

/// One buffer element that stays the same over loops `first`, `first` + 1, ... of the nest.
struct Candidate {
  Load load;
  Store store;
  size_t first; // position in the nest
  std::optional<ScalarOp> combine;
};

/// The outermost loop of those inside of which the access does not move.
size_t first_standing_loop(const Access& access, const PerfectNest& nest) {
  size_t first = nest.loops.size();
  while (first > 0 && access.strides[nest.depth + first - 1] == 0)
    --first;
  return first;
}

/// Requires a body without loops. Nobody else may look at the element in between: one load, one
/// store, no other access to the buffer.
std::vector<Candidate> find_candidates(const PerfectNest& nest, std::span<const uint32_t> uses) {
  std::vector<Candidate> result;
  for (const BufferUse& use : stored_buffers(nest.body)) {
    if (use.loads.size() != 1 || use.stores.size() != 1 || !same_access_everywhere(use))
      continue;
    const size_t first = first_standing_loop(use.stores[0]->to, nest);
    if (first == nest.loops.size())
      continue;
    Candidate candidate{*use.loads[0], *use.stores[0], first, std::nullopt};
    if (const auto reduction = as_reduction(use, uses))
      candidate.combine = reduction->combine;
    result.push_back(std::move(candidate));
  }
  return result;
}

/// The body without the loads and stores that move out.
void take_out(std::vector<Node>& body, const std::vector<Candidate>& candidates) {
  std::unordered_set<uint32_t> buffers;
  for (const Candidate& candidate : candidates)
    buffers.insert(candidate.store.to.buffer);
  std::erase_if(body, [&](const Node& node) {
    const Access* access = access_of(node);
    return access && buffers.contains(access->buffer);
  });
}

/// Fills in Loop::carried of every loop that the candidate stands still in. The body keeps the
/// register of the load as the current value; the load gets a new one.
void carry(Kernel& kernel, PerfectNest& nest, Candidate& candidate) {
  const RegInfo element = kernel.regs[candidate.load.dst.index];
  const RegInfo result = kernel.regs[candidate.store.value.index];
  const Reg innermost_current = candidate.load.dst;
  const Reg innermost_next = candidate.store.value;
  candidate.load.dst = add_reg(kernel, element.name + "_init", element.type, element.defined);

  Reg init = candidate.load.dst;
  for (size_t d = candidate.first; d < nest.loops.size(); ++d) { // from outside: who starts whom
    Carried carried;
    carried.combine = candidate.combine;
    carried.init = init;
    carried.current = d + 1 == nest.loops.size()
                          ? innermost_current
                          : add_reg(kernel, element.name, element.type, element.defined);
    init = carried.current;
    nest.loops[d].carried.push_back(carried);
  }
  Reg next = innermost_next;
  for (size_t d = nest.loops.size(); d-- > candidate.first;) { // from inside: who ends as what
    Carried& carried = nest.loops[d].carried.back();
    carried.next = next;
    carried.result = next = add_reg(kernel, result.name, element.type, result.defined);
  }
  candidate.store.value = next;
}

/// The nest as nodes: around each loop that a candidate starts to stand still in, its load and
/// store.
std::vector<Node> build(PerfectNest& nest, const std::vector<Candidate>& candidates) {
  std::vector<Node> block = std::move(nest.body);
  for (size_t d = nest.loops.size(); d-- > 0;) {
    Loop loop = std::move(nest.loops[d]);
    loop.body = std::move(block);
    block.clear();
    for (const Candidate& candidate : candidates)
      if (candidate.first == d) {
        Load load = candidate.load;
        load.from.strides.resize(nest.depth + d);
        block.push_back(Node{std::move(load)});
      }
    block.push_back(Node{std::move(loop)});
    for (const Candidate& candidate : candidates)
      if (candidate.first == d) {
        Store store = candidate.store;
        store.to.strides.resize(nest.depth + d);
        block.push_back(Node{std::move(store)});
      }
  }
  return block;
}

} // namespace

void carry_in_registers(Kernel& kernel) {
  const std::vector<uint32_t> uses = count_uses(kernel);
  for_each_perfect_nest(kernel, [&](PerfectNest& nest) {
    if (contains_loop(nest.body))
      return;
    std::vector<Candidate> candidates = find_candidates(nest, uses);
    if (candidates.empty())
      return;
    take_out(nest.body, candidates);
    for (Candidate& candidate : candidates)
      carry(kernel, nest, candidate);
    nest.body = build(nest, candidates);
    nest.loops.clear();
  });
}

} // namespace mo

#include "codegen/vector_plan.h"

#include <algorithm>

#include "codegen/emit_address.h"
#include "codegen/emit_memory.h"
#include "codegen/emit_strided.h"
#include "codegen/loop_walk.h"
#include "codegen/vector_ops.h"

namespace mo {
namespace {

// More steps than this in one body, and repeating it would only cost instruction cache.
constexpr size_t kMaxUnrolledSteps = 64;
constexpr size_t kMaxStreamedSteps = 256; // such a body is bound by its arithmetic, not by memory

bool straight_line(const Loop& loop) {
  return std::all_of(loop.body.begin(), loop.body.end(), [](const Node& node) {
    return node.as<Load>() || node.as<Compute>() || node.as<Store>() || node.as<Prefetch>();
  });
}

const Compute* definition_in(const Loop& loop, Reg reg) {
  for (const Node& node : loop.body)
    if (const Compute* compute = node.as<Compute>())
      if (compute->dst == reg)
        return compute;
  return nullptr;
}

unsigned uses_in(const Loop& loop, Reg reg) {
  unsigned uses = 0;
  for (const Node& node : loop.body)
    for_each_use(node, [&](Reg used) { uses += used == reg; });
  for (const Carried& carried : loop.carried)
    uses += carried.next == reg;
  return uses;
}

// `current` may be read by the combining step only, and `next` by the following iteration only.
std::optional<Reduction> reduction_of(const Kernel& kernel, const Loop& loop,
                                      const Carried& carried) {
  if (!carried.combine)
    return std::nullopt;
  const Compute* combining = definition_in(loop, carried.next);
  if (!combining || combining->op != *carried.combine || info(combining->op).arity != 2)
    return std::nullopt;
  bool on_the_left = combining->operands[0] == carried.current;
  Reg current = combining->operands[on_the_left ? 0 : 1];
  Reg partial = combining->operands[on_the_left ? 1 : 0];
  if (current != carried.current || uses_in(loop, current) != 1 || uses_in(loop, carried.next) != 1)
    return std::nullopt;
  ElementType type = kernel.regs[current.index].type;
  std::optional<uint64_t> neutral = VectorOps::neutral_element(combining->op, type);
  if (!neutral)
    return std::nullopt;
  return Reduction{combining->op,  type,    carried.init, current, carried.next,
                   carried.result, partial, combining,    *neutral};
}

bool any_64_bit_value(const Kernel& kernel, const Loop& loop) {
  bool found = false;
  auto look = [&](Reg reg) { found |= byte_size(kernel.regs[reg.index].type) == 8; };
  for (const Node& node : loop.body) {
    for_each_use(node, look);
    if (const Reg* defined = definition_of(node))
      look(*defined);
  }
  for (const Carried& carried : loop.carried)
    look(carried.current);
  return found;
}

/// Of elements that are to be stored one by one, to load a vector and take it apart is dearer.
void plan_moves(const Kernel& kernel, const Loop& loop, unsigned depth, Isa isa, VectorPlan& plan) {
  std::unordered_map<uint32_t, const Node*> loads; // since the last store, by register
  std::unordered_map<uint32_t, unsigned> moves;    // by register
  for (const Node& node : loop.body) {
    if (const Load* load = node.as<Load>())
      loads[load->dst.index] = &node;
    const Store* store = node.as<Store>();
    if (!store)
      continue;
    if (const auto found = loads.find(store->value.index); found != loads.end()) {
      const Load& load = *found->second->as<Load>();
      const int64_t to = Addresses::stride_at(store->to, depth);
      if (to != 1 && !stores_by_permuting(isa, plan.lanes, kernel.buffers[store->to.buffer], to)) {
        plan.moves[store] = &load;
        if (++moves[load.dst.index] == uses_in(loop, load.dst))
          plan.left_out.insert(found->second);
      }
    }
    loads.clear(); // the store may have been to that place
  }
}

/// Is the loop too fast for the prefetchers of the CPU to follow elements that are apart? With at
/// most two of them in a line it is. Nearer ones have to be loaded as whole vectors of 32 bytes or
/// more.
bool outruns_prefetchers(ElementType type, int64_t stride, unsigned lanes) {
  constexpr int64_t kFastBytes = 32;
  const int64_t size = byte_size(type);
  return !within(stride, kLineBytes / 2 / size - 1) ||
         (loads_by_permuting(lanes, type, stride) && lanes * size >= kFastBytes);
}

void plan_prefetches(const Kernel& kernel, const Loop& loop, unsigned depth, VectorPlan& plan) {
  for (const Node& node : loop.body) {
    const Prefetch* prefetch = node.as<Prefetch>();
    const int64_t stride = prefetch ? Addresses::stride_at(prefetch->from, depth) : 0;
    if (stride == 0 || stride == 1)
      continue;
    const ElementType type = kernel.buffers[prefetch->from.buffer].element;
    if (!outruns_prefetchers(type, stride, plan.lanes))
      plan.left_out.insert(&node);
  }
}

/// The most values that the body has at one time between two steps, for each element.
unsigned max_live_values(const Loop& loop) {
  std::unordered_map<uint32_t, size_t> last_use; // by register
  for (size_t k = 0; k < loop.body.size(); ++k)
    for_each_use(loop.body[k], [&](Reg reg) { last_use[reg.index] = k; });
  std::vector<unsigned> dying(loop.body.size(), 0); // values whose last use a step is
  unsigned live = 0, most = 0;
  for (size_t k = 0; k < loop.body.size(); ++k) {
    if (const Reg* defined = definition_of(loop.body[k]))
      if (const auto use = last_use.find(defined->index); use != last_use.end()) {
        ++dying[use->second];
        ++live;
      }
    live -= dying[k];
    most = std::max(most, live);
  }
  return most;
}

/// As many vectors as leave their values in registers, next to constants and accumulators.
unsigned choose_turns(const Loop& loop, const VectorPlan& plan, Isa isa) {
  const unsigned registers = isa == Isa::AVX512 ? 32 : 16;
  const size_t taken =
      max_constants_in_registers(isa) + size_t{plan.unroll} * plan.reductions.size();
  const size_t live = max_live_values(loop);
  unsigned turns = plan.unroll;
  while (turns > 1 && taken + turns * live > registers)
    turns /= 2;
  return turns;
}

unsigned choose_unroll(const Loop& loop, unsigned lanes) {
  unsigned unroll = 4;
  while (unroll > 1 &&
         (loop.body.size() * unroll > kMaxUnrolledSteps || loop.extent < lanes * unroll))
    unroll /= 2;
  return unroll;
}

} // namespace

unsigned max_constants_in_registers(Isa isa) {
  return isa == Isa::AVX512 ? 20 : 8;
}

std::optional<VectorPlan> plan_vector_loop(const Kernel& kernel, const Loop& loop, unsigned depth,
                                           Isa isa) {
  if (!loop.vectorizable || loop.extent < 2 || !straight_line(loop))
    return std::nullopt;
  VectorPlan plan;
  for (const Carried& carried : loop.carried) {
    std::optional<Reduction> reduction = reduction_of(kernel, loop, carried);
    if (!reduction)
      return std::nullopt;
    plan.reductions.push_back(*reduction);
  }
  plan.lanes = vector_bytes(isa) / (any_64_bit_value(kernel, loop) ? 8 : 4);
  bool contiguous = true;
  bool streaming_store = false;
  for (const Node& node : loop.body) {
    const Access* access = access_of(node);
    if (!access)
      continue;
    int64_t stride = Addresses::stride_at(*access, depth);
    const Store* store = node.as<Store>();
    if (store && stride == 0)
      return std::nullopt;
    contiguous &= stride == 0 || stride == 1;
    if (store && store->streaming && stride == 1)
      streaming_store |= can_stream(plan.lanes, kernel.regs[store->value.index].type);
  }
  plan.masked_ends = isa == Isa::AVX512 && contiguous;
  plan.unroll = choose_unroll(loop, plan.lanes);
  plan.turns = choose_turns(loop, plan, isa);
  // The elements before the first aligned address leave a whole vector.
  plan.streams =
      streaming_store && loop.extent >= 2 * plan.lanes && loop.body.size() <= kMaxStreamedSteps;
  plan_moves(kernel, loop, depth, isa, plan);
  plan_prefetches(kernel, loop, depth, plan);
  return plan;
}

} // namespace mo

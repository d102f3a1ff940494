#include "codegen/dependence.h"

#include <algorithm>
#include <unordered_map>

#include "codegen/loop_walk.h"

namespace mo {
namespace {

bool same_access(const Access& a, const Access& b) {
  return a.buffer == b.buffer && a.offset == b.offset && a.strides == b.strides;
}

/// |x| without overflow.
__int128 magnitude(int64_t x) {
  return x < 0 ? -static_cast<__int128>(x) : x;
}

} // namespace

std::vector<BufferUse> stored_buffers(const std::vector<Node>& block) {
  std::vector<BufferUse> result;
  std::unordered_map<uint32_t, size_t> position;
  for (const Node& node : block)
    if (const Store* store = node.as<Store>()) {
      const auto [it, is_new] = position.try_emplace(store->to.buffer, result.size());
      if (is_new)
        result.push_back({store->to.buffer, {}, {}, nullptr});
      result[it->second].stores.push_back(store);
    }
  for (const Node& node : block)
    if (const Load* load = node.as<Load>())
      if (const auto it = position.find(load->from.buffer); it != position.end())
        result[it->second].loads.push_back(load);
  std::unordered_map<uint32_t, const Compute*> definitions;
  for (const Node& node : block)
    if (const Compute* compute = node.as<Compute>())
      definitions.emplace(compute->dst.index, compute);
  for (BufferUse& use : result)
    if (const auto it = definitions.find(use.stores[0]->value.index); it != definitions.end())
      use.update = it->second;
  return result;
}

bool same_access_everywhere(const BufferUse& use) {
  const Access& first = use.stores.front()->to;
  return std::all_of(use.loads.begin(), use.loads.end(),
                     [&](const Load* load) { return same_access(load->from, first); }) &&
         std::all_of(use.stores.begin(), use.stores.end(),
                     [&](const Store* store) { return same_access(store->to, first); });
}

bool injective_over_used_loops(std::span<const int64_t> strides, std::span<const int64_t> extents) {
  struct Digit {
    __int128 stride;
    int64_t extent;
  };
  std::vector<Digit> digits;
  for (size_t d = 0; d < strides.size(); ++d)
    if (strides[d] != 0 && extents[d] > 1)
      digits.push_back({magnitude(strides[d]), extents[d]});
  std::sort(digits.begin(), digits.end(),
            [](const Digit& a, const Digit& b) { return a.stride < b.stride; });
  __int128 reach = 0; // largest distance between elements that the smaller digits reach
  for (const Digit& digit : digits) {
    if (digit.stride <= reach)
      return false;
    reach += digit.stride * (digit.extent - 1);
    if (reach > INT64_MAX)
      return false;
  }
  return true;
}

bool order_free(ScalarOp combine) {
  switch (combine) {
  case ScalarOp::AddF:
  case ScalarOp::MaximumF:
  case ScalarOp::MinimumF:
  case ScalarOp::MaxNumF:
  case ScalarOp::MinNumF:
  case ScalarOp::AddI:
  case ScalarOp::MulI:
  case ScalarOp::AndI:
  case ScalarOp::OrI:
  case ScalarOp::XOrI:
  case ScalarOp::MaxSI:
  case ScalarOp::MinSI:
  case ScalarOp::MaxUI:
  case ScalarOp::MinUI: return true;
  default: return false;
  }
}

std::optional<MemoryReduction> as_reduction(const BufferUse& use, std::span<const uint32_t> uses) {
  if (use.loads.size() != 1 || use.stores.size() != 1 || !same_access_everywhere(use))
    return std::nullopt;
  const Load* load = use.loads[0];
  const Store* store = use.stores[0];
  const Compute* combine = use.update;
  if (!combine || !order_free(combine->op))
    return std::nullopt;
  if (combine->operands[0] != load->dst && combine->operands[1] != load->dst)
    return std::nullopt;
  // One use each: x cannot depend on the old value then, as every path from the load goes through
  // `combine` to the store.
  if (uses[load->dst.index] != 1 || uses[store->value.index] != 1)
    return std::nullopt;
  return MemoryReduction{load, store, combine->op};
}

LoopOrder allowed_order(const PerfectNest& nest, std::span<const uint32_t> uses) {
  LoopOrder order;
  std::vector<int64_t> extents;
  for (const Loop& loop : nest.loops)
    extents.push_back(loop.extent);
  for (const BufferUse& use : stored_buffers(nest.body)) {
    const auto strides = std::span(use.stores[0]->to.strides).subspan(nest.depth);
    if (!same_access_everywhere(use) || !injective_over_used_loops(strides, extents)) {
      order.fixed = true;
      return order;
    }
    // Points that differ only in loops of stride 0 touch the same element; all others do not.
    std::vector<unsigned> repeating;
    for (unsigned d = 0; d < strides.size(); ++d)
      if (strides[d] == 0 && extents[d] > 1)
        repeating.push_back(d);
    if (repeating.size() > 1 && !as_reduction(use, uses))
      order.in_order.push_back(std::move(repeating));
  }
  return order;
}

namespace {

/// Can a and b touch the same element in two different iterations of the loop, all outer counters
/// being equal?
bool meet_across_iterations(const Access& a, const Access& b, unsigned depth, int64_t extent) {
  if (a.strides != b.strides)
    return true; // not known
  const int64_t stride = a.strides[depth];
  const __int128 distance = static_cast<__int128>(a.offset) - b.offset;
  if (stride == 0)
    return distance == 0;
  if (distance % stride != 0)
    return false;
  const __int128 iterations = distance / stride;
  return iterations != 0 && iterations > -extent && iterations < extent;
}

/// More different accesses to one buffer than this are not compared one with each other: they are
/// taken to depend, which keeps the work linear in the size of the block.
constexpr size_t kMaxCompared = 16;

bool independent(const BufferUse& use, unsigned depth, int64_t extent) {
  if (same_access_everywhere(use))
    return use.stores[0]->to.strides[depth] != 0;
  if (use.loads.size() + use.stores.size() > kMaxCompared)
    return false;
  for (const Store* store : use.stores) {
    for (const Load* load : use.loads)
      if (meet_across_iterations(store->to, load->from, depth, extent))
        return false;
    for (const Store* other : use.stores)
      if (meet_across_iterations(store->to, other->to, depth, extent))
        return false;
  }
  return true;
}

} // namespace

bool iterations_independent(const Loop& loop, unsigned depth) {
  if (contains_loop(loop.body))
    return false;
  for (const Carried& carried : loop.carried)
    if (!carried.combine)
      return false;
  for (const BufferUse& use : stored_buffers(loop.body))
    if (!independent(use, depth, loop.extent))
      return false;
  return true;
}

} // namespace mo

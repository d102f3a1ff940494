// The simplifications of single steps: equal ones merged, dead ones removed.
#include "codegen/simplify.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "codegen/loop_walk.h"

namespace mo {
namespace {

using ComputeKey = std::tuple<ScalarOp, uint8_t, std::array<Reg, 3>, uint64_t, ElementType>;
using LoadKey = std::tuple<uint32_t, int64_t, std::vector<int64_t>>; // buffer, offset, strides

struct MergeEqual {
  const Kernel& kernel;
  std::vector<Reg> replacement; // by Reg::index; a register that stays stands for itself

  /// True where the node repeats an earlier one; its register is then replaced.
  bool repeats(const Node& node, std::map<ComputeKey, Reg>& computes,
               std::map<LoadKey, Reg>& loads) {
    if (const Compute* compute = node.as<Compute>()) {
      ComputeKey key{compute->op,
                     compute->predicate,
                     {},
                     compute->immediate,
                     kernel.regs[compute->dst.index].type};
      std::ranges::copy(operands_of(*compute), std::get<2>(key).begin());
      const auto [it, is_new] = computes.try_emplace(key, compute->dst);
      if (!is_new)
        replacement[compute->dst.index] = it->second;
      return !is_new;
    }
    if (const Load* load = node.as<Load>()) {
      LoadKey key{load->from.buffer, load->from.offset, load->from.strides};
      const auto [it, is_new] = loads.try_emplace(std::move(key), load->dst);
      if (!is_new)
        replacement[load->dst.index] = it->second;
      return !is_new;
    }
    return false;
  }

  using Loads = std::map<LoadKey, Reg>;

  /// Keys are sorted by buffer first.
  static void forget(Loads& loads, uint32_t buffer) {
    loads.erase(loads.lower_bound({buffer, INT64_MIN, {}}),
                loads.lower_bound({buffer + 1, INT64_MIN, {}}));
  }

  void block(std::vector<Node>& nodes) {
    std::map<ComputeKey, Reg> computes;
    Loads loads; // elements whose value is in a register: loaded or stored, and not stored to since
    std::vector<Node> kept;
    kept.reserve(nodes.size());
    for (Node& node : nodes) {
      const auto replace = [&](Reg& reg) { reg = replacement[reg.index]; };
      if (!node.as<Loop>())
        for_each_use(node, replace);
      if (repeats(node, computes, loads))
        continue;
      if (const Store* store = node.as<Store>()) {
        forget(loads, store->to.buffer);
        loads.emplace(LoadKey{store->to.buffer, store->to.offset, store->to.strides}, store->value);
      } else if (Loop* loop = node.as<Loop>()) {
        block(loop->body);
        for_each_use(node, replace); // what it carries: `next` is defined in its body
        for_each_node(loop->body, 0, [&](const Node& inner, unsigned) {
          if (const Store* inside = inner.as<Store>())
            forget(loads, inside->to.buffer);
        });
      }
      kept.push_back(std::move(node));
    }
    nodes = std::move(kept);
  }
};

} // namespace

void merge_equal_steps(Kernel& kernel) {
  MergeEqual merge{kernel, {}};
  for (uint32_t r = 0; r < kernel.regs.size(); ++r)
    merge.replacement.push_back(Reg{r});
  merge.block(kernel.body);
}

namespace {

/// Backwards, so that a step's readers are gone before the step is looked at.
void remove_dead_in(std::vector<Node>& block, std::vector<uint32_t>& uses) {
  std::vector<Node> kept;
  for (size_t i = block.size(); i-- > 0;) {
    Node& node = block[i];
    bool dead = false;
    if (const Reg* defined = definition_of(node))
      dead = uses[defined->index] == 0;
    else if (Loop* loop = node.as<Loop>()) {
      remove_dead_in(loop->body, uses);
      dead = loop->body.empty() && loop->carried.empty();
    }
    if (dead)
      for_each_use(node, [&](Reg& reg) { --uses[reg.index]; });
    else
      kept.push_back(std::move(node));
  }
  std::ranges::reverse(kept);
  block = std::move(kept);
}

} // namespace

void remove_dead_steps(Kernel& kernel) {
  std::vector<uint32_t> uses = count_uses(kernel);
  remove_dead_in(kernel.body, uses);
}

} // namespace mo

// What does not depend on a loop is done before it.
#include <algorithm>
#include <unordered_set>

#include "codegen/loop_walk.h"
#include "codegen/simplify.h"

namespace mo {
namespace {

struct Hoist {
  /// By Reg::index: how many loops stand around the register's definition.
  std::vector<unsigned> depth;

  void note_definitions(const Node& node, unsigned at) {
    if (const Reg* defined = definition_of(node))
      depth[defined->index] = at;
    else if (const Loop* loop = node.as<Loop>())
      for (const Carried& carried : loop->carried) {
        depth[carried.current.index] = at + 1;
        depth[carried.result.index] = at;
      }
  }

  /// May `node`, in the body of a loop that stands at depth `outside`, stand before that loop?
  bool invariant(const Node& node, unsigned outside, bool loop_runs,
                 const std::unordered_set<uint32_t>& stored) const {
    if (const Compute* compute = node.as<Compute>()) {
      if (compute->op == ScalarOp::LoopIndex)
        return compute->immediate < outside;
      return std::ranges::all_of(operands_of(*compute),
                                 [&](Reg r) { return depth[r.index] <= outside; });
    }
    if (const Load* load = node.as<Load>())
      return loop_runs && load->from.strides[outside] == 0 && !stored.contains(load->from.buffer);
    return false;
  }

  /// Moves what is invariant out of every loop of the block. Returns the buffers stored to in it.
  std::unordered_set<uint32_t> block(std::vector<Node>& nodes, unsigned at) {
    std::unordered_set<uint32_t> stored_here;
    std::vector<Node> result;
    result.reserve(nodes.size());
    for (Node& node : nodes) {
      note_definitions(node, at);
      if (const Store* store = node.as<Store>())
        stored_here.insert(store->to.buffer);
      if (Loop* loop = node.as<Loop>()) {
        std::unordered_set<uint32_t> stored = block(loop->body, at + 1);
        move_out(*loop, at, stored, result);
        stored_here.merge(stored);
      }
      result.push_back(std::move(node));
    }
    nodes = std::move(result);
    return stored_here;
  }

  /// Appends what leaves the loop to `before`.
  void move_out(Loop& loop, unsigned at, const std::unordered_set<uint32_t>& stored,
                std::vector<Node>& before) {
    std::vector<Node> kept;
    for (Node& node : loop.body) {
      if (!invariant(node, at, loop.extent > 0, stored)) {
        kept.push_back(std::move(node));
        continue;
      }
      if (Load* load = node.as<Load>())
        load->from.strides.pop_back(); // this loop's, which is 0
      note_definitions(node, at);
      before.push_back(std::move(node));
    }
    loop.body = std::move(kept);
  }
};

} // namespace

void hoist_invariants(Kernel& kernel) {
  Hoist hoist{std::vector<unsigned>(kernel.regs.size(), 0)};
  hoist.block(kernel.body, 0);
}

} // namespace mo

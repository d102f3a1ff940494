// One outer loop around several nests: a row is walked again while it is still in cache.
//
//   for d0 { for d1 { m[d0] = max(m[d0], x[d0, d1]) } }      for d0 {
//   for d0 { for d1 { e[d0, d1] = exp(x[d0, d1] - m[d0]) }     for d1 { m[d0] = max(...) }
//                                                      ==>     for d1 { e[d0, d1] = exp(...) }
//                                                            }
//
// Loop fusion in the sense of K. Kennedy and K. McKinley, "Maximizing loop parallelism and
// improving data locality via loop fusion and distribution" (LCPC 1993). It is for what elementwise
// fusion cannot do: a reduction has to end before its result is used, so the two stay two nests;
// but they can take turns row by row. Chains without a reduction are left alone: to make one
// generic of them is what --fuse is for, and what the lab measures.
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "codegen/footprint.h"
#include "codegen/loop_walk.h"
#include "codegen/simplify.h"

namespace mo {
namespace {

/// Loops of one block, of one extent, that may become one: whatever stands between them can stand
/// before them or after them.
struct Run {
  struct Member {
    size_t node; // of `nodes`
    Footprints footprints;
  };
  std::vector<Node> nodes; // the loops and what stands between them, as they came
  std::vector<Member> members;
  Footprints all;        // of the members together
  std::set<Reg> results; // of what they carry

  bool empty() const { return members.empty(); }
  Loop& loop(const Member& member) { return *nodes[member.node].as<Loop>(); }
  const Loop& loop(const Member& member) const { return *nodes[member.node].as<Loop>(); }

  /// Does every dependence between the loop and the members connect equal iterations?
  bool accepts(const Node& node, const Footprints& footprints) const {
    if (empty())
      return true;
    const Loop& next = *node.as<Loop>();
    const Loop& first = loop(members.front());
    if (next.extent != first.extent || next.vectorizable != first.vectorizable ||
        uses_results(node))
      return false;
    return std::ranges::all_of(footprints, [&](const auto& entry) {
      const auto mine = all.find(entry.first);
      return mine == all.end() || same_iteration_only(merged(mine->second, entry.second));
    });
  }

  void add(Node node, Footprints footprints) {
    for (const auto& [buffer, footprint] : footprints) {
      const auto [it, is_new] = all.try_emplace(buffer, footprint);
      if (!is_new)
        it->second = merged(it->second, footprint);
    }
    for (const Carried& carried : node.as<Loop>()->carried)
      results.insert(carried.result);
    members.push_back({nodes.size(), std::move(footprints)});
    nodes.push_back(std::move(node));
  }

  /// May a step that is no loop stand before the members?
  bool passes(const Node& node) const {
    if (uses_results(node))
      return false;
    if (node.as<Alloc>() || node.as<Compute>())
      return true;
    if (const Load* load = node.as<Load>()) {
      const auto it = all.find(load->from.buffer);
      return it == all.end() || !it->second.stored;
    }
    const Store* store = node.as<Store>();
    return store && !all.contains(store->to.buffer);
  }

private:
  bool uses_results(const Node& node) const {
    bool found = false;
    for_each_use(node, [&](Reg reg) { found |= results.contains(reg); });
    const Loop* loop = node.as<Loop>();
    return found || (loop && std::ranges::any_of(loop->body, [&](const Node& inner) {
                       return uses_results(inner);
                     }));
  }
};

/// By member: the first member that it is connected with through buffers that both use.
std::vector<size_t> components(const Run& run) {
  std::vector<size_t> parent(run.members.size());
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto root = [&](size_t m) {
    while (parent[m] != m)
      m = parent[m] = parent[parent[m]];
    return m;
  };
  std::map<uint32_t, size_t> first_user;
  for (size_t m = 0; m < run.members.size(); ++m)
    for (const auto& [buffer, footprint] : run.members[m].footprints) {
      const auto [it, is_new] = first_user.try_emplace(buffer, m);
      const size_t a = root(it->second), b = root(m);
      parent[std::max(a, b)] = std::min(a, b);
    }
  for (size_t m = 0; m < parent.size(); ++m)
    parent[m] = root(m);
  return parent;
}

/// How many steps of the loop's body and the loops inside it one iteration makes.
int64_t points_per_iteration(const Loop& loop) {
  int64_t points = 1;
  for (const Node& node : loop.body)
    if (const Loop* inner = node.as<Loop>()) {
      int64_t inside = 0;
      if (__builtin_mul_overflow(points_per_iteration(*inner), inner->extent, &inside) ||
          __builtin_add_overflow(points, inside, &points))
        return INT64_MAX;
    }
  return points;
}

/// By member: does it reduce long rows, and does another member read what it reads (its result
/// included)?
std::vector<bool> worth_sharing(const Run& run, int64_t min_row) {
  std::map<uint32_t, unsigned> readers;
  for (const Run::Member& member : run.members)
    for (const auto& [buffer, footprint] : member.footprints)
      readers[buffer] += footprint.loaded;
  std::vector<bool> worth;
  for (const Run::Member& member : run.members) {
    const bool reduces = std::ranges::any_of(
        member.footprints, [](const auto& entry) { return entry.second.reduced; });
    const bool read_elsewhere = std::ranges::any_of(member.footprints, [&](const auto& entry) {
      return entry.second.loaded && readers[entry.first] > 1;
    });
    worth.push_back(reduces && read_elsewhere && points_per_iteration(run.loop(member)) > min_row);
  }
  return worth;
}

/// Works on one block.
class BlockSharer {
public:
  /// `depth`: loops around the block. `always`: not only where worth_sharing says so.
  BlockSharer(unsigned depth, int64_t min_row, bool always)
      : depth_(depth), min_row_(min_row), always_(always) {}

  std::vector<Node> share(std::vector<Node> block) {
    for (Node& node : block) {
      if (Loop* loop = node.as<Loop>()) {
        Footprints footprints = footprints_of(*loop, depth_);
        if (!run_.accepts(node, footprints))
          close_run();
        run_.add(std::move(node), std::move(footprints));
      } else if (!run_.empty() && (node.as<Free>() || run_.passes(node))) {
        run_.nodes.push_back(std::move(node));
      } else {
        close_run();
        result_.push_back(std::move(node));
      }
    }
    close_run();
    return std::move(result_);
  }

private:
  /// By component: does it become one loop?
  std::vector<bool> shared_components(const std::vector<size_t>& component) const {
    std::vector<size_t> sizes(component.size(), 0);
    for (size_t c : component)
      ++sizes[c];
    const std::vector<bool> worth =
        always_ ? std::vector<bool>(component.size(), true) : worth_sharing(run_, min_row_);
    std::vector<bool> shared(component.size(), false);
    for (size_t m = 0; m < component.size(); ++m)
      if (worth[m] && sizes[component[m]] > 1)
        shared[component[m]] = true;
    return shared;
  }

  void close_run() {
    const std::vector<size_t> component = components(run_);
    const std::vector<bool> shared = shared_components(component);
    if (std::ranges::find(shared, true) == shared.end())
      std::ranges::move(run_.nodes, std::back_inserter(result_));
    else
      emit_shared(component, shared);
    run_ = Run{};
  }

  void emit_shared(const std::vector<size_t>& component, const std::vector<bool>& shared) {
    const auto emit_steps = [&](bool frees) {
      for (Node& node : run_.nodes)
        if (!node.as<Loop>() && (node.as<Free>() != nullptr) == frees)
          result_.push_back(std::move(node));
    };
    emit_steps(false);
    // Each component at the place of its first member: members of different components have no
    // buffer in common, so their order is free.
    std::vector<size_t> place(component.size()); // by component: where its loop went
    for (size_t m = 0; m < component.size(); ++m) {
      Loop& loop = run_.loop(run_.members[m]);
      const size_t c = component[m];
      if (c == m || !shared[c]) {
        place[m] = result_.size();
        result_.push_back(Node{std::move(loop)});
      } else {
        Loop& into = *result_[place[c]].as<Loop>();
        std::ranges::move(loop.body, std::back_inserter(into.body));
        std::ranges::move(loop.carried, std::back_inserter(into.carried));
      }
    }
    emit_steps(true);
  }

  unsigned depth_;
  int64_t min_row_;
  bool always_;
  Run run_;
  std::vector<Node> result_;
};

bool contains_nest(const std::vector<Node>& block) {
  return std::ranges::any_of(block, [](const Node& node) {
    const Loop* loop = node.as<Loop>();
    return loop && contains_loop(loop->body);
  });
}

size_t count_loops(const std::vector<Node>& block) {
  return static_cast<size_t>(
      std::ranges::count_if(block, [](const Node& node) { return node.as<Loop>() != nullptr; }));
}

enum class Levels : uint8_t { Outer, Innermost };

/// Does the block move elements through a scratch? Its loops were made to run one after the other
/// (tile_transposes).
bool uses_scratch(const Kernel& kernel, const std::vector<Node>& block) {
  bool found = false;
  for_each_node(block, 0, [&](const Node& node, unsigned) {
    if (const Access* access = access_of(node))
      found |= kernel.buffers[access->buffer].kind == Buffer::Kind::Scratch;
  });
  return found;
}

/// Only in a shared loop, or around a scratch, does a block hold several loops.
void share_inside(const Kernel& kernel, std::vector<Node>& block, unsigned depth, Levels levels) {
  for (Node& node : block) {
    Loop* loop = node.as<Loop>();
    if (!loop || uses_scratch(kernel, loop->body))
      continue;
    if (count_loops(loop->body) > 1 && contains_nest(loop->body) == (levels == Levels::Outer))
      loop->body = BlockSharer(depth + 1, 0, /*always=*/true).share(std::move(loop->body));
    share_inside(kernel, loop->body, depth + 1, levels);
  }
}

} // namespace

void share_outer_loops(Kernel& kernel, int64_t min_row) {
  kernel.body = BlockSharer(0, min_row, /*always=*/false).share(std::move(kernel.body));
  share_inside(kernel, kernel.body, 0, Levels::Outer);
}

void share_inner_loops(Kernel& kernel) {
  share_inside(kernel, kernel.body, 0, Levels::Innermost);
}

} // namespace mo

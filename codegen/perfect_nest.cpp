#include "codegen/perfect_nest.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "codegen/loop_walk.h"

namespace mo {
namespace {

PerfectNest take_apart(Loop&& outermost, unsigned depth) {
  PerfectNest nest;
  nest.depth = depth;
  nest.loops.push_back(std::move(outermost));
  nest.body = std::move(nest.loops.back().body);
  while (nest.body.size() == 1) {
    Loop* inner = nest.body[0].as<Loop>();
    if (!inner || !inner->carried.empty())
      break;
    Loop moved = std::move(*inner);
    nest.body = std::move(moved.body);
    nest.loops.push_back(std::move(moved));
  }
  for (Loop& loop : nest.loops)
    loop.body.clear();
  return nest;
}

void put_together(PerfectNest&& nest, std::vector<Node>& block) {
  std::vector<Node> body = std::move(nest.body);
  for (size_t d = nest.loops.size(); d-- > 0;) {
    Loop loop = std::move(nest.loops[d]);
    loop.body = std::move(body);
    body.clear();
    body.push_back(Node{std::move(loop)});
  }
  std::move(body.begin(), body.end(), std::back_inserter(block));
}

std::vector<Node> visit_block(std::vector<Node> block, unsigned depth,
                              const std::function<void(PerfectNest&)>& f) {
  std::vector<Node> result;
  result.reserve(block.size());
  for (Node& node : block) {
    Loop* loop = node.as<Loop>();
    if (!loop) {
      result.push_back(std::move(node));
    } else if (!loop->carried.empty()) {
      loop->body = visit_block(std::move(loop->body), depth + 1, f);
      result.push_back(std::move(node));
    } else {
      PerfectNest nest = take_apart(std::move(*loop), depth);
      f(nest);
      const unsigned inner_depth = depth + static_cast<unsigned>(nest.loops.size());
      nest.body = visit_block(std::move(nest.body), inner_depth, f);
      put_together(std::move(nest), result);
    }
  }
  return result;
}

/// strides: those of the loops around the nest, then the nest's, then those of loops inside it.
void replace_strides(Access& access, unsigned depth, size_t old_count,
                     std::span<const unsigned> source) {
  const auto nest_begin = access.strides.begin() + depth;
  const auto nest_end = nest_begin + static_cast<ptrdiff_t>(old_count);
  std::vector<int64_t> strides(access.strides.begin(), nest_begin);
  for (unsigned old : source)
    strides.push_back(nest_begin[old]);
  strides.insert(strides.end(), nest_end, access.strides.end());
  access.strides = std::move(strides);
}

void replace_index(Compute& compute, unsigned depth, size_t old_count,
                   std::span<const std::optional<unsigned>> new_position) {
  if (compute.op != ScalarOp::LoopIndex || compute.immediate < depth)
    return;
  const uint64_t old = compute.immediate - depth;
  if (old >= old_count) { // a loop inside the nest
    const size_t kept = static_cast<size_t>(std::count_if(new_position.begin(), new_position.end(),
                                                          [](auto p) { return p.has_value(); }));
    compute.immediate = compute.immediate - old_count + kept;
  } else if (new_position[old]) {
    compute.immediate = depth + *new_position[old];
  } else {
    compute.op = ScalarOp::Constant;
    compute.immediate = 0;
  }
}

} // namespace

void for_each_perfect_nest(Kernel& kernel, const std::function<void(PerfectNest&)>& f) {
  kernel.body = visit_block(std::move(kernel.body), 0, f);
}

void replace_loops(PerfectNest& nest, std::vector<Loop> loops, std::span<const unsigned> source) {
  const size_t old_count = nest.loops.size();
  std::vector<std::optional<unsigned>> new_position(old_count);
  for (unsigned j = 0; j < source.size(); ++j)
    new_position[source[j]] = j;
  for_each_node(nest.body, 0, [&](Node& node, unsigned) {
    if (Access* access = access_of(node))
      replace_strides(*access, nest.depth, old_count, source);
    else if (Compute* compute = node.as<Compute>())
      replace_index(*compute, nest.depth, old_count, new_position);
  });
  nest.loops = std::move(loops);
}

} // namespace mo

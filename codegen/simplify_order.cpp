// Which loop goes where in a perfect nest.
//
// After K. Kennedy and K. McKinley, "Optimizing for parallelism and data locality" (ICS 1992): each
// loop gets the price of being innermost, and the dearest goes outside. A row stays in cache this
// way, also in a column sum: its loop over the rows is dear, so it goes outside, and each row is
// added to the sums element by element.
#include <algorithm>
#include <numeric>
#include <span>

#include "codegen/dependence.h"
#include "codegen/loop_walk.h"
#include "codegen/perfect_nest.h"
#include "codegen/simplify.h"

namespace mo {
namespace {

/// Price of one step of an innermost loop, in memory traffic: nothing where the access stays, one
/// where it moves to a neighbour, a line of 16 floats where it jumps. A jumping store also has
/// to fetch the line.
constexpr int kNeighbour = 1;
constexpr int kJumpingLoad = 16;
constexpr int kJumpingStore = 24;

struct Price {
  int64_t lines = 0;   // sum over the accesses
  double distance = 0; // sum of |stride|: among loops that all jump, the longest jumps go outside
  bool operator<(const Price& other) const {
    return lines != other.lines ? lines < other.lines : distance < other.distance;
  }
};

std::vector<Price> prices(const PerfectNest& nest) {
  std::vector<Price> result(nest.loops.size());
  for (const Node& node : nest.body) {
    const Access* access = access_of(node);
    if (!access)
      continue;
    for (size_t d = 0; d < nest.loops.size(); ++d) {
      const int64_t stride = access->strides[nest.depth + d];
      if (stride == 0)
        continue;
      const bool neighbour = stride == 1 || stride == -1;
      result[d].lines += neighbour ? kNeighbour : node.as<Store>() ? kJumpingStore : kJumpingLoad;
      result[d].distance += std::abs(static_cast<double>(stride));
    }
  }
  return result;
}

/// Puts the loops of one group back into the order in which they were, in the places the group has.
void restore_order(std::vector<unsigned>& order, const std::vector<unsigned>& group) {
  size_t next = 0;
  for (unsigned& loop : order)
    if (std::find(group.begin(), group.end(), loop) != group.end())
      loop = group[next++];
}

bool keeps_order(const std::vector<unsigned>& order, const std::vector<unsigned>& group) {
  size_t next = 0;
  for (unsigned loop : order)
    if (next < group.size() && loop == group[next])
      ++next;
  return next == group.size();
}

/// order[j]: which loop, as written, goes to place j.
std::vector<unsigned> choose_order(const PerfectNest& nest, const LoopOrder& allowed) {
  std::vector<unsigned> written(nest.loops.size());
  std::iota(written.begin(), written.end(), 0u);
  const std::vector<Price> price = prices(nest);
  std::vector<unsigned> order = written;
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return price[b] < price[a]; });
  for (const std::vector<unsigned>& group : allowed.in_order)
    restore_order(order, group);
  for (const std::vector<unsigned>& group : allowed.in_order)
    if (!keeps_order(order, group)) // groups that overlap
      return written;
  return order;
}

} // namespace

void order_loops(Kernel& kernel) {
  const std::vector<uint32_t> uses = count_uses(kernel);
  for_each_perfect_nest(kernel, [&](PerfectNest& nest) {
    if (nest.loops.size() < 2 || contains_loop(nest.body))
      return;
    const LoopOrder allowed = allowed_order(nest, uses);
    if (allowed.fixed)
      return;
    const std::vector<unsigned> order = choose_order(nest, allowed);
    std::vector<Loop> loops;
    for (unsigned loop : order)
      loops.push_back(std::move(nest.loops[loop]));
    replace_loops(nest, std::move(loops), order);
  });
}

} // namespace mo

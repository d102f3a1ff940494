// Rows on their way ahead of time.
//
//   for d0 in 0..4096 {                      for d0 in 0..4096 {
//     for d1 in 0..4096 {                      for d1 in 0..4096 {
//       %in = load %x[4096*d0 + d1]              %in = load %x[4096*d0 + d1]
//       ...                                      ...
//     for d1 in 0..4096 {              ==>     for d1 in 0..4096 {
//       ...                                      prefetch 1 x %x[4096*d0 + d1 + 4096]
//       store %y, %out[4096*d0 + d1]             ...
//                                                store %y, %out[4096*d0 + d1]
//
// The loops inside take turns: the first one reads a row from memory, the others find it in cache,
// compute and write. So reading would stop while they run; with the next row asked for meanwhile it
// goes on (measured: rmsnorm, layernorm and softmax 1.2 times as fast).
#include <algorithm>
#include <iterator>

#include "codegen/loop_walk.h"
#include "codegen/simplify.h"
#include "ir/wrapping.h"

namespace mo {
namespace {

// Of all rows asked for: they have to stay in cache until they are used.
constexpr int64_t kMaxRowBytes = 256 << 10;

/// The rows that `first` reads from memory, as the next iteration of the loop at `depth` around it
/// will read them.
std::vector<Node> next_rows(const Kernel& kernel, const Loop& first, unsigned depth) {
  std::vector<Node> rows;
  for (const Node& node : first.body) {
    const Load* load = node.as<Load>();
    if (!load || load->from.strides[depth + 1] != 1)
      continue;
    const Buffer& buffer = kernel.buffers[load->from.buffer];
    const int64_t stride = load->from.strides[depth];
    const bool new_row = !within(stride, first.extent - 1);
    if (!new_row || !is_large(buffer)) // small ones stay in cache by themselves
      continue;
    Access next = load->from;
    next.offset = wrapping_add(next.offset, stride);
    rows.push_back(Node{Prefetch{std::move(next), 1, load->loc}});
  }
  return rows;
}

int64_t bytes_of(const Kernel& kernel, const std::vector<Node>& rows, int64_t extent) {
  int64_t width = 0; // of one element of each row
  for (const Node& row : rows)
    width += byte_size(kernel.buffers[access_of(row)->buffer].element);
  return extent > kMaxRowBytes ? extent : width * extent; // no overflow
}

/// The innermost loops directly in a block, all that will be vector code.
std::vector<Loop*> loops_in_turn(std::vector<Node>& block) {
  std::vector<Loop*> loops;
  for (Node& node : block)
    if (Loop* loop = node.as<Loop>(); loop && loop->vectorizable && !contains_loop(loop->body))
      loops.push_back(loop);
  return loops;
}

/// Of the loops after the first, the one that computes most: memory waits for it longest. Of
/// several the last one. Requires two loops.
Loop& busiest_of(const std::vector<Loop*>& loops) {
  const auto computes = [](const Loop* loop) {
    return std::ranges::count_if(loop->body, [](const Node& n) { return n.as<Compute>(); });
  };
  Loop* busiest = loops.back();
  for (size_t k = loops.size() - 1; k > 0; --k)
    if (computes(loops[k]) > computes(busiest))
      busiest = loops[k];
  return *busiest;
}

void prefetch_in(const Kernel& kernel, std::vector<Node>& block, unsigned depth) {
  for (Node& node : block) {
    Loop* outer = node.as<Loop>();
    if (!outer)
      continue;
    prefetch_in(kernel, outer->body, depth + 1);
    const std::vector<Loop*> loops = loops_in_turn(outer->body);
    if (loops.size() < 2)
      continue;
    const Loop& first = *loops.front();
    Loop& host = busiest_of(loops);
    std::vector<Node> rows = next_rows(kernel, first, depth);
    if (host.extent == first.extent && bytes_of(kernel, rows, first.extent) <= kMaxRowBytes)
      host.body.insert(host.body.begin(), std::make_move_iterator(rows.begin()),
                       std::make_move_iterator(rows.end()));
  }
}

} // namespace

void prefetch_next_rows(Kernel& kernel) {
  prefetch_in(kernel, kernel.body, 0);
}

} // namespace mo

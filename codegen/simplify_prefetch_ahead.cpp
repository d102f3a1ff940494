// What the prefetchers of the CPU do not see coming in time is asked for ahead of its use.
//
// Elements that are apart: loops go through memory faster than the prefetchers follow, which also
// stop at the end of each page of 4 KiB. With one or two elements in a line that is so of all loops
// (measured: an element every 64 bytes of 64 MiB loaded or stored, 2.9 to 3.5 ns an element
// without, 2.1 to 2.6 with). Of nearer elements it is so where vectors of them are loaded; which
// instruction sets do that fast enough is for vector_plan.h to say.
//
// Several arrays side by side: each is followed, but not closely enough. Measured with x + y over
// 64 MiB each, against a loop that only reads and writes as much: 0.99 of its time without, 0.90
// with 2 KiB; 8 KiB take 1.3. A single array gains nothing.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "codegen/loop_walk.h"
#include "codegen/simplify.h"
#include "ir/wrapping.h"

namespace mo {
namespace {

constexpr int64_t kApartAhead = 8 << 10;   // bytes: the page after next is known by then
constexpr int64_t kAbreastAhead = 2 << 10; // bytes, of arrays side by side
constexpr int64_t kMinWalkBytes = 4 << 10; // of the loop

/// Is it a load of neighbours, one after the other, on a long walk through a large buffer?
bool reads_on(const Kernel& kernel, const Loop& loop, const Node& node, unsigned depth) {
  const Load* load = node.as<Load>();
  if (!load || load->from.strides[depth] != 1)
    return false;
  const Buffer& buffer = kernel.buffers[load->from.buffer];
  return is_large(buffer) && loop.extent >= kMinWalkBytes / byte_size(buffer.element);
}

/// How many buffers are read so side by side?
size_t buffers_abreast(const Kernel& kernel, const Loop& loop, unsigned depth) {
  std::set<uint32_t> buffers;
  for (const Node& node : loop.body)
    if (reads_on(kernel, loop, node, depth))
      buffers.insert(access_of(node)->buffer);
  return buffers.size();
}

/// Does it go through a large buffer by steps that are apart, but less than two lines? Stores with
/// two or more in a line go one by one, slowly enough for the prefetchers; but for those of
/// neighbours from the last to the first.
bool steps_apart(const Kernel& kernel, const Loop& loop, const Node& node, unsigned depth) {
  const Access& access = *access_of(node);
  const Buffer& buffer = kernel.buffers[access.buffer];
  const int64_t size = byte_size(buffer.element), stride = access.strides[depth];
  if (stride == 0 || stride == 1 || !within(stride, 2 * kLineBytes / size - 1) ||
      !is_large(buffer) || loop.extent < kMinWalkBytes / (size * std::abs(stride)))
    return false;
  const int64_t step = std::abs(stride) * size;
  const bool is_slow = buffer.element == ElementType::I1; // masks are made of bytes and the reverse
  if (node.as<Load>())
    return !is_slow || step >= kLineBytes / 2;
  return stride == -1 ? !is_slow : step > kLineBytes / 2;
}

/// The access that comes about `bytes` later along the loop at `depth`.
Access ahead_of(const Kernel& kernel, Access access, unsigned depth, int64_t bytes) {
  const int64_t size = byte_size(kernel.buffers[access.buffer].element);
  const int64_t stride = access.strides[depth];
  const int64_t iterations = bytes / (size * std::abs(stride));
  access.offset = wrapping_add(access.offset, iterations * stride);
  return access;
}

/// Do the two stay in the same lines, but for a few elements at the ends?
bool same_lines(const Access& a, const Access& b) {
  const __int128 between = static_cast<__int128>(a.offset) - b.offset;
  return a.buffer == b.buffer && a.strides == b.strides && between > -8 && between < 8;
}

void prefetch_in(const Kernel& kernel, Loop& loop, unsigned depth) {
  if (!loop.vectorizable) {
    for (Node& node : loop.body)
      if (Loop* inner = node.as<Loop>())
        prefetch_in(kernel, *inner, depth + 1);
    return;
  }
  const bool abreast = buffers_abreast(kernel, loop, depth) > 1;
  std::vector<Prefetch> ahead;
  for (const Node& node : loop.body) {
    if (node.as<Prefetch>())
      return; // done already
    const Access* access = access_of(node);
    if (!access)
      continue;
    const bool apart = steps_apart(kernel, loop, node, depth);
    if (!apart && !(abreast && reads_on(kernel, loop, node, depth)))
      continue;
    Access later = ahead_of(kernel, *access, depth, apart ? kApartAhead : kAbreastAhead);
    if (std::ranges::none_of(ahead,
                             [&](const Prefetch& other) { return same_lines(other.from, later); }))
      ahead.push_back({std::move(later), 1, loop.loc});
  }
  for (Prefetch& prefetch : ahead)
    loop.body.push_back(Node{std::move(prefetch)});
}

} // namespace

void prefetch_ahead(Kernel& kernel) {
  for (Node& node : kernel.body)
    if (Loop* loop = node.as<Loop>())
      prefetch_in(kernel, *loop, 0);
}

} // namespace mo

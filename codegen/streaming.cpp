// Which stores bypass the caches.
//
// An ordinary store to a line that is not in cache reads the line first (write-allocate), and the
// line then takes the place of something that would have been of use. A streaming store does
// neither, but the next read of what it wrote comes from memory.
#include <unordered_map>

#include "codegen/loop_nest.h"
#include "codegen/loop_walk.h"

namespace mo {
namespace {

/// Shorter rows than this begin and end in the middle of too many lines to be worth it.
constexpr int64_t kMinRowBytes = 512;

/// For each buffer, the last node of the outermost block in which it is read; -1 if it never is.
std::vector<ptrdiff_t> last_reads(const Kernel& kernel) {
  std::vector<ptrdiff_t> last(kernel.buffers.size(), -1);
  for (size_t i = 0; i < kernel.body.size(); ++i) {
    const auto note = [&](const Node& node) {
      if (const Load* load = node.as<Load>())
        last[load->from.buffer] = static_cast<ptrdiff_t>(i);
    };
    note(kernel.body[i]);
    if (const Loop* nest = kernel.body[i].as<Loop>())
      for_each_node(nest->body, 1, [&](const Node& node, unsigned) { note(node); });
  }
  return last;
}

/// Decides for the stores of one nest, i.e. of one node of the outermost block.
struct NestStores {
  const Kernel& kernel;
  NtStores mode;
  int64_t cache_bytes;
  ptrdiff_t position; // of the nest
  const std::vector<ptrdiff_t>& last_read;
  std::unordered_map<uint32_t, unsigned> stores_to; // per buffer, how many stores the nest has

  /// Walks a block; `extents` are those of the loops around it.
  void visit(std::vector<Node>& block, std::vector<int64_t>& extents, bool vectorizable) {
    for (Node& node : block) {
      if (Loop* loop = node.as<Loop>()) {
        extents.push_back(loop->extent);
        visit(loop->body, extents, loop->vectorizable);
        extents.pop_back();
      } else if (Store* store = node.as<Store>()) {
        store->streaming = vectorizable && mode != NtStores::Never && can_stream(*store, extents) &&
                           (mode == NtStores::Always || is_large(*store, extents));
      }
    }
  }

  /// Lines are written whole, one after the other, once, and nobody reads them again.
  bool can_stream(const Store& store, const std::vector<int64_t>& extents) {
    // exercise: streaming-stores
    if (store.to.strides.back() != 1 || last_read[store.to.buffer] >= position ||
        stores_to[store.to.buffer] != 1)
      return false;
    for (size_t d = 0; d < extents.size(); ++d)
      if (store.to.strides[d] == 0 && extents[d] > 1)
        return false; // the same lines again in the next iteration
    return true;
    // end of exercise
  }

  bool is_large(const Store& store, const std::vector<int64_t>& extents) const {
    const Buffer& buffer = kernel.buffers[store.to.buffer];
    __int128 written = byte_size(buffer.element);
    for (int64_t extent : extents) {
      written *= extent;
      if (written > INT64_MAX) // more than any buffer has; and the product stays in range
        break;
    }
    return written > cache_bytes && extents.back() * byte_size(buffer.element) >= kMinRowBytes;
  }
};

} // namespace

void choose_streaming_stores(Kernel& kernel, NtStores mode, int64_t cache_bytes) {
  const std::vector<ptrdiff_t> last_read = last_reads(kernel);
  for (size_t i = 0; i < kernel.body.size(); ++i) {
    Loop* nest = kernel.body[i].as<Loop>();
    if (!nest)
      continue;
    NestStores stores{kernel, mode, cache_bytes, static_cast<ptrdiff_t>(i), last_read, {}};
    for_each_node(nest->body, 1, [&](const Node& node, unsigned) {
      if (const Store* store = node.as<Store>())
        ++stores.stores_to[store->to.buffer];
    });
    std::vector<int64_t> extents{nest->extent};
    stores.visit(nest->body, extents, nest->vectorizable);
  }
}

} // namespace mo

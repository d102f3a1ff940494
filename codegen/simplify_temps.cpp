// Temps that need not be as large as the IR says, or not be there at all.
#include <algorithm>
#include <map>
#include <vector>

#include "codegen/footprint.h"
#include "codegen/loop_walk.h"
#include "codegen/simplify.h"

namespace mo {
namespace {

/// By buffer: is it a temp that nobody loads from?
std::vector<bool> unread_temps(const Kernel& kernel) {
  std::vector<bool> unread;
  for (const Buffer& buffer : kernel.buffers)
    unread.push_back(buffer.kind == Buffer::Kind::Temp);
  for_each_node(kernel.body, 0, [&](const Node& node, unsigned) {
    if (const Load* load = node.as<Load>())
      unread[load->from.buffer] = false;
  });
  return unread;
}

void erase_uses(std::vector<Node>& block, const std::vector<bool>& buffers) {
  std::erase_if(block, [&](const Node& node) {
    if (const Store* store = node.as<Store>())
      return static_cast<bool>(buffers[store->to.buffer]);
    if (const Alloc* alloc = node.as<Alloc>())
      return static_cast<bool>(buffers[alloc->buffer]);
    const Free* free = node.as<Free>();
    return free && buffers[free->buffer];
  });
  for (Node& node : block)
    if (Loop* loop = node.as<Loop>())
      erase_uses(loop->body, buffers);
}

} // namespace

void remove_unread_temps(Kernel& kernel) {
  const std::vector<bool> unread = unread_temps(kernel);
  if (std::ranges::find(unread, true) == unread.end())
    return;
  erase_uses(kernel.body, unread);
  remove_dead_steps(kernel);
}

namespace {

using BufferList = std::vector<uint32_t>;

/// All iterations use the elements that the first one would.
void contract(Kernel& kernel, Loop& loop, unsigned depth, uint32_t index,
              const Footprint& footprint) {
  Buffer& buffer = kernel.buffers[index];
  if (loop.extent < 2 || !disjoint_between_iterations(footprint))
    return;
  const int64_t low = static_cast<int64_t>(footprint.low);
  buffer.elements = static_cast<int64_t>(footprint.high - footprint.low) + 1;
  for_each_node(loop.body, depth + 1, [&](Node& node, unsigned) {
    Access* access = access_of(node);
    if (access && access->buffer == index) {
      access->offset -= low;
      access->strides[depth] = 0;
    }
  });
}

/// `temps`: those that nothing outside of this block uses, sorted.
void contract_in(Kernel& kernel, std::vector<Node>& block, unsigned depth,
                 const BufferList& temps) {
  std::vector<Footprints> footprints(block.size()); // of the loops
  std::map<uint32_t, unsigned> users;               // nodes of the block, by buffer
  for (size_t n = 0; n < block.size(); ++n) {
    if (const Loop* loop = block[n].as<Loop>())
      footprints[n] = footprints_of(*loop, depth);
    else if (const Access* access = access_of(block[n]))
      ++users[access->buffer];
    for (const auto& [buffer, footprint] : footprints[n])
      ++users[buffer];
  }
  for (size_t n = 0; n < block.size(); ++n) {
    Loop* loop = block[n].as<Loop>();
    if (!loop || !contains_loop(loop->body))
      continue; // an innermost loop has its iterations' elements side by side, in vectors
    BufferList inside;
    for (const auto& [buffer, footprint] : footprints[n])
      if (users[buffer] == 1 && std::ranges::binary_search(temps, buffer)) {
        contract(kernel, *loop, depth, buffer, footprint);
        inside.push_back(buffer);
      }
    contract_in(kernel, loop->body, depth + 1, inside);
  }
}

} // namespace

void contract_temps(Kernel& kernel) {
  BufferList temps;
  for (uint32_t b = 0; b < kernel.buffers.size(); ++b)
    if (kernel.buffers[b].kind == Buffer::Kind::Temp)
      temps.push_back(b);
  if (!temps.empty())
    contract_in(kernel, kernel.body, 0, temps);
}

} // namespace mo

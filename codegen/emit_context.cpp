#include "codegen/emit_context.h"

#include <algorithm>

#include "codegen/loop_walk.h"

namespace mo {
namespace {

void note_constants(const Kernel& kernel, std::vector<std::optional<uint64_t>>& constants) {
  for_each_node(kernel.body, 0, [&](const Node& node, unsigned) {
    if (const Compute* compute = node.as<Compute>()) {
      if (compute->op == ScalarOp::Constant)
        constants[compute->dst.index] = compute->immediate;
    } else if (const Load* load = node.as<Load>()) {
      const Buffer& buffer = kernel.buffers[load->from.buffer];
      if (buffer.kind == Buffer::Kind::Constant && buffer.splat)
        constants[load->dst.index] = buffer.bits[0];
    }
  });
}

/// By buffer: the last node of the outermost block that uses the scratch.
std::vector<size_t> last_uses(const Kernel& kernel) {
  std::vector<size_t> last(kernel.buffers.size(), 0);
  for (size_t n = 0; n < kernel.body.size(); ++n)
    if (const Loop* loop = kernel.body[n].as<Loop>())
      for_each_node(loop->body, 1, [&](const Node& node, unsigned) {
        if (const Access* access = access_of(node))
          last[access->buffer] = n;
      });
  return last;
}

/// One scratch after the other, behind the slots; from the start again where none is in use.
void place_scratch(const Kernel& kernel, int32_t slot_bytes, std::vector<int32_t>& offsets,
                   int32_t& state_bytes) {
  const auto next_line = [](int32_t bytes) {
    return static_cast<int32_t>((bytes + kLineBytes - 1) / kLineBytes * kLineBytes);
  };
  const std::vector<size_t> last = last_uses(kernel);
  state_bytes = slot_bytes;
  int32_t end = slot_bytes;
  size_t in_use_until = 0; // a node
  for (size_t n = 0; n < kernel.body.size(); ++n) {
    const Loop* loop = kernel.body[n].as<Loop>();
    if (!loop)
      continue;
    if (n > in_use_until)
      end = slot_bytes;
    for_each_node(loop->body, 1, [&](const Node& node, unsigned) {
      const Store* store = node.as<Store>();
      if (!store || kernel.buffers[store->to.buffer].kind != Buffer::Kind::Scratch ||
          offsets[store->to.buffer] != StateLayout::kNoSlot)
        return;
      const Buffer& buffer = kernel.buffers[store->to.buffer];
      offsets[store->to.buffer] = next_line(end);
      end = next_line(end) +
            static_cast<int32_t>(buffer.elements) * static_cast<int32_t>(byte_size(buffer.element));
      in_use_until = std::max(in_use_until, last[store->to.buffer]);
    });
    state_bytes = std::max(state_bytes, end);
  }
}

} // namespace

StateLayout::StateLayout(const Kernel& kernel)
    : allocation_slots(kernel.buffers.size(), kNoSlot),
      buffer_slots(kernel.buffers.size(), kNoSlot), reg_slots(kernel.regs.size(), kNoSlot),
      scalar_params(kernel.regs.size(), kNoSlot), constants(kernel.regs.size()),
      scratch_offsets(kernel.buffers.size(), kNoSlot) {
  for (size_t b = 0; b < kernel.buffers.size(); ++b)
    if (kernel.buffers[b].kind == Buffer::Kind::Temp)
      allocation_slots[b] = static_cast<int32_t>(num_temps++);
  for (size_t b = 0; b < kernel.buffers.size(); ++b)
    if (kernel.buffers[b].kind == Buffer::Kind::Temp)
      buffer_slots[b] = allocation_slots[b] + static_cast<int32_t>(num_temps);
  num_slots = 2 * num_temps;
  for (size_t s = 0; s < kernel.scalars.size(); ++s)
    scalar_params[kernel.scalars[s].reg.index] = static_cast<int32_t>(s);
  note_constants(kernel, constants);

  auto add_slot = [&](Reg reg) {
    if (!constants[reg.index])
      reg_slots[reg.index] = static_cast<int32_t>(num_slots++);
  };
  for (const Node& node : kernel.body) {
    if (const Load* load = node.as<Load>())
      add_slot(load->dst);
    else if (const Compute* compute = node.as<Compute>())
      add_slot(compute->dst);
    else if (const Loop* loop = node.as<Loop>())
      for (const Carried& carried : loop->carried)
        add_slot(carried.result);
  }
  place_scratch(kernel, static_cast<int32_t>(num_slots * 8), scratch_offsets, state_bytes);
}

asmjit::x86::Mem slot_memory(const EmitContext& context, int32_t slot, unsigned bytes) {
  return asmjit::x86::ptr(context.state, slot * 8, bytes);
}

} // namespace mo

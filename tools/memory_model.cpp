#include "tools/memory_model.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/loop_walk.h"
#include "ir/walk.h"

namespace mo {
namespace {

// The buffers that one op walks over, each once per direction however often it is named.
struct Touched {
  std::set<ValueId> read, written;
};

Touched touched_by(const Function& f, const Op& op) {
  Touched t;
  for_each_operand(op, [&](ValueId v, Role role, unsigned k) {
    if (f.type(v).is_scalar() || role == Role::Capture || role == Role::Source)
      return;
    if (role == Role::Input) {
      t.read.insert(v);
      return;
    }
    t.written.insert(v);
    const auto* generic = op.as<GenericOp>();
    if (generic && body_reads_init(*generic, k - static_cast<unsigned>(generic->inputs.size())))
      t.read.insert(v);
  });
  return t;
}

// The tensors that a to_tensor makes count as their memref, and a materialize writes it.
void note_use(const Function& f, const Op& op, const std::vector<int>& argument_of,
              std::vector<ArgumentUse>& uses) {
  const auto at = [&](ValueId v) -> ArgumentUse* {
    const int k = argument_of[v.index];
    return k < 0 ? nullptr : &uses[static_cast<size_t>(k)];
  };
  if (const auto* materialize = op.as<MaterializeOp>()) {
    if (ArgumentUse* use = at(materialize->source))
      use->read = true;
    if (ArgumentUse* use = f.type(materialize->dest).is_memref() ? at(materialize->dest) : nullptr)
      use->written = true;
    return;
  }
  if (const auto* ret = op.as<ReturnOp>()) {
    for (ValueId v : ret->values)
      if (ArgumentUse* use = at(v))
        use->read = true;
    return;
  }
  const Touched t = touched_by(f, op);
  for (ValueId v : t.read)
    if (ArgumentUse* use = at(v))
      use->read = true;
  for (ValueId v : t.written)
    if (ArgumentUse* use = f.type(v).is_memref() ? at(v) : nullptr)
      use->written = true;
}

} // namespace

int walks_over_memory(const Kernel& loops) {
  // exercise: count-walks
  const auto bytes_of = [&](uint32_t index) {
    const Buffer& buffer = loops.buffers[index];
    return buffer.elements * int64_t{byte_size(buffer.element)};
  };
  using Side = std::set<uint32_t>; // buffers
  int64_t largest = 1;
  std::vector<std::pair<Side, Side>> nests; // read, written
  for (const Node& node : loops.body) {
    const Loop* nest = node.as<Loop>();
    if (!nest)
      continue;
    auto& [read, written] = nests.emplace_back();
    for_each_node(nest->body, 1, [&](const Node& step, unsigned) {
      const Access* access = access_of(step);
      if (!access)
        return;
      (step.as<Store>() ? written : read).insert(access->buffer);
      largest = std::max(largest, bytes_of(access->buffer));
    });
  }
  const auto large = [&](uint32_t buffer) { return bytes_of(buffer) >= (largest + 1) / 2; };
  int64_t walked = 0;
  for (const auto& [read, written] : nests)
    walked += std::ranges::count_if(read, large) + std::ranges::count_if(written, large);
  return static_cast<int>(walked);
  // end of exercise
}

std::vector<Walk> walks_of(const Kernel& loops) {
  const auto bytes_of = [&](const Walk& walk) {
    const Buffer& buffer = loops.buffers[walk.buffer];
    return buffer.elements * int64_t{byte_size(buffer.element)};
  };
  std::vector<Walk> walks; // over small buffers too
  unsigned nests = 0;
  for (const Node& node : loops.body) {
    const Loop* nest = node.as<Loop>();
    if (!nest)
      continue;
    std::map<std::pair<bool, uint32_t>, Walk> of_nest; // by direction and buffer: reads first
    for_each_node(nest->body, 1, [&](const Node& step, unsigned) {
      const Access* access = access_of(step);
      if (!access)
        return;
      const Store* store = step.as<Store>();
      const Walk walk{access->buffer, store != nullptr, store != nullptr, nests, nest->loc};
      Walk& known = of_nest.try_emplace({walk.writes, walk.buffer}, walk).first->second;
      known.streaming = known.streaming && store->streaming;
    });
    for (const auto& [key, walk] : of_nest)
      walks.push_back(walk);
    ++nests;
  }
  int64_t largest = 1;
  for (const Walk& walk : walks)
    largest = std::max(largest, bytes_of(walk));
  std::erase_if(walks, [&](const Walk& walk) { return bytes_of(walk) < (largest + 1) / 2; });
  return walks;
}

std::vector<int64_t> allocated_bytes(const Kernel& loops) {
  std::vector<int64_t> bytes;
  for (const Node& node : loops.body)
    if (const Alloc* alloc = node.as<Alloc>()) {
      const Buffer& buffer = loops.buffers[alloc->buffer];
      bytes.push_back(buffer.elements * int64_t{byte_size(buffer.element)});
    }
  return bytes;
}

std::vector<ArgumentUse> argument_uses(const Function& function) {
  std::vector<ArgumentUse> uses(function.args.size());
  std::vector<int> argument_of(function.values.size(), -1);
  for (size_t k = 0; k < function.args.size(); ++k)
    if (!function.type(function.args[k].value).is_scalar())
      argument_of[function.args[k].value.index] = static_cast<int>(k);
  for (const Op& op : function.ops) {
    if (const auto* to_tensor = op.as<ToTensorOp>()) // the tensor stands for the memref
      argument_of[op.results[0].index] = argument_of[to_tensor->memref.index];
    else
      note_use(function, op, argument_of, uses);
  }
  return uses;
}

UsefulBytes useful_bytes(const Function& function) {
  UsefulBytes bytes;
  const std::vector<ArgumentUse> uses = argument_uses(function);
  for (size_t k = 0; k < uses.size(); ++k) {
    const Type& type = function.type(function.args[k].value);
    if (type.is_scalar())
      continue;
    bytes.read += uses[k].read && !function.args[k].is_result ? byte_count(type) : 0;
    bytes.written += uses[k].written ? byte_count(type) : 0;
  }
  for (const Type& type : function.result_types)
    bytes.written += type.is_scalar() ? 0 : byte_count(type);
  return bytes;
}

} // namespace mo

#include "codegen/emit_steps.h"

#include <fmt/format.h>

#include <cstdlib>
#include <unordered_set>

#include "codegen/emit_strided.h"
#include "codegen/loop_walk.h"

namespace mo {

namespace x86 = asmjit::x86;

const Vec* Values::find(Reg reg) const {
  auto it = vectors_.find(reg.index);
  if (it != vectors_.end())
    return &it->second;
  return outer_ ? outer_->find(reg) : nullptr;
}

Vec Values::get(Reg reg, VectorOps& ops, ElementType type) const {
  if (const Vec* v = find(reg))
    return narrow(*v, ops.lanes());
  return ops.constant(layout_.constants[reg.index].value_or(0), type);
}

namespace {

std::vector<x86::Mem> lane_addresses(const Access& access, StepContext& at) {
  std::vector<x86::Mem> lanes;
  for (unsigned lane = 0; lane < at.ops.lanes(); ++lane)
    lanes.push_back(at.addresses.address(access, at.ahead + lane));
  return lanes;
}

// Elements between two lanes; with one lane everything is contiguous.
int64_t lane_stride(const Access& access, const StepContext& at) {
  if (at.ops.lanes() == 1 || at.depth == 0)
    return 1;
  return Addresses::stride_at(access, at.depth - 1);
}

x86::Mem lowest_address(const Access& access, StepContext& at) {
  const bool backwards = lane_stride(access, at) < 0;
  return at.addresses.address(access, at.ahead + (backwards ? at.ops.lanes() - 1 : 0));
}

void emit_load(const Load& load, StepContext& at) {
  if (at.context.layout.constants[load.dst.index])
    return;
  ElementType type = at.context.type_of(load.dst);
  const int64_t stride = lane_stride(load.from, at);
  switch (stride) {
  case 1:
    at.values.set(load.dst,
                  load_lanes(at.ops, at.addresses.address(load.from, at.ahead), type, at.mask));
    break;
  case 0: {
    VectorOps one(at.context.cc, at.context.isa, 1);
    Vec element = load_lanes(one, at.addresses.address(load.from, at.ahead), type);
    at.values.set(load.dst, at.ops.broadcast(element));
    break;
  }
  default:
    at.values.set(load.dst, loads_by_permuting(at.ops.lanes(), type, stride)
                                ? load_strided(at.ops, lowest_address(load.from, at), type, stride)
                                : gather_lanes(at.ops, lane_addresses(load.from, at), type));
  }
}

void emit_store(const Store& store, StepContext& at) {
  Vec v = at.values.get(store.value, at.ops, at.context.type_of(store.value));
  if (const int64_t stride = lane_stride(store.to, at); stride != 1) {
    if (stores_by_permuting(at.ops.isa(), at.ops.lanes(),
                            at.context.kernel.buffers[store.to.buffer], stride))
      store_strided(at.ops, v, lowest_address(store.to, at), stride);
    else
      scatter_lanes(at.ops, v, lane_addresses(store.to, at));
    return;
  }
  x86::Mem to = at.addresses.address(store.to, at.ahead);
  if (at.streaming && store.streaming && can_stream(at.ops.lanes(), v.type))
    stream_lanes(at.ops, v, to);
  else
    store_lanes(at.ops, v, to, at.mask);
}

/// The lines from the first to the last element, those of all lanes. Of a row, the copies of this
/// step before have asked for a line that an earlier element lies in.
void emit_prefetch(const Prefetch& prefetch, StepContext& at) {
  const int64_t size = byte_size(at.context.kernel.buffers[prefetch.from.buffer].element);
  const int64_t stride = at.ops.lanes() == 1 ? 0 : lane_stride(prefetch.from, at);
  const int64_t elements = prefetch.elements + (at.ops.lanes() - 1) * std::abs(stride);
  const int64_t begin = stride == 1 ? at.ahead * size : 0;
  const int64_t asked = (kLineBytes - begin % kLineBytes) % kLineBytes;
  x86::Mem line = lowest_address(prefetch.from, at);
  line.addOffset(asked);
  for (int64_t bytes = elements * size - asked; bytes > 0; bytes -= kLineBytes) {
    at.context.cc.prefetcht1(line);
    line.addOffset(kLineBytes);
  }
}

Vec emit_loop_index(const Compute& compute, StepContext& at) {
  const x86::Gp& counter = at.counters[compute.immediate];
  if (at.ops.lanes() > 1 && compute.immediate + 1 == at.depth) {
    x86::Gp first = at.context.cc.newInt64("first");
    at.context.cc.lea(first, x86::ptr(counter, static_cast<int32_t>(at.ahead)));
    return at.ops.lane_counters(first);
  }
  VectorOps one(at.context.cc, at.context.isa, 1);
  Vec index = one.lane_counters(counter);
  return at.ops.lanes() == 1 ? index : at.ops.broadcast(index);
}

void emit_compute(const Compute& compute, StepContext& at) {
  if (compute.op == ScalarOp::Constant)
    return;
  if (compute.op == ScalarOp::LoopIndex) {
    at.values.set(compute.dst, emit_loop_index(compute, at));
    return;
  }
  std::array<Vec, 3> operands;
  for (unsigned k = 0; k < info(compute.op).arity; ++k)
    operands[k] =
        at.values.get(compute.operands[k], at.ops, at.context.type_of(compute.operands[k]));
  at.values.set(compute.dst, at.ops.emit(compute, operands, at.context.type_of(compute.dst)));
}

// For a debugger. Of several vectors of a step the first: they have their values at the same time.
// What an i1 is in a register, a mask, is not what the source says.
void name_result(Reg result, StepContext& at) {
  const ElementType type = at.context.type_of(result);
  if (!at.context.cc.keeps_values() || type == ElementType::I1 || at.ahead != 0 ||
      at.context.layout.constants[result.index] || !at.values.has(result))
    return;
  at.context.cc.name_value({at.values.get(result, at.ops, type).reg.id(), result.index,
                            at.context.kernel.regs[result.index].name, type, at.ops.lanes()});
}

} // namespace

Loc location_of(const Node& node) {
  return std::visit([](const auto& kind) { return kind.loc; }, node.kind);
}

void emit_step(const Node& node, StepContext& at) {
  at.context.cc.mark(location_of(node),
                     at.context.cc.comments() ? describe(at.context.kernel, node) : "");
  if (const Load* load = node.as<Load>()) {
    emit_load(*load, at);
    name_result(load->dst, at);
  } else if (const Compute* compute = node.as<Compute>()) {
    emit_compute(*compute, at);
    name_result(compute->dst, at);
  } else if (const Store* store = node.as<Store>()) {
    emit_store(*store, at);
  } else if (const Prefetch* prefetch = node.as<Prefetch>()) {
    emit_prefetch(*prefetch, at);
  }
}

void emit_move(const Load& load, const Store& store, StepContext& at) {
  const Kernel& kernel = at.context.kernel;
  const MoveBy by = is_large(kernel.buffers[store.to.buffer]) ? MoveBy::VectorRegisters
                                                              : MoveBy::GeneralRegisters;
  at.context.cc.mark(store.loc,
                     at.context.cc.comments()
                         ? fmt::format("move %{} from {} to {}", kernel.regs[load.dst.index].name,
                                       kernel.buffers[load.from.buffer].name,
                                       kernel.buffers[store.to.buffer].name)
                         : "");
  move_elements(at.ops, lane_addresses(load.from, at), lane_addresses(store.to, at),
                at.context.type_of(store.value), by);
}

std::string describe(const Kernel& kernel, const Node& node) {
  auto name = [&](Reg reg) { return "%" + kernel.regs[reg.index].name; };
  if (const Load* load = node.as<Load>())
    return fmt::format("{} = load {}", name(load->dst), kernel.buffers[load->from.buffer].name);
  if (const Store* store = node.as<Store>())
    return fmt::format("store {}, {}", name(store->value), kernel.buffers[store->to.buffer].name);
  if (const Prefetch* prefetch = node.as<Prefetch>())
    return fmt::format("prefetch {}", kernel.buffers[prefetch->from.buffer].name);
  if (const Compute* compute = node.as<Compute>()) {
    std::string text = fmt::format("{} = {}", name(compute->dst), info(compute->op).spelling);
    std::string_view separator = " ";
    for (Reg operand : operands_of(*compute)) {
      text += fmt::format("{}{}", separator, name(operand));
      separator = ", ";
    }
    return text;
  }
  return "";
}

void for_each_outer_use(const Node& node, const std::function<void(Reg)>& f) {
  std::unordered_set<uint32_t> defined, seen;
  std::vector<Reg> used;
  auto visit = [&](const Node& inner) {
    for_each_use(inner, [&](Reg reg) { used.push_back(reg); });
    if (const Reg* result = definition_of(inner))
      defined.insert(result->index);
    else if (const Loop* loop = inner.as<Loop>())
      for (const Carried& carried : loop->carried) {
        defined.insert(carried.current.index);
        defined.insert(carried.result.index);
      }
  };
  visit(node);
  if (const Loop* loop = node.as<Loop>())
    for_each_node(loop->body, 1, [&](const Node& inner, unsigned) { visit(inner); });
  for (Reg reg : used)
    if (!defined.count(reg.index) && seen.insert(reg.index).second)
      f(reg);
}

} // namespace mo

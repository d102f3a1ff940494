#include "codegen/loop_walk.h"

#include <algorithm>

namespace mo {

std::span<const Reg> operands_of(const Compute& compute) {
  return std::span<const Reg>(compute.operands).first(info(compute.op).arity);
}

std::span<Reg> operands_of(Compute& compute) {
  return std::span<Reg>(compute.operands).first(info(compute.op).arity);
}

const Access* access_of(const Node& node) {
  if (const Load* load = node.as<Load>())
    return &load->from;
  if (const Store* store = node.as<Store>())
    return &store->to;
  if (const Prefetch* prefetch = node.as<Prefetch>())
    return &prefetch->from;
  return nullptr;
}

Access* access_of(Node& node) {
  return const_cast<Access*>(access_of(static_cast<const Node&>(node)));
}

const Reg* definition_of(const Node& node) {
  if (const Load* load = node.as<Load>())
    return &load->dst;
  if (const Compute* compute = node.as<Compute>())
    return &compute->dst;
  return nullptr;
}

Reg* definition_of(Node& node) {
  return const_cast<Reg*>(definition_of(static_cast<const Node&>(node)));
}

bool is_large(const Buffer& buffer) {
  constexpr int64_t kLargeBytes = 1 << 20;
  return buffer.elements >= kLargeBytes / byte_size(buffer.element);
}

bool contains_loop(const std::vector<Node>& block) {
  return std::any_of(block.begin(), block.end(),
                     [](const Node& node) { return node.as<Loop>() != nullptr; });
}

void for_each_node(const std::vector<Node>& block, unsigned depth,
                   const std::function<void(const Node&, unsigned)>& f) {
  for (const Node& node : block) {
    f(node, depth);
    if (const Loop* loop = node.as<Loop>())
      for_each_node(loop->body, depth + 1, f);
  }
}

void for_each_node(std::vector<Node>& block, unsigned depth,
                   const std::function<void(Node&, unsigned)>& f) {
  for (Node& node : block) {
    f(node, depth);
    if (Loop* loop = node.as<Loop>())
      for_each_node(loop->body, depth + 1, f);
  }
}

void for_each_use(Node& node, const std::function<void(Reg&)>& f) {
  if (Compute* compute = node.as<Compute>()) {
    for (Reg& operand : operands_of(*compute))
      f(operand);
  } else if (Store* store = node.as<Store>()) {
    f(store->value);
  } else if (Loop* loop = node.as<Loop>()) {
    for (Carried& carried : loop->carried) {
      f(carried.init);
      f(carried.next);
    }
  }
}

void for_each_use(const Node& node, const std::function<void(Reg)>& f) {
  if (const Compute* compute = node.as<Compute>()) {
    for (Reg operand : operands_of(*compute))
      f(operand);
  } else if (const Store* store = node.as<Store>()) {
    f(store->value);
  } else if (const Loop* loop = node.as<Loop>()) {
    for (const Carried& carried : loop->carried) {
      f(carried.init);
      f(carried.next);
    }
  }
}

std::vector<uint32_t> count_uses(const Kernel& kernel) {
  std::vector<uint32_t> uses(kernel.regs.size(), 0);
  for_each_node(kernel.body, 0, [&](const Node& node, unsigned) {
    for_each_use(node, [&](Reg reg) { ++uses[reg.index]; });
  });
  return uses;
}

Reg add_reg(Kernel& kernel, std::string name, ElementType type, Loc defined) {
  kernel.regs.push_back({std::move(name), type, defined});
  return Reg{static_cast<uint32_t>(kernel.regs.size() - 1)};
}

} // namespace mo

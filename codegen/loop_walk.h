// Walking a kernel: steps, accesses, uses and definitions of registers.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "codegen/loop_nest.h"

namespace mo {

/// The operands that count: the first info(op).arity.
std::span<const Reg> operands_of(const Compute& compute);
std::span<Reg> operands_of(Compute& compute);

/// The access of a Load, a Store or a Prefetch; null for the others.
const Access* access_of(const Node& node);
Access* access_of(Node& node);

/// The register that a Load or a Compute defines; null for the others.
const Reg* definition_of(const Node& node);
Reg* definition_of(Node& node);

constexpr int64_t kLineBytes = 64; // of a cache line

/// Elements between two places, in either direction: are they `elements` apart at most? For any
/// stride.
inline bool within(int64_t stride, int64_t elements) {
  return -elements <= stride && stride <= elements;
}

/// 1 MiB or more: it does not stay in the caches that a core has for itself.
bool is_large(const Buffer& buffer);

bool contains_loop(const std::vector<Node>& block); // directly

/// Every node of the block and of the blocks inside it, in program order, a loop before its body.
/// `depth`: how many loops stand around the node.
void for_each_node(const std::vector<Node>& block, unsigned depth,
                   const std::function<void(const Node&, unsigned depth)>& f);
void for_each_node(std::vector<Node>& block, unsigned depth,
                   const std::function<void(Node&, unsigned depth)>& f);

/// The registers that a node reads; of a loop only its own (init and next of what it carries), not
/// those of its body.
void for_each_use(const Node& node, const std::function<void(Reg)>& f);
void for_each_use(Node& node, const std::function<void(Reg&)>& f);

/// How often each register of the kernel is read, by Reg::index.
std::vector<uint32_t> count_uses(const Kernel& kernel);

Reg add_reg(Kernel& kernel, std::string name, ElementType type, Loc defined = {});

} // namespace mo

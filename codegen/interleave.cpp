#include "codegen/interleave.h"

#include <algorithm>
#include <vector>

namespace mo {

using namespace asmjit;

namespace {

using Nodes = std::vector<BaseNode*>;

bool jumps(const InstNode& node) {
  return std::any_of(node.operands(), node.operands() + node.opCount(),
                     [](const Operand& operand) { return operand.isLabel(); });
}

bool reads_flags(const InstNode& node) {
  InstRWInfo info;
  const Error error =
      InstAPI::queryRWInfo(Arch::kX64, node.baseInst(), node.operands(), node.opCount(), &info);
  return error != kErrorOk || info.readFlags() != CpuRWFlags::kNone;
}

/// May it take turns with other instructions?
bool stands_alone(const BaseNode& node) {
  if (node.isComment())
    return true;
  if (node.type() != NodeType::kInst)
    return false; // a label, a call, data
  const InstNode& instruction = *node.as<InstNode>();
  return !jumps(instruction) && !reads_flags(instruction);
}

/// What `emit` adds behind the cursor.
Nodes emitted(KernelCompiler& cc, unsigned copy, const std::function<void(unsigned)>& emit) {
  Nodes nodes;
  const BaseNode* last = cc.cursor();
  emit(copy);
  for (BaseNode* node = cc.cursor(); node != last; node = node->prev())
    nodes.push_back(node);
  std::ranges::reverse(nodes);
  return nodes;
}

/// Adds the comments from `at` on, and the instruction behind them, if there is one.
bool add_next(KernelCompiler& cc, const Nodes& nodes, size_t& at) {
  while (at < nodes.size()) {
    BaseNode* node = nodes[at++];
    cc.addNode(node);
    if (!node->isComment())
      return true;
  }
  return false;
}

} // namespace

void emit_in_turns(KernelCompiler& cc, unsigned copies, const std::function<void(unsigned)>& emit) {
  if (copies == 1) {
    emit(0);
    return;
  }
  std::vector<Nodes> code;
  bool straight = true;
  for (unsigned copy = 0; copy < copies; ++copy)
    for (const BaseNode* node : code.emplace_back(emitted(cc, copy, emit)))
      straight &= stands_alone(*node);
  if (!straight)
    return;
  for (const Nodes& nodes : code)
    for (BaseNode* node : nodes)
      cc.removeNode(node);
  std::vector<size_t> at(copies, 0);
  for (bool more = true; more;) {
    more = false;
    for (unsigned copy = 0; copy < copies; ++copy)
      more |= add_next(cc, code[copy], at[copy]);
  }
}

} // namespace mo

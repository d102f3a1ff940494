#include "codegen/value_ranges.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

bool is_vector_register(const asmjit::Operand& operand) {
  return operand.isReg() && operand.as<asmjit::BaseReg>().group() == asmjit::RegGroup::kVec;
}

// Calls f with the id of each vector register that the instruction writes to.
template <class F> void for_each_written(KernelCompiler& cc, const asmjit::InstNode& node, F f) {
  asmjit::InstRWInfo info{};
  if (asmjit::InstAPI::queryRWInfo(cc.arch(), node.baseInst(), node.operands(), node.opCount(),
                                   &info) != asmjit::kErrorOk)
    return;
  for (uint32_t k = 0; k < node.opCount(); ++k)
    if (is_vector_register(node.operands()[k]) && info.operand(k).isWrite())
      f(node.operands()[k].id());
}

// The instruction before `note` that makes what the register holds there; none where that depends
// on the way there.
const asmjit::InstNode* maker(KernelCompiler& cc, const asmjit::BaseNode& note, uint32_t reg) {
  for (const asmjit::BaseNode* node = note.prev(); node && !node->isLabel(); node = node->prev()) {
    if (!node->isInst())
      continue;
    const auto* inst = node->as<asmjit::InstNode>();
    bool writes = false;
    for_each_written(cc, *inst, [&](uint32_t id) { writes |= id == reg; });
    if (writes)
      return inst->operands()[0].id() == reg ? inst : nullptr;
  }
  return nullptr;
}

} // namespace

ValueRanges::ValueRanges(KernelCompiler& cc) : cc_(cc) {
  if (!cc.keeps_values())
    return;
  for (const asmjit::BaseNode* node = cc.firstNode(); node; node = node->next())
    if (const KernelCompiler::ValueName* value = cc.value_name_at(*node))
      if (const asmjit::InstNode* inst = maker(cc, *node, value->reg))
        made_[inst].push_back(value);
}

void ValueRanges::instruction(const asmjit::InstNode& node, size_t end) {
  if (made_.empty())
    return;
  end_what_is_overwritten(node, end);
  const auto made = made_.find(&node);
  if (made == made_.end() || node.opCount() == 0 || !is_vector_register(node.operands()[0]))
    return;
  const uint32_t reg = node.operands()[0].id();
  for (const KernelCompiler::ValueName* value : made->second) {
    held_[reg].push_back(values_.size());
    values_.push_back({value->number, value->name, value->type, value->lanes,
                       static_cast<uint8_t>(reg), end, end});
  }
}

void ValueRanges::end_what_is_overwritten(const asmjit::InstNode& node, size_t end) {
  switch (node.id()) {
  case x86::Inst::kIdCall:
  case x86::Inst::kIdVzeroupper:
  case x86::Inst::kIdVzeroall: end_all(end); return;
  default: break;
  }
  // Before it has run the register holds the value still: a place that a debugger may stop at.
  for_each_written(cc_, node, [&](uint32_t reg) {
    for (const size_t value : held_[reg])
      values_[value].end = end;
    held_[reg].clear();
  });
}

void ValueRanges::end_all(size_t offset) {
  for (auto& [reg, values] : held_) {
    for (const size_t value : values)
      values_[value].end = offset;
    values.clear();
  }
}

} // namespace mo

// Fills and constants: bodies name the scalar.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "passes/canonicalize_rules.h"
#include "passes/loop_cover.h"

namespace mo {

namespace {

using Replacements = std::unordered_map<uint32_t, ValueId>;

void replace_in_body(Body& body, const Replacements& replacements) {
  auto replace = [&](ValueId& v) {
    if (auto found = replacements.find(v.index); found != replacements.end())
      v = found->second;
  };
  for (ScalarInst& inst : body.insts)
    for (ValueId& operand : inst.operands)
      replace(operand);
  for (ValueId& yield : body.yields)
    replace(yield);
}

void append_item(std::string& list, const std::string& item) {
  list += (list.empty() ? "" : ", ") + item;
}

} // namespace

void inline_fills(ForwardWalk& walk, OpId id) {
  GenericOp& op = walk.generic(id);
  Replacements replacements;
  std::string names;
  std::vector<Note> notes;
  std::vector<bool> read; // computed for ops that read a fill
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    const Op* def = walk.def(op.inputs[k]);
    const FillOp* fill = def ? def->as<FillOp>() : nullptr;
    if (!fill)
      continue;
    if (read.empty())
      read = args_read(op);
    if (!read[k])
      continue;
    replacements[op.body.args[k].index] = fill->value;
    append_item(names, fmt::format("%{} at operand {}", walk.function.value(op.inputs[k]).name, k));
    notes.push_back({def->loc, "the fill is here"});
  }
  if (replacements.empty())
    return;
  Proposal proposal = walk.propose(
      CleanupReason::FillInlined, id,
      fmt::format("{}: every element is the filled scalar, which the body names now", names),
      "inline fills into " + display_name(walk.function, id), op.inputs[0]);
  proposal.because.notes = std::move(notes);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  replace_in_body(op.body, replacements);
  walk.log.rewrote(proposal, walk.function);
}

namespace {

/// What stands for the element of an input that is constant: an existing scalar, or bits.
struct ConstantInput {
  unsigned operand = 0;
  ValueId scalar; // where the input is one
  uint64_t bits = 0;
};

std::optional<ConstantInput> constant_input(ForwardWalk& walk, const GenericOp& op, unsigned k) {
  const Op* def = walk.def(op.inputs[k]);
  if (!def)
    return std::nullopt;
  if (const auto* inst = def->as<ScalarInst>(); inst && inst->op == ScalarOp::Constant)
    return ConstantInput{k, op.inputs[k], 0};
  if (def->is<DenseOp>())
    if (std::optional<uint64_t> bits = walk.splat_bits(walk.def_use.def(op.inputs[k]).op))
      return ConstantInput{k, {}, *bits};
  return std::nullopt;
}

void erase_inputs(GenericOp& op, const std::vector<ConstantInput>& gone) {
  std::vector<bool> drop(op.maps.size(), false);
  for (const ConstantInput& c : gone)
    drop[c.operand] = true;
  size_t num_inputs = op.inputs.size(), to = 0;
  for (size_t k = 0; k < op.maps.size(); ++k) {
    if (drop[k])
      continue;
    if (k < num_inputs)
      op.inputs[to] = op.inputs[k];
    if (to != k)
      op.maps[to] = std::move(op.maps[k]);
    op.body.args[to] = op.body.args[k];
    ++to;
  }
  op.inputs.resize(num_inputs - gone.size());
  op.maps.resize(to);
  op.body.args.resize(to);
}

} // namespace

void inline_splats(ForwardWalk& walk, OpId id) {
  GenericOp& op = walk.generic(id);
  std::vector<ConstantInput> constants;
  std::string names;
  std::optional<LoopCover> cover; // computed for ops that read a constant
  for (unsigned k = 0; k < op.inputs.size(); ++k) {
    std::optional<ConstantInput> constant = constant_input(walk, op, k);
    if (!constant)
      continue;
    if (!cover)
      cover.emplace(op);
    if (cover->loop_needing(op.maps[k]))
      continue;
    cover->remove(op.maps[k]);
    constants.push_back(*constant);
    append_item(names, fmt::format("%{} at operand {}", walk.function.value(op.inputs[k]).name, k));
  }
  if (constants.empty())
    return;
  Proposal proposal = walk.propose(
      CleanupReason::SplatInlined, id,
      fmt::format("{}: every element is one constant, which the body names now", names),
      "inline constants into " + display_name(walk.function, id), op.inputs[constants[0].operand]);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  Replacements replacements;
  for (const ConstantInput& c : constants) {
    const Value input = walk.function.value(op.inputs[c.operand]);
    replacements[op.body.args[c.operand].index] =
        c.scalar.valid() ? c.scalar
                         : walk.constant(input.type.element, c.bits, input.name, input.loc);
  }
  replace_in_body(op.body, replacements);
  erase_inputs(op, constants);
  walk.log.rewrote(proposal, walk.function);
}

void hoist_constants(ForwardWalk& walk, OpId id) {
  Body& body = walk.generic(id).body;
  auto is_constant = [](const ScalarInst& inst) { return inst.op == ScalarOp::Constant; };
  auto count = std::count_if(body.insts.begin(), body.insts.end(), is_constant);
  if (count == 0)
    return;
  auto first = std::find_if(body.insts.begin(), body.insts.end(), is_constant);
  Proposal proposal =
      walk.propose(CleanupReason::ConstantHoisted, id,
                   fmt::format("{} constant{} in the body of {}: the same in every iteration",
                               count, count == 1 ? "" : "s", display_name(walk.function, id)),
                   "hoist constants out of " + display_name(walk.function, id), first->result);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  Replacements replacements;
  for (const ScalarInst& inst : body.insts)
    if (is_constant(inst)) {
      const Value value = walk.function.value(inst.result);
      replacements[inst.result.index] =
          walk.constant(value.type.element, inst.immediate, value.name, inst.loc);
    }
  std::erase_if(body.insts, is_constant);
  replace_in_body(body, replacements);
  walk.log.rewrote(proposal, walk.function);
}

} // namespace mo

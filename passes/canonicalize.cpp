// The canonicalize pass: its two walks, to a fixed point.
#include "passes/canonicalize.h"

#include <algorithm>

#include <fmt/format.h>

#include "passes/canonicalize_rules.h"
#include "passes/loop_cover.h"

namespace mo {

std::string_view spelling(CleanupReason reason) {
  switch (reason) {
  case CleanupReason::FillInlined: return "fill-inlined";
  case CleanupReason::SplatInlined: return "splat-inlined";
  case CleanupReason::ConstantHoisted: return "constant-hoisted";
  case CleanupReason::DuplicateInputMerged: return "duplicate-input-merged";
  case CleanupReason::IdentityCopyErased: return "identity-copy-erased";
  case CleanupReason::UnreadInitForgotten: return "unread-init-forgotten";
  case CleanupReason::DeadOpErased: return "dead-op-erased";
  case CleanupReason::DeadResultDropped: return "dead-result-dropped";
  case CleanupReason::DuplicateResultMerged: return "duplicate-result-merged";
  case CleanupReason::DeadScalarDropped: return "dead-scalar-dropped";
  case CleanupReason::DeadInputDropped: return "dead-input-dropped";
  case CleanupReason::InputGivesExtent: return "input-gives-extent";
  case CleanupReason::ResultGivesExtent: return "result-gives-extent";
  case CleanupReason::PartialWrite: return "partial-write";
  case CleanupReason::LeftOut: return "left-out";
  case CleanupReason::NothingToClean: return "nothing-to-clean";
  }
  return {};
}

Proposal Cleaner::propose(CleanupReason reason, OpId op, std::string message, std::string what,
                          ValueId detail) const {
  return {{Remark::Kind::Passed,
           "canonicalize",
           spelling(reason),
           function.name,
           function.op(op).loc,
           std::move(message),
           {},
           {{"Op", display_name(function, op), function.op(op).loc}}},
          op,
          std::move(what),
          function.op(op).results[0],
          detail};
}

namespace {

/// Frees room for the ops that a forward walk may add: ErasedOps at the top for constants, and
/// before each generic for the inits it may forget. Returns the first of each generic's, by OpId.
std::vector<uint32_t> make_slots(Function& function) {
  std::vector<bool> is_empty(function.values.size(), false);
  size_t constants = 0;
  for (const Op& op : function.ops)
    if (op.is<EmptyOp>())
      is_empty[op.results[0].index] = true;
    else if (const auto* generic = op.as<GenericOp>()) {
      constants += generic->inputs.size();
      for (const ScalarInst& inst : generic->body.insts)
        constants += inst.op == ScalarOp::Constant;
    }
  std::vector<Op> ops(constants, Op{{}, {}, ErasedOp{}});
  std::vector<uint32_t> slots(constants, 0);
  for (Op& op : function.ops) {
    auto first = static_cast<uint32_t>(ops.size());
    if (const auto* generic = op.as<GenericOp>())
      for (ValueId init : generic->inits)
        if (!is_empty[init.index]) {
          ops.push_back(Op{{}, {}, ErasedOp{}});
          slots.push_back(0);
        }
    ops.push_back(std::move(op));
    slots.push_back(first);
  }
  function.ops = std::move(ops);
  return slots;
}

void set_operand(Op& op, unsigned k, ValueId to) {
  if (auto* generic = op.as<GenericOp>())
    (k < generic->inputs.size() ? generic->inputs[k] : generic->inits[k - generic->inputs.size()]) =
        to;
  else if (auto* fill = op.as<FillOp>())
    (k == 0 ? fill->value : fill->init) = to;
  else if (auto* materialize = op.as<MaterializeOp>())
    (k == 0 ? materialize->source : materialize->dest) = to;
  else if (auto* ret = op.as<ReturnOp>())
    ret->values[k] = to;
}

} // namespace

ForwardWalk::ForwardWalk(Function& f, RewriteLog& l)
    : Cleaner{f, l}, empty_slots(make_slots(f)), def_use(f) {}

const Op* ForwardWalk::def(ValueId v) const {
  if (v.index >= def_use.definitions.size() || def_use.def(v).kind != Definition::Kind::Result)
    return nullptr;
  return &function.op(def_use.def(v).op);
}

void ForwardWalk::replace_uses(ValueId from, ValueId to) {
  for (const DefUse::Use& use : def_use.uses_of(from))
    set_operand(function.op(use.op), use.operand, to);
  std::vector<DefUse::Use> moved = std::move(def_use.uses[from.index]);
  def_use.uses[from.index].clear();
  if (to.index >= def_use.uses.size())
    return; // made by this walk
  std::vector<DefUse::Use>& uses = def_use.uses[to.index];
  uses.insert(uses.end(), moved.begin(), moved.end());
}

ValueId ForwardWalk::constant(ElementType type, uint64_t bits, const std::string& name, Loc loc) {
  ValueId& known = constants[{type, bits}];
  if (known.valid())
    return known;
  ScalarInst inst;
  inst.op = ScalarOp::Constant;
  inst.immediate = bits;
  inst.loc = loc;
  inst.result = function.add_value(unused_name(name), scalar_type(type), loc);
  function.ops[next_constant_slot++] = Op{loc, {inst.result}, inst};
  return known = inst.result;
}

std::string ForwardWalk::unused_name(const std::string& base) {
  if (names.empty()) {
    for (const Argument& arg : function.args)
      names.insert(function.value(arg.value).name);
    for (const Op& op : function.ops)
      for (ValueId result : op.results)
        names.insert(function.value(result).name);
  }
  std::string name = base;
  while (!names.insert(name).second)
    name = fmt::format("{}_{}", base, next_suffix++);
  return name;
}

std::optional<uint64_t> ForwardWalk::splat_bits(OpId dense) {
  auto [entry, is_new] = splats.try_emplace(dense.index);
  if (is_new) {
    const std::vector<uint64_t>& bits = function.op(dense).as<DenseOp>()->bits;
    if (!bits.empty() &&
        std::all_of(bits.begin(), bits.end(), [&](uint64_t b) { return b == bits[0]; }))
      entry->second = bits[0];
  }
  return entry->second;
}

namespace {

void walk_forward(Function& function, RewriteLog& log) {
  ForwardWalk walk(function, log);
  for (uint32_t i = 0; i < function.ops.size(); ++i) {
    OpId op{i};
    if (const auto* inst = function.op(op).as<ScalarInst>(); inst && inst->op == ScalarOp::Constant)
      walk.constants.try_emplace({function.type(inst->result).element, inst->immediate},
                                 inst->result);
    if (!function.op(op).is<GenericOp>())
      continue;
    inline_fills(walk, op);
    inline_splats(walk, op);
    hoist_constants(walk, op);
    merge_duplicate_inputs(walk, op);
    merge_duplicate_results(walk, op);
    forget_unread_inits(walk, op);
    erase_identity_copy(walk, op);
  }
  drop_erased_ops(function);
}

void walk_backward(Function& function, RewriteLog& log) {
  BackwardWalk walk(function, log);
  for (auto i = static_cast<uint32_t>(function.ops.size()); i-- > 0;) {
    OpId op{i};
    erase_dead_op(walk, op);
    if (!function.op(op).is<GenericOp>())
      continue;
    drop_dead_scalars(walk, op);
    drop_dead_inputs(walk, op);
    drop_dead_results(walk, op);
    drop_dead_inputs(walk, op); // those that only a dead result needed
  }
  drop_erased_ops(function);
}

} // namespace

bool erase_dead_ops(Function& function, RewriteLog& log) {
  const unsigned before = log.num_rewrites();
  BackwardWalk walk(function, log);
  for (auto i = static_cast<uint32_t>(function.ops.size()); i-- > 0;)
    erase_dead_op(walk, OpId{i});
  drop_erased_ops(function);
  return log.num_rewrites() != before;
}

bool canonicalize_sweeps(Function& function, RewriteLog& log) {
  const unsigned before = log.num_rewrites();
  unsigned last;
  do {
    last = log.num_rewrites();
    if (log.wants_attempts())
      announce_missed_cleanups(function, log);
    walk_forward(function, log);
    walk_backward(function, log);
  } while (log.num_rewrites() != last);
  return log.num_rewrites() != before;
}

void canonicalize(Function& function, Observer& observer) {
  RewriteLog log(observer);
  canonicalize_sweeps(function, log);
  report_missed_cleanups(function, log);
  compact(function);
}

} // namespace mo

// What nobody needs goes.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "passes/canonicalize_rules.h"
#include "passes/loop_cover.h"

namespace mo {

std::vector<bool> args_read(const GenericOp& op) {
  std::unordered_map<uint32_t, size_t> position;
  for (size_t k = 0; k < op.body.args.size(); ++k)
    position[op.body.args[k].index] = k;
  std::vector<bool> read(op.body.args.size(), false);
  auto mention = [&](ValueId v) {
    if (auto found = position.find(v.index); found != position.end())
      read[found->second] = true;
  };
  for (const ScalarInst& inst : op.body.insts)
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      mention(inst.operands[k]);
  for (ValueId yield : op.body.yields)
    mention(yield);
  return read;
}

namespace {

/// Which instructions and block arguments some roots depend on, transitively.
class Slice {
public:
  explicit Slice(const Body& body) : body_(body), insts_(body.insts.size(), false) {
    for (size_t i = 0; i < body.insts.size(); ++i)
      defined_by_[body.insts[i].result.index] = i;
  }

  void add(ValueId root) {
    std::vector<ValueId> stack{root};
    while (!stack.empty()) {
      ValueId v = stack.back();
      stack.pop_back();
      auto def = defined_by_.find(v.index);
      if (def == defined_by_.end()) {
        outside_[v.index] = true;
        continue;
      }
      if (insts_[def->second])
        continue;
      insts_[def->second] = true;
      const ScalarInst& inst = body_.insts[def->second];
      for (unsigned k = 0; k < info(inst.op).arity; ++k)
        stack.push_back(inst.operands[k]);
    }
  }
  bool has(ValueId arg) const { return outside_.contains(arg.index); }
  const std::vector<bool>& insts() const { return insts_; }

private:
  const Body& body_;
  std::vector<bool> insts_;
  std::unordered_map<uint32_t, size_t> defined_by_;
  std::unordered_map<uint32_t, bool> outside_;
};

} // namespace

std::vector<bool> live_insts(const Body& body) {
  Slice slice(body);
  for (ValueId yield : body.yields)
    slice.add(yield);
  return slice.insts();
}

// A result whose init is read by something needed must stay, and then so must what it yields: hence
// the loop.
std::vector<bool> dead_results(const Uses& uses, const Op& o, const std::vector<bool>& needed) {
  const GenericOp& op = *o.as<GenericOp>();
  std::vector<bool> dead(o.results.size());
  Slice slice(op.body);
  for (size_t j = 0; j < dead.size(); ++j) {
    dead[j] = uses.count(o.results[j]) == 0 && (needed.empty() || !needed[j]);
    if (!dead[j])
      slice.add(op.body.yields[j]);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (size_t j = 0; j < dead.size(); ++j)
      if (dead[j] && slice.has(op.body.args[op.inputs.size() + j])) {
        dead[j] = false;
        slice.add(op.body.yields[j]);
        grew = true;
      }
  }
  return dead;
}

void erase_dead_op(BackwardWalk& walk, OpId id) {
  const Op& op = walk.function.op(id);
  if (!is_pure(op) || walk.uses.count_results(op) > 0)
    return;
  std::string name = display_name(walk.function, id);
  Proposal proposal =
      walk.propose(CleanupReason::DeadOpErased, id,
                   fmt::format("nobody uses {} ({})", name, spelling(op)), "erase " + name);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  walk.uses.drop_uses_by(op);
  walk.function.op(id) = Op{op.loc, {}, ErasedOp{}};
  walk.log.rewrote(proposal, walk.function);
}

void drop_dead_scalars(BackwardWalk& walk, OpId id) {
  Body& body = walk.generic(id).body;
  std::vector<bool> live = live_insts(body);
  auto first = std::find(live.begin(), live.end(), false);
  if (first == live.end())
    return;
  auto count = std::count(live.begin(), live.end(), false);
  const ScalarInst& inst = body.insts[first - live.begin()];
  Proposal proposal = walk.propose(
      CleanupReason::DeadScalarDropped, id,
      fmt::format("{} scalar op{} in the body of {}, {} first, which no yield depends on", count,
                  count == 1 ? "" : "s", display_name(walk.function, id), info(inst.op).spelling),
      "drop dead scalar ops of " + display_name(walk.function, id), inst.result);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  walk.uses.drop_uses_by(walk.function.op(id));
  size_t to = 0;
  for (size_t i = 0; i < body.insts.size(); ++i)
    if (live[i])
      body.insts[to++] = body.insts[i];
  body.insts.resize(to);
  walk.uses.add_uses_by(walk.function.op(id));
  walk.log.rewrote(proposal, walk.function);
}

namespace {

/// Drops the operands (by position: inputs, then inits) with maps, arguments, yields and results.
void drop_operands(Op& o, const std::vector<bool>& drop) {
  GenericOp& op = *o.as<GenericOp>();
  const size_t num_inputs = op.inputs.size();
  size_t to = 0, inputs = 0, inits = 0;
  for (size_t k = 0; k < drop.size(); ++k) {
    if (drop[k])
      continue;
    if (to != k)
      op.maps[to] = std::move(op.maps[k]);
    op.body.args[to++] = op.body.args[k];
    if (k < num_inputs) {
      op.inputs[inputs++] = op.inputs[k];
      continue;
    }
    size_t j = k - num_inputs;
    op.inits[inits] = op.inits[j];
    op.body.yields[inits] = op.body.yields[j];
    o.results[inits++] = o.results[j];
  }
  op.maps.resize(to);
  op.body.args.resize(to);
  op.inputs.resize(inputs);
  op.inits.resize(inits);
  op.body.yields.resize(inits);
  o.results.resize(inits);
}

} // namespace

void drop_dead_inputs(BackwardWalk& walk, OpId id) {
  Op& o = walk.function.op(id);
  const GenericOp& op = *o.as<GenericOp>();
  std::vector<bool> drop(op.maps.size(), false);
  std::string names;
  ValueId first;
  std::optional<LoopCover> cover; // computed for ops with an unread input
  for (size_t k = 0; k < op.inputs.size(); ++k) {
    if (walk.uses.count(op.body.args[k]) > 0)
      continue;
    if (!cover)
      cover.emplace(op);
    if (cover->loop_needing(op.maps[k]))
      continue;
    cover->remove(op.maps[k]);
    drop[k] = true;
    if (!first.valid())
      first = op.inputs[k];
    names += fmt::format("{}%{} (operand {})", names.empty() ? "" : ", ",
                         walk.function.value(op.inputs[k]).name, k);
  }
  if (!first.valid())
    return;
  Proposal proposal = walk.propose(
      CleanupReason::DeadInputDropped, id,
      fmt::format("the body of {} does not read {}", display_name(walk.function, id), names),
      "drop unread inputs of " + display_name(walk.function, id), first);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  walk.uses.drop_uses_by(o);
  drop_operands(o, drop);
  walk.uses.add_uses_by(o);
  walk.log.rewrote(proposal, walk.function);
}

namespace {

// The dead results that can go. One whose init gives a loop its extent stays, and one stays if all
// are dead; then so does what such a result yields, and the inits that this reads.
std::vector<bool> droppable_results(const Uses& uses, const Op& o) {
  const GenericOp& op = *o.as<GenericOp>();
  std::vector<bool> needed(o.results.size(), false);
  while (true) {
    std::vector<bool> dead = dead_results(uses, o, needed);
    LoopCover cover(op);
    size_t left = dead.size();
    bool all_can_go = true;
    for (size_t j = 0; j < dead.size() && all_can_go; ++j) {
      if (!dead[j])
        continue;
      const AffineMap& map = op.maps[op.inputs.size() + j];
      if (left-- == 1 || cover.loop_needing(map)) {
        needed[j] = true;
        all_can_go = false;
      } else {
        cover.remove(map);
      }
    }
    if (all_can_go)
      return dead;
  }
}

} // namespace

void drop_dead_results(BackwardWalk& walk, OpId id) {
  Op& o = walk.function.op(id);
  const GenericOp& op = *o.as<GenericOp>();
  if (o.results.size() < 2) // one alone is dead together with its op
    return;
  const std::vector<bool> can_go = droppable_results(walk.uses, o);
  std::vector<bool> drop(op.maps.size(), false);
  std::string numbers;
  ValueId first;
  for (size_t j = 0; j < can_go.size(); ++j) {
    if (!can_go[j])
      continue;
    drop[op.inputs.size() + j] = true;
    if (!first.valid())
      first = o.results[j];
    numbers += fmt::format("{}#{}", numbers.empty() ? "" : ", ", j);
  }
  if (!first.valid())
    return;
  std::string name = display_name(walk.function, id);
  Proposal proposal = walk.propose(
      CleanupReason::DeadResultDropped, id,
      fmt::format("nobody uses result {} of {}, nor what its init held", numbers, name),
      "drop dead results of " + name, first);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  walk.uses.drop_uses_by(o);
  drop_operands(o, drop);
  // What only the dropped yields named goes with them: it may read block arguments that are gone.
  std::vector<bool> live = live_insts(op.body);
  Body& body = walk.generic(id).body;
  size_t to = 0;
  for (size_t i = 0; i < body.insts.size(); ++i)
    if (live[i])
      body.insts[to++] = body.insts[i];
  body.insts.resize(to);
  walk.uses.add_uses_by(o);
  walk.log.rewrote(proposal, walk.function);
}

} // namespace mo

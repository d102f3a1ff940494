// Equal inputs, equal results, copies, and inits that need not be what they are.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "passes/canonicalize_rules.h"
#include "passes/merge_inputs.h"

namespace mo {

void merge_duplicate_inputs(ForwardWalk& walk, OpId id) {
  GenericOp& op = walk.generic(id);
  if (op.inputs.size() < 2)
    return;
  InputIndex index;
  std::vector<DuplicateInput> duplicates;
  find_duplicates(op, 0, static_cast<unsigned>(op.inputs.size()), index, duplicates);
  if (duplicates.empty())
    return;
  std::string message = display_name(walk.function, id);
  for (const DuplicateInput& d : duplicates)
    message += fmt::format(
        "{} %{} through {} as operands {} and {}", &d == &duplicates[0] ? " reads" : ";",
        walk.function.value(op.inputs[d.kept]).name, to_string(op.maps[d.kept]), d.kept, d.dropped);
  Proposal proposal = walk.propose(CleanupReason::DuplicateInputMerged, id, message + ": merged",
                                   "merge equal inputs of " + display_name(walk.function, id),
                                   op.inputs[duplicates[0].dropped]);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  merge_inputs(op, duplicates, 0);
  walk.log.rewrote(proposal, walk.function);
}

namespace {

// An order on (init, yield, map), so that equal results meet in a std::map.
struct ResultKey {
  ValueId init, yield;
  std::string map;
  auto operator<=>(const ResultKey&) const = default;
};

} // namespace

void merge_duplicate_results(ForwardWalk& walk, OpId id) {
  const GenericOp& op = walk.generic(id);
  const std::vector<ValueId>& results = walk.function.op(id).results;
  if (results.size() < 2)
    return;
  std::map<ResultKey, size_t> first;
  std::vector<std::pair<size_t, size_t>> equal; // (kept, replaced)
  for (size_t j = 0; j < results.size(); ++j) {
    ResultKey key{op.inits[j], op.body.yields[j], to_string(op.maps[op.inputs.size() + j])};
    size_t kept = first.try_emplace(key, j).first->second;
    if (kept != j && !walk.def_use.uses_of(results[j]).empty())
      equal.push_back({kept, j});
  }
  if (equal.empty())
    return;
  Proposal proposal = walk.propose(
      CleanupReason::DuplicateResultMerged, id,
      fmt::format("results {} and {} of {} have the same init, map and yield", equal[0].first,
                  equal[0].second, display_name(walk.function, id)),
      "merge equal results of " + display_name(walk.function, id), results[equal[0].second]);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  for (auto [kept, replaced] : equal)
    walk.replace_uses(results[replaced], results[kept]);
  walk.log.rewrote(proposal, walk.function);
}

// What each result is a copy of: the operand whose element the body yields as it is. Empty unless
// that is so for all, and every operand is read and written at the same index.
static std::vector<ValueId> copied_operands(const Function& function, const Op& o) {
  const GenericOp& op = *o.as<GenericOp>();
  if (!op.body.insts.empty() || !op.maps[0].is_permutation() ||
      std::any_of(op.maps.begin(), op.maps.end(),
                  [&](const AffineMap& map) { return map != op.maps[0]; }))
    return {};
  std::vector<ValueId> sources;
  for (size_t j = 0; j < o.results.size(); ++j) {
    auto arg = std::find(op.body.args.begin(), op.body.args.end(), op.body.yields[j]);
    if (arg == op.body.args.end())
      return {};
    size_t k = arg - op.body.args.begin();
    ValueId source = k < op.inputs.size() ? op.inputs[k] : op.inits[k - op.inputs.size()];
    if (function.type(source) != function.type(o.results[j]))
      return {}; // a scalar input gives a tensor
    sources.push_back(source);
  }
  return sources;
}

void erase_identity_copy(ForwardWalk& walk, OpId id) {
  std::vector<ValueId> sources = copied_operands(walk.function, walk.function.op(id));
  if (sources.empty())
    return;
  std::string name = display_name(walk.function, id);
  Proposal proposal = walk.propose(
      CleanupReason::IdentityCopyErased, id,
      fmt::format("{} is %{} unchanged: read and written through {}, yielded as it is", name,
                  walk.function.value(sources[0]).name, to_string(walk.generic(id).maps[0])),
      fmt::format("replace {} by %{}", name, walk.function.value(sources[0]).name));
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  const std::vector<ValueId> results = walk.function.op(id).results;
  for (size_t j = 0; j < results.size(); ++j)
    walk.replace_uses(results[j], sources[j]);
  walk.function.op(id) = Op{walk.function.op(id).loc, {}, ErasedOp{}};
  walk.log.rewrote(proposal, walk.function);
}

bool writes_all_elements(const Function& function, const GenericOp& op, unsigned init) {
  const AffineMap& map = op.maps[op.inputs.size() + init];
  if (!map.is_projected_permutation())
    return false;
  if (map.num_results() == map.num_dims())
    return true;
  std::vector<int64_t> extents = loop_extents(function, op);
  for (unsigned d = 0; d < extents.size(); ++d)
    if (extents[d] == 0 && !map.uses_dim(d))
      return false;
  return true;
}

void forget_unread_inits(ForwardWalk& walk, OpId id) {
  GenericOp& op = walk.generic(id);
  std::vector<size_t> forgotten;
  std::string names;
  std::vector<bool> read; // computed for ops with an init that is not an empty
  for (size_t j = 0; j < op.inits.size(); ++j) {
    const Op* def = walk.def(op.inits[j]);
    if (def && def->is<EmptyOp>())
      continue;
    if (read.empty())
      read = args_read(op);
    if (read[op.inputs.size() + j] ||
        !writes_all_elements(walk.function, op, static_cast<unsigned>(j)))
      continue;
    forgotten.push_back(j);
    names += (names.empty() ? "%" : ", %") + walk.function.value(op.inits[j]).name;
  }
  if (forgotten.empty())
    return;
  Proposal proposal = walk.propose(
      CleanupReason::UnreadInitForgotten, id,
      fmt::format("{} is an init of {} that is not read and wholly overwritten: any tensor will do",
                  names, display_name(walk.function, id)),
      "forget inits of " + display_name(walk.function, id), op.inits[forgotten[0]]);
  if (!walk.log.may_rewrite(proposal, walk.function))
    return;
  uint32_t slot = walk.empty_slots[id.index];
  for (size_t j : forgotten) {
    const Value init = walk.function.value(op.inits[j]); // a copy: the table grows
    Loc loc = walk.function.op(id).loc;
    ValueId empty = walk.function.add_value(walk.unused_name("empty"), init.type, loc);
    walk.function.ops[slot++] = Op{loc, {empty}, EmptyOp{}};
    op.inits[j] = empty;
  }
  walk.log.rewrote(proposal, walk.function);
}

} // namespace mo

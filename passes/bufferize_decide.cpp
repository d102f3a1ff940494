// The decisions, from the last op to the first, so that of two updates of one value the later is in
// place.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "passes/bufferize_accesses.h"
#include "passes/bufferize_analysis.h"
#include "passes/bufferize_remarks.h"

namespace mo {

namespace {

class Planner {
public:
  Planner(const Function& function, BufferizeMode mode, const SharingListener& listener)
      : function_(function), analysis_(analyze_buffers(function, mode)), listener_(listener),
        refusals_(analysis_.transfers.size()) {}
  BufferPlan run();

private:
  bool passes_destinations() const { return analysis_.mode == BufferizeMode::DestinationPassing; }
  void want_destinations();
  InitDecision decide(OpId op, unsigned init);
  InitDecision passed_to(const InitDecision& decision, unsigned transfer) const;
  bool pass_destination(InitDecision& decision);
  bool share_with_init(InitDecision& decision);
  void make_own_buffer(InitDecision& decision);
  TransferDecision settle(unsigned transfer);
  std::string destination_name(const Transfer& transfer) const;
  std::string name_for(ValueId v) const;
  void name_results(BufferPlan& plan);
  void count_values(BufferPlan& plan) const;
  std::vector<unsigned> read_from(const InitDecision& decision, ValueId occupant) const;
  void tell_refused(const InitDecision& decision) const {
    if (listener_.refused)
      listener_.refused(decision);
  }
  StorageId result_storage(const InitDecision& decision) const {
    return analysis_.storage(function_.op(decision.op).results[decision.init]);
  }

  const Function& function_;
  BufferAnalysis analysis_;
  const SharingListener& listener_;
  std::vector<std::optional<Refusal>> refusals_; // by transfer: why its destination is not taken
};

void Planner::want_destinations() {
  for (unsigned t = 0; t < analysis_.transfers.size(); ++t) {
    const Transfer& transfer = analysis_.transfers[t];
    if (!transfer.already_there && !transfer.undefined)
      analysis_.sharing.want(analysis_.storage(transfer.source), t);
  }
}

std::string Planner::destination_name(const Transfer& transfer) const {
  if (function_.op(transfer.op).is<ReturnOp>())
    return fmt::format("the out-parameter of result #{}", transfer.number);
  return value_name(function_, analysis_.uses, function_.op(transfer.op).as<MaterializeOp>()->dest);
}

// The decision as it would be if the result were computed where the transfer wants it.
InitDecision Planner::passed_to(const InitDecision& decision, unsigned transfer) const {
  InitDecision passed = decision;
  passed.reason = BufferReason::DestinationPassed;
  passed.conflict.reset();
  passed.transfer = transfer;
  passed.destination = destination_name(analysis_.transfers[transfer]);
  passed.wanted_by = analysis_.transfers[transfer].op;
  return passed;
}

// Tries every place where a value of the result's group is wanted. One that is refused stays
// refused: the group only grows. Requires that the group has no memory yet.
bool Planner::pass_destination(InitDecision& decision) {
  // exercise: destination-passing
  const StorageId storage = result_storage(decision);
  std::vector<uint32_t> wanted = analysis_.sharing.take_wanted(storage);
  std::sort(wanted.begin(), wanted.end());
  for (const uint32_t t : wanted) {
    const Transfer& transfer = analysis_.transfers[t];
    if (analysis_.sharing.shared(storage, transfer.target))
      continue;
    InitDecision passed = passed_to(decision, t);
    if (auto refusal = refuse_destination(analysis_, decision.op, decision.init, t)) {
      passed.reason = refusal->reason;
      passed.conflict = refusal->conflict;
      tell_refused(passed);
      refusals_[t] = std::move(refusal);
      continue;
    }
    passed.copies_old_contents = copies_into_destination(analysis_, decision.op, decision.init, t);
    if (listener_.allow && !listener_.allow(passed)) {
      refusals_[t] = Refusal{BufferReason::DestinationLeftOut, {}};
      continue;
    }
    decision = std::move(passed);
    if (decision.copies_old_contents)
      analysis_.sharing.set_defined(
          analysis_.contents(function_.op(decision.op).results[decision.init]),
          time_before(decision.op));
    analysis_.sharing.unite(storage, transfer.target);
    return true;
  }
  return false;
  // end of exercise
}

// Inputs that live in the group of `occupant` or of the result, which are about to be one.
std::vector<unsigned> Planner::read_from(const InitDecision& decision, ValueId occupant) const {
  std::vector<unsigned> operands;
  const auto* generic = function_.op(decision.op).as<GenericOp>();
  for (unsigned k = 0; generic && k < generic->inputs.size(); ++k)
    if (const StorageId storage = analysis_.storage(generic->inputs[k]);
        storage.valid() && (analysis_.sharing.shared(storage, analysis_.storage(occupant)) ||
                            analysis_.sharing.shared(storage, result_storage(decision))))
      operands.push_back(k);
  return operands;
}

// Leaves the reason in the decision where it may not be.
bool Planner::share_with_init(InitDecision& decision) {
  if (auto refusal = refuse_in_place(analysis_, decision.op, decision.init)) {
    decision.reason = refusal->reason;
    decision.conflict = std::move(refusal->conflict);
    tell_refused(decision);
    return false;
  }
  decision.reason = BufferReason::InPlace;
  decision.read_from_it = read_from(decision, init_of(function_.op(decision.op), decision.init));
  if (listener_.allow && !listener_.allow(decision)) {
    decision.reason = BufferReason::LeftOut;
    return false;
  }
  const ValueId init = init_of(function_.op(decision.op), decision.init);
  analysis_.sharing.unite(result_storage(decision), analysis_.storage(init));
  return true;
}

void Planner::make_own_buffer(InitDecision& decision) {
  const ValueId result = function_.op(decision.op).results[decision.init];
  const Type& type = function_.type(result);
  decision.copies_old_contents = needs_old_contents(analysis_, decision.op, decision.init);
  if (decision.copies_old_contents)
    analysis_.sharing.set_defined(analysis_.contents(result), time_before(decision.op));
  analysis_.add_buffer(analysis_.storage(result),
                       {PlannedBuffer::Kind::Temp, memref_type(type.shape, type.element),
                        name_for(result), result, decision.op, 0, 0});
}

// Where the old contents are needed they are best updated where they are; where they are not, the
// destination comes first.
InitDecision Planner::decide(OpId op, unsigned init) {
  InitDecision decision;
  decision.op = op;
  decision.init = init;
  const bool reads = needs_old_contents(analysis_, op, init);
  if (passes_destinations() && !reads && pass_destination(decision))
    return decision;
  if (share_with_init(decision))
    return decision;
  if (passes_destinations() && reads && pass_destination(decision))
    return decision;
  make_own_buffer(decision);
  return decision;
}

TransferDecision Planner::settle(unsigned t) {
  const Transfer& transfer = analysis_.transfers[t];
  const StorageId source = analysis_.storage(transfer.source);
  TransferDecision decision;
  decision.op = transfer.op;
  decision.number = transfer.number;
  decision.source = transfer.source;
  decision.target = BufferId{*analysis_.sharing.buffer(transfer.target)};
  if (transfer.undefined) {
    decision.reason = BufferReason::UndefinedContents;
  } else if (transfer.already_there || analysis_.sharing.shared(source, transfer.target)) {
    decision.reason = BufferReason::AlreadyThere;
  } else {
    decision.reason = function_.op(transfer.op).is<ReturnOp>() ? BufferReason::CopiedToResult
                                                               : BufferReason::CopiedToDestination;
    if (passes_destinations())
      decision.refusal =
          refusals_[t] ? refusals_[t] : Refusal{BufferReason::LivesElsewhere, std::nullopt};
  }
  return decision;
}

// The name of the value, made unique among the results of one op. A number alone cannot be
// extended.
std::string Planner::name_for(ValueId v) const {
  const Value& value = function_.value(v);
  const Definition& definition = analysis_.uses.def(v);
  if (definition.kind != Definition::Kind::Result ||
      function_.op(definition.op).results.size() == 1)
    return value.name;
  const bool is_number = std::isdigit(static_cast<unsigned char>(value.name[0])) != 0;
  return fmt::format("{}{}_{}", is_number ? "r" : "", value.name, definition.number);
}

// An out-parameter takes the name of the value that is computed in it; else that of the value
// copied to it, extended.
void Planner::name_results(BufferPlan& plan) {
  std::set<std::string> taken;
  for (const PlannedBuffer& buffer : plan.buffers)
    if (buffer.kind == PlannedBuffer::Kind::Given || buffer.kind == PlannedBuffer::Kind::Constant)
      taken.insert(buffer.name);
  for (const Argument& argument : function_.args)
    taken.insert(function_.value(argument.value).name);
  for (const TransferDecision& transfer : plan.transfers) {
    PlannedBuffer& buffer = plan.buffers[transfer.target.index];
    if (buffer.kind != PlannedBuffer::Kind::Result || !function_.op(transfer.op).is<ReturnOp>())
      continue;
    std::string name = name_for(transfer.source);
    if (std::isdigit(static_cast<unsigned char>(name[0])))
      name = "r" + name;
    if (transfer.copies() || transfer.reason == BufferReason::UndefinedContents)
      name += "_out";
    buffer.name = name;
    for (unsigned k = 0; !taken.insert(buffer.name).second; ++k)
      buffer.name = fmt::format("{}_{}", name, k);
  }
}

void Planner::count_values(BufferPlan& plan) const {
  std::vector<bool> needed(function_.values.size(), false);
  for (const Op& op : function_.ops) {
    for (unsigned j = 0; j < num_inits(op); ++j)
      needed[op.results[j].index] = true;
    if (const auto* generic = op.as<GenericOp>())
      for (ValueId v : generic->inputs)
        needed[v.index] = true;
  }
  for (const TransferDecision& transfer : plan.transfers)
    if (transfer.copies())
      needed[transfer.source.index] = true;
  for (const InitDecision& decision : plan.inits)
    if (decision.copies_old_contents)
      needed[init_of(function_.op(decision.op), decision.init).index] = true;
  for (uint32_t v = 0; v < needed.size(); ++v)
    if (needed[v] && plan.buffer_of[v].valid())
      ++plan.buffers[plan.buffer_of[v].index].values;
}

BufferPlan Planner::run() {
  if (passes_destinations())
    want_destinations();
  BufferPlan plan;
  plan.mode = analysis_.mode;
  for (uint32_t i = static_cast<uint32_t>(function_.ops.size()); i-- > 0;) {
    const OpId op{i};
    const size_t first = plan.inits.size();
    for (unsigned j = 0; j < num_inits(function_.op(op)); ++j)
      plan.inits.push_back(decide(op, j));
    std::reverse(plan.inits.begin() + static_cast<std::ptrdiff_t>(first), plan.inits.end());
  }
  std::reverse(plan.inits.begin(), plan.inits.end());
  plan.buffer_of.resize(function_.values.size());
  for (uint32_t v = 0; v < function_.values.size(); ++v)
    if (const StorageId storage = analysis_.storage(ValueId{v}); storage.valid())
      plan.buffer_of[v] = BufferId{*analysis_.sharing.buffer(storage)};
  for (InitDecision& decision : plan.inits) {
    decision.buffer = plan.buffer_of[function_.op(decision.op).results[decision.init].index];
    if (decision.reason == BufferReason::InPlace) // earlier ops have moved in meanwhile
      decision.read_from_it =
          read_from(decision, init_of(function_.op(decision.op), decision.init));
  }
  for (unsigned t = 0; t < analysis_.transfers.size(); ++t)
    plan.transfers.push_back(settle(t));
  plan.buffers = std::move(analysis_.buffers);
  plan.snapshots = std::move(analysis_.snapshots);
  name_results(plan);
  count_values(plan);
  return plan;
}

} // namespace

BufferPlan plan_bufferization(const Function& function, BufferizeMode mode,
                              const SharingListener& listener) {
  return Planner(function, mode, listener).run();
}

} // namespace mo

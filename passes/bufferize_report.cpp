// The remarks for a whole plan: what became of every value and every buffer.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "passes/bufferize_remarks.h"
#include "passes/bufferize_reporter.h"

namespace mo {

std::string BufferReporter::target_name(const PlannedBuffer& buffer,
                                        const TransferDecision& decision) const {
  const auto* materialize = function_.op(decision.op).as<MaterializeOp>();
  return materialize ? name(materialize->dest) : "%" + buffer.name;
}

Remark BufferReporter::missed_destination(const TransferDecision& decision,
                                          const BufferPlan& plan) const {
  const Refusal& refusal = *decision.refusal;
  const std::string source = name(decision.source);
  const std::string target = target_name(plan.buffers[decision.target.index], decision);
  std::string because = facts(refusal);
  if (refusal.reason == BufferReason::LivesElsewhere)
    because = fmt::format("it lives in the buffer of %{}",
                          plan.buffers[plan.buffer_of[decision.source.index].index].name);
  const Loc loc = function_.op(decision.op).loc;
  Remark remark =
      make(Remark::Kind::Missed, refusal.reason, loc,
           fmt::format("{} cannot be computed straight in {}: {}", source, target, because));
  remark.facts = {{"Value", source, function_.value(decision.source).loc},
                  {"Destination", target, loc}};
  if (refusal.conflict)
    add_conflict(remark, *refusal.conflict);
  else
    remark.notes.push_back(
        {function_.value(decision.source).loc, fmt::format("{} is here", source)});
  return remark;
}

Remark BufferReporter::transfer(const TransferDecision& decision, const BufferPlan& plan) const {
  const PlannedBuffer& buffer = plan.buffers[decision.target.index];
  const std::string target = target_name(buffer, decision);
  const std::string source = name(decision.source);
  const Loc loc = function_.op(decision.op).loc;
  const Loc from = function_.value(decision.source).loc;
  const auto said = [&](Remark::Kind kind, std::string message) {
    Remark remark = make(kind, decision.reason, loc, std::move(message));
    remark.notes.push_back({from, fmt::format("{} is here", source)});
    remark.facts = {{"Value", source, from}, {"Destination", target, loc}};
    return remark;
  };
  if (decision.reason == BufferReason::AlreadyThere)
    return said(Remark::Kind::Passed, fmt::format("{} is in {} already: no copy", source, target));
  if (decision.reason == BufferReason::UndefinedContents)
    return said(Remark::Kind::Passed,
                fmt::format("{} has no contents to copy to {}", source, target));
  const auto bytes = byte_count(buffer.type);
  Remark remark =
      said(Remark::Kind::Analysis,
           fmt::format("{} is copied to {}: {} bytes{}", source, target, bytes,
                       mode_ == BufferizeMode::Copying ? ", as --bufferize does with every result"
                                                       : ""));
  remark.facts.push_back({"Bytes", std::to_string(bytes)});
  return remark;
}

std::vector<BufferReporter::Cause> BufferReporter::causes(const BufferPlan& plan) const {
  std::vector<Cause> causes(plan.buffers.size());
  const auto of = [&](ValueId v) -> Cause& { return causes[plan.buffer_of[v.index].index]; };
  for (const SnapshotDecision& decision : plan.snapshots)
    of(function_.op(decision.op).results[0]).snapshot = &decision;
  for (const InitDecision& decision : plan.inits) {
    const ValueId result = function_.op(decision.op).results[decision.init];
    if (plan.buffers[decision.buffer.index].value == result) // it was made for this result
      of(result).init = &decision;
  }
  for (const TransferDecision& decision : plan.transfers)
    if (decision.refusal && !of(decision.source).transfer)
      of(decision.source).transfer = &decision;
  return causes;
}

Remark BufferReporter::allocated(const PlannedBuffer& buffer, const Cause& cause) const {
  std::optional<Conflict> conflict;
  std::string why = mode_ == BufferizeMode::Copying
                        ? "--bufferize computes results in memory of the function's own"
                        : "what is computed in it is not wanted in the caller's memory";
  if (cause.snapshot) {
    conflict = cause.snapshot->conflict;
    why = collision(*conflict);
  } else if (cause.init) {
    conflict = cause.init->conflict;
    why = facts(*cause.init);
  } else if (cause.transfer) {
    conflict = cause.transfer->refusal->conflict;
    why = facts(*cause.transfer->refusal);
  }
  const auto bytes = byte_count(buffer.type);
  const Loc loc = function_.op(buffer.made_for).loc;
  Remark remark =
      make(Remark::Kind::Analysis, BufferReason::Allocated, loc,
           fmt::format("{} bytes are allocated as %{}, for {} value{}, and freed after "
                       "the last use: {}",
                       bytes, buffer.name, buffer.values, buffer.values == 1 ? "" : "s", why));
  remark.facts = {{"Buffer", "%" + buffer.name, loc},
                  {"Values", std::to_string(buffer.values)},
                  {"Bytes", std::to_string(bytes)}};
  if (conflict)
    add_conflict(remark, *conflict);
  return remark;
}

std::vector<Remark> BufferReporter::all(const BufferPlan& plan) const {
  struct Placed {
    OpId op;
    Remark remark;
  };
  std::vector<Placed> placed;
  const std::vector<Cause> cause = causes(plan);
  for (const SnapshotDecision& decision : plan.snapshots)
    placed.push_back({decision.op, snapshot(decision)});
  for (const InitDecision& decision : plan.inits)
    placed.push_back({decision.op, init(decision)});
  for (size_t b = 0; b < plan.buffers.size(); ++b)
    if (const PlannedBuffer& buffer = plan.buffers[b];
        buffer.kind == PlannedBuffer::Kind::Temp && buffer.values > 0)
      placed.push_back({buffer.made_for, allocated(buffer, cause[b])});
  for (const InitDecision& decision : plan.inits)
    if (decision.copies_old_contents)
      placed.push_back({decision.op, copied_init(decision)});
  for (const TransferDecision& decision : plan.transfers) {
    if (decision.refusal)
      placed.push_back({decision.op, missed_destination(decision, plan)});
    placed.push_back({decision.op, transfer(decision, plan)});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.op < b.op; });
  std::vector<Remark> remarks;
  for (Placed& it : placed)
    remarks.push_back(std::move(it.remark));
  if (remarks.empty())
    remarks.push_back(make(Remark::Kind::Analysis, BufferReason::NothingToBufferize, function_.loc,
                           std::string(sentence(BufferReason::NothingToBufferize))));
  return remarks;
}

std::vector<Remark> buffer_remarks(const Function& before, const BufferPlan& plan) {
  const DefUse uses(before);
  return BufferReporter(before, uses, plan.mode).all(plan);
}

} // namespace mo

#include "passes/bufferize_remarks.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ir/walk.h"
#include "passes/bufferize_accesses.h"

namespace mo {

namespace {

/// Writes the remarks of one function.
class Reporter {
public:
  Reporter(const Function& function, const DefUse& uses, BufferizeMode mode)
      : function_(function), uses_(uses), mode_(mode) {}

  Remark init(const InitDecision& decision) const;
  Remark copied_init(const InitDecision& decision) const;
  Remark snapshot(const SnapshotDecision& decision) const;
  Remark missed_destination(const TransferDecision& decision, const BufferPlan& plan) const;
  Remark transfer(const TransferDecision& decision, const BufferPlan& plan) const;
  Remark allocated(const PlannedBuffer& buffer) const;

private:
  Remark make(Remark::Kind kind, BufferReason reason, Loc loc, std::string message) const {
    return {kind, pass_name(mode_), spelling(reason), function_.name, loc, std::move(message), {}};
  }
  std::string name(ValueId v) const { return value_name(function_, uses_, v); }
  std::string target_name(const PlannedBuffer& buffer, const TransferDecision& decision) const;
  std::string where(OpId op) const;
  std::string reader(const Conflict& conflict) const;
  std::string facts(const InitDecision& decision) const;
  std::string same_op_facts(const Conflict& conflict) const;
  std::string collision(const Conflict& conflict) const;
  void add_notes(Remark& remark, const Conflict& conflict) const;

  const Function& function_;
  const DefUse& uses_;
  BufferizeMode mode_;
};

std::string Reporter::where(OpId op) const {
  const Op& it = function_.op(op);
  return fmt::format("{} at {}:{}", spelling(it), it.loc.line, it.loc.col);
}

std::string Reporter::reader(const Conflict& conflict) const {
  return conflict.read.valid() ? where(conflict.read) : "the caller";
}

// "linalg.generic at 7:8 would overwrite the contents of %0, which linalg.fill at 9:8 still reads"
std::string Reporter::collision(const Conflict& conflict) const {
  if (conflict.definition == conflict.write) {
    const Op& op = function_.op(conflict.write);
    const unsigned init = conflict.write_operand - operand_of_init(op, 0);
    return fmt::format("{} computes both {} and {}, which cannot be in one buffer",
                       where(conflict.write), name(conflict.contents), name(op.results[init]));
  }
  return fmt::format("{} would overwrite the contents of {}, which {} still reads",
                     where(conflict.write), name(conflict.contents), reader(conflict));
}

std::string Reporter::same_op_facts(const Conflict& conflict) const {
  if (!function_.op(conflict.write).is<GenericOp>())
    return collision(conflict);
  const auto& generic = *function_.op(conflict.write).as<GenericOp>();
  const std::string write_map = to_string(generic.maps[conflict.write_operand]);
  const std::string read_map = to_string(generic.maps[conflict.read_operands.front()]);
  return fmt::format("the op reads {} through {} while it writes through {}{}; only with parallel "
                     "loops and identity maps is each element read before it is overwritten",
                     name(conflict.contents), read_map, write_map,
                     all_parallel(generic) ? "" : " in a reduction loop");
}

std::string Reporter::facts(const InitDecision& decision) const {
  const ValueId init = init_of(function_.op(decision.op), decision.init);
  switch (decision.reason) {
  case BufferReason::ReadAfterWrite: return collision(*decision.conflict);
  case BufferReason::NotElementwise: return same_op_facts(*decision.conflict);
  case BufferReason::InitShared:
    return fmt::format("{} is the init of {} as well, which is computed in that buffer", name(init),
                       name(decision.conflict->contents));
  case BufferReason::ConstantNotWritable:
    return fmt::format("{} is a constant, which must not be written", name(init));
  case BufferReason::ArgumentNotWritable:
    return fmt::format("{} is an argument with bufferization.writable = false", name(init));
  case BufferReason::MemrefNotWritable:
    return fmt::format("{} is a to_tensor without `restrict writable`", name(init));
  default: return std::string(sentence(decision.reason));
  }
}

void Reporter::add_notes(Remark& remark, const Conflict& conflict) const {
  if (conflict.definition.valid())
    remark.notes.push_back({function_.op(conflict.definition).loc,
                            fmt::format("{} gets these contents here", name(conflict.contents))});
  if (conflict.write != conflict.definition)
    remark.notes.push_back({function_.op(conflict.write).loc, "they would be overwritten here"});
  if (conflict.read.valid() && conflict.read != conflict.write)
    remark.notes.push_back({function_.op(conflict.read).loc, "they are read here"});
}

Remark Reporter::init(const InitDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const ValueId init = init_of(op, decision.init);
  const std::string result = name(op.results[decision.init]);
  if (decision.reason == BufferReason::InPlace) {
    Remark remark = make(
        Remark::Kind::Passed, decision.reason, op.loc,
        fmt::format("{} is computed in place, in the buffer of {}: nobody reads the old contents "
                    "later",
                    result, name(init)));
    remark.notes.push_back({function_.value(init).loc, fmt::format("{} is here", name(init))});
    return remark;
  }
  if (decision.reason == BufferReason::DestinationPassed)
    return make(Remark::Kind::Passed, decision.reason, op.loc,
                fmt::format("{} is computed straight in {}, where it is wanted: nobody reads or "
                            "writes that memory in between",
                            result, decision.destination));
  Remark remark = make(Remark::Kind::Missed, decision.reason, op.loc,
                       fmt::format("{} needs a buffer other than that of {}: {}", result,
                                   name(init), facts(decision)));
  if (decision.conflict)
    add_notes(remark, *decision.conflict);
  return remark;
}

Remark Reporter::copied_init(const InitDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const ValueId init = init_of(op, decision.init);
  const auto* generic = op.as<GenericOp>();
  const bool read = generic && body_reads_init(*generic, decision.init);
  return make(Remark::Kind::Analysis, BufferReason::CopiedInit, op.loc,
              fmt::format("the contents of {} are copied to the buffer of {} first: {}", name(init),
                          name(op.results[decision.init]),
                          read ? "the body reads them" : "the op leaves some of them as they are"));
}

Remark Reporter::snapshot(const SnapshotDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const ValueId memref = op.as<ToTensorOp>()->memref;
  Remark remark = make(Remark::Kind::Analysis, BufferReason::Snapshot, op.loc,
                       fmt::format("{} is copied out of {} here: {}", name(op.results[0]),
                                   name(memref), collision(decision.conflict)));
  add_notes(remark, decision.conflict);
  return remark;
}

std::string Reporter::target_name(const PlannedBuffer& buffer,
                                  const TransferDecision& decision) const {
  const auto* materialize = function_.op(decision.op).as<MaterializeOp>();
  return materialize ? name(materialize->dest) : "%" + buffer.name;
}

Remark Reporter::missed_destination(const TransferDecision& decision,
                                    const BufferPlan& plan) const {
  const Refusal& refusal = *decision.refusal;
  const std::string target = target_name(plan.buffers[decision.target.index], decision);
  std::string facts(sentence(refusal.reason));
  if (refusal.reason == BufferReason::LivesElsewhere)
    facts = fmt::format("it lives in the buffer of %{}",
                        plan.buffers[plan.buffer_of[decision.source.index].index].name);
  else if (refusal.conflict && refusal.conflict->read == refusal.conflict->write &&
           !refusal.conflict->read_operands.empty())
    facts += ": " + same_op_facts(*refusal.conflict);
  else if (refusal.conflict)
    facts += ": " + collision(*refusal.conflict);
  Remark remark = make(Remark::Kind::Missed, refusal.reason, function_.op(decision.op).loc,
                       fmt::format("{} cannot be computed straight in {}: {}",
                                   name(decision.source), target, facts));
  if (refusal.conflict)
    add_notes(remark, *refusal.conflict);
  return remark;
}

Remark Reporter::transfer(const TransferDecision& decision, const BufferPlan& plan) const {
  const PlannedBuffer& buffer = plan.buffers[decision.target.index];
  const std::string target = target_name(buffer, decision);
  const std::string source = name(decision.source);
  const Loc loc = function_.op(decision.op).loc;
  switch (decision.reason) {
  case BufferReason::AlreadyThere:
    return make(Remark::Kind::Passed, decision.reason, loc,
                fmt::format("{} is in {} already: no copy", source, target));
  case BufferReason::UndefinedContents:
    return make(Remark::Kind::Passed, decision.reason, loc,
                fmt::format("{} has no contents to copy to {}", source, target));
  default:
    return make(
        Remark::Kind::Analysis, decision.reason, loc,
        fmt::format("{} is copied to {}: {} bytes", source, target, byte_count(buffer.type)));
  }
}

Remark Reporter::allocated(const PlannedBuffer& buffer) const {
  return make(Remark::Kind::Analysis, BufferReason::Allocated, function_.op(buffer.made_for).loc,
              fmt::format("{} bytes are allocated as %{}, for {} value{}, and freed after the last "
                          "use",
                          byte_count(buffer.type), buffer.name, buffer.values,
                          buffer.values == 1 ? "" : "s"));
}

} // namespace

std::string_view pass_name(BufferizeMode mode) {
  return mode == BufferizeMode::Copying ? "bufferize" : "elim";
}

std::string value_name(const Function& function, const DefUse& uses, ValueId v) {
  const Definition& definition = uses.def(v);
  const bool one_of_several =
      definition.kind == Definition::Kind::Result && function.op(definition.op).results.size() > 1;
  return one_of_several ? fmt::format("%{}#{}", function.value(v).name, definition.number)
                        : "%" + function.value(v).name;
}

std::string describe_rewrite(const Function& function, const DefUse& uses,
                             const InitDecision& decision) {
  const Op& op = function.op(decision.op);
  const std::string result = value_name(function, uses, op.results[decision.init]);
  if (decision.reason == BufferReason::DestinationPassed)
    return fmt::format("compute {} in {}", result, decision.destination);
  return fmt::format("compute {} in the buffer of {}", result,
                     value_name(function, uses, init_of(op, decision.init)));
}

Remark init_remark(const Function& function, const DefUse& uses, BufferizeMode mode,
                   const InitDecision& decision) {
  return Reporter(function, uses, mode).init(decision);
}

std::vector<Remark> buffer_remarks(const Function& before, const BufferPlan& plan) {
  const DefUse uses(before);
  const Reporter report(before, uses, plan.mode);
  struct Placed {
    OpId op;
    Remark remark;
  };
  std::vector<Placed> placed;
  for (const SnapshotDecision& decision : plan.snapshots)
    placed.push_back({decision.op, report.snapshot(decision)});
  for (const InitDecision& decision : plan.inits)
    placed.push_back({decision.op, report.init(decision)});
  for (const PlannedBuffer& buffer : plan.buffers)
    if (buffer.kind == PlannedBuffer::Kind::Temp && buffer.values > 0)
      placed.push_back({buffer.made_for, report.allocated(buffer)});
  for (const InitDecision& decision : plan.inits)
    if (decision.copies_old_contents)
      placed.push_back({decision.op, report.copied_init(decision)});
  for (const TransferDecision& decision : plan.transfers) {
    if (decision.refusal)
      placed.push_back({decision.op, report.missed_destination(decision, plan)});
    placed.push_back({decision.op, report.transfer(decision, plan)});
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const Placed& a, const Placed& b) { return a.op < b.op; });
  std::vector<Remark> remarks;
  for (Placed& it : placed)
    remarks.push_back(std::move(it.remark));
  return remarks;
}

} // namespace mo

#include "passes/bufferize_remarks.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ir/walk.h"
#include "passes/bufferize_accesses.h"
#include "passes/bufferize_reporter.h"

namespace mo {

Remark BufferReporter::make(Remark::Kind kind, BufferReason reason, Loc loc,
                            std::string message) const {
  return {kind, pass_name(mode_), spelling(reason), function_.name, loc, std::move(message), {}};
}

std::string BufferReporter::name(ValueId v) const {
  return value_name(function_, uses_, v);
}

std::string BufferReporter::where(OpId op) const {
  const Op& it = function_.op(op);
  return fmt::format("{} at {}:{}", spelling(it), it.loc.line, it.loc.col);
}

std::string BufferReporter::reader(const Conflict& conflict) const {
  return conflict.read.valid() ? where(conflict.read) : "the caller";
}

// "linalg.generic at 7:8 would overwrite the contents of %0, which linalg.fill at 9:8 still reads"
std::string BufferReporter::collision(const Conflict& conflict) const {
  if (conflict.definition == conflict.write) {
    const Op& op = function_.op(conflict.write);
    const unsigned init = conflict.write_operand - operand_of_init(op, 0);
    return fmt::format("{} computes both {} and {}, which cannot be in one buffer",
                       where(conflict.write), name(conflict.contents), name(op.results[init]));
  }
  return fmt::format("{} would overwrite the contents of {}, which {} still reads",
                     where(conflict.write), name(conflict.contents), reader(conflict));
}

std::string BufferReporter::same_op_facts(const Conflict& conflict) const {
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

std::string BufferReporter::facts(const InitDecision& decision) const {
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

// What the refusal of a destination says.
std::string BufferReporter::facts(const Refusal& refusal) const {
  std::string text(sentence(refusal.reason));
  if (!refusal.conflict)
    return text;
  const bool by_one_op =
      refusal.conflict->read == refusal.conflict->write && !refusal.conflict->read_operands.empty();
  return text + ": " +
         (by_one_op ? same_op_facts(*refusal.conflict) : collision(*refusal.conflict));
}

// The three parties as notes and as facts; and both maps where one op reads what it overwrites.
void BufferReporter::add_conflict(Remark& remark, const Conflict& conflict) const {
  const auto loc = [&](OpId op) { return op.valid() ? function_.op(op).loc : Loc{}; };
  remark.facts.push_back({"Contents", name(conflict.contents)});
  remark.facts.push_back({"Definition",
                          conflict.definition.valid() ? where(conflict.definition) : "the caller",
                          loc(conflict.definition)});
  remark.facts.push_back({"Write", where(conflict.write), loc(conflict.write)});
  remark.facts.push_back({"Read", reader(conflict), loc(conflict.read)});
  const auto* generic = function_.op(conflict.write).as<GenericOp>();
  if (generic && conflict.read == conflict.write && !conflict.read_operands.empty()) {
    remark.facts.push_back({"WriteMap", to_string(generic->maps[conflict.write_operand])});
    remark.facts.push_back({"ReadMap", to_string(generic->maps[conflict.read_operands.front()])});
  }
  if (conflict.definition.valid())
    remark.notes.push_back({loc(conflict.definition),
                            fmt::format("{} gets these contents here", name(conflict.contents))});
  if (conflict.write != conflict.definition)
    remark.notes.push_back({loc(conflict.write), "they would be overwritten here"});
  if (conflict.read.valid() && conflict.read != conflict.write)
    remark.notes.push_back({loc(conflict.read), "they are read here"});
}

Remark BufferReporter::in_place(const InitDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const ValueId init = init_of(op, decision.init);
  const std::string result = name(op.results[decision.init]);
  Remark remark = make(
      Remark::Kind::Passed, decision.reason, op.loc,
      fmt::format("{} is computed in place, in the buffer of {}: nobody reads the old contents "
                  "later",
                  result, name(init)));
  remark.notes.push_back({function_.value(init).loc, fmt::format("{} is here", name(init))});
  remark.facts = {{"Value", result, op.loc}, {"Init", name(init), function_.value(init).loc}};
  remark.grounds = {
      fmt::format("the memory of {} may be written", name(init)),
      fmt::format("nobody reads what is in it after {} is written: not an op, not the "
                  "caller",
                  result)};
  for (const unsigned k : decision.read_from_it) {
    const auto& generic = *op.as<GenericOp>();
    const std::string read = to_string(generic.maps[k]);
    const std::string write = to_string(generic.maps[operand_of_init(op, decision.init)]);
    remark.facts.push_back({"WriteMap", write});
    remark.facts.push_back({"ReadMap", read});
    remark.grounds.push_back(
        fmt::format("the op reads {} from that very memory, through {}, and writes through {}, in "
                    "parallel loops: each element is read before it is overwritten",
                    name(generic.inputs[k]), read, write));
  }
  return remark;
}

Remark BufferReporter::destination_passed(const InitDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const std::string result = name(op.results[decision.init]);
  const std::string& destination = decision.destination;
  Remark remark =
      make(Remark::Kind::Passed, decision.reason, op.loc,
           fmt::format("{} is computed straight in {}, where it is wanted: nobody reads "
                       "or writes that memory in between",
                       result, destination));
  const Loc wanted = function_.op(decision.wanted_by).loc;
  remark.notes.push_back({wanted, "it is wanted here"});
  remark.facts = {{"Value", result, op.loc}, {"Destination", destination, wanted}};
  remark.grounds = {
      fmt::format("nobody else sees {} under another name", destination),
      fmt::format("what is in it before {} is computed is not read any more", result),
      fmt::format("nothing else is written there until {} has been read for the last time",
                  result)};
  return remark;
}

Remark BufferReporter::refused_destination(const InitDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const std::string result = name(op.results[decision.init]);
  const Loc wanted = function_.op(decision.wanted_by).loc;
  Remark remark =
      make(Remark::Kind::Missed, decision.reason, op.loc,
           fmt::format("{} cannot be computed straight in {}: {}", result, decision.destination,
                       facts(Refusal{decision.reason, decision.conflict})));
  remark.facts = {{"Value", result, op.loc}, {"Destination", decision.destination, wanted}};
  remark.notes.push_back({wanted, "it is wanted here"});
  if (decision.conflict)
    add_conflict(remark, *decision.conflict);
  return remark;
}

Remark BufferReporter::init(const InitDecision& decision) const {
  if (decision.reason == BufferReason::InPlace)
    return in_place(decision);
  if (decision.reason == BufferReason::DestinationPassed)
    return destination_passed(decision);
  if (decision.transfer)
    return refused_destination(decision);
  const Op& op = function_.op(decision.op);
  const ValueId init = init_of(op, decision.init);
  const std::string result = name(op.results[decision.init]);
  Remark remark = make(Remark::Kind::Missed, decision.reason, op.loc,
                       fmt::format("{} needs a buffer other than that of {}: {}", result,
                                   name(init), facts(decision)));
  remark.facts = {{"Value", result, op.loc}, {"Init", name(init), function_.value(init).loc}};
  if (decision.conflict)
    add_conflict(remark, *decision.conflict);
  else
    remark.notes.push_back({function_.value(init).loc, fmt::format("{} is here", name(init))});
  return remark;
}

Remark BufferReporter::copied_init(const InitDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const ValueId init = init_of(op, decision.init);
  const auto* generic = op.as<GenericOp>();
  const bool read = generic && body_reads_init(*generic, decision.init);
  const std::string result = name(op.results[decision.init]);
  Remark remark = make(
      Remark::Kind::Analysis, BufferReason::CopiedInit, op.loc,
      fmt::format("the contents of {} are copied to the buffer of {} first: {}", name(init), result,
                  read ? "the body reads them" : "the op leaves some of them as they are"));
  remark.facts = {{"Value", result, op.loc},
                  {"Init", name(init), function_.value(init).loc},
                  {"Bytes", std::to_string(byte_count(function_.type(init)))}};
  if (decision.conflict)
    add_conflict(remark, *decision.conflict);
  return remark;
}

Remark BufferReporter::snapshot(const SnapshotDecision& decision) const {
  const Op& op = function_.op(decision.op);
  const ValueId memref = op.as<ToTensorOp>()->memref;
  Remark remark = make(Remark::Kind::Analysis, BufferReason::Snapshot, op.loc,
                       fmt::format("{} is copied out of {} here: {}", name(op.results[0]),
                                   name(memref), collision(decision.conflict)));
  remark.facts = {{"Value", name(op.results[0]), op.loc},
                  {"Bytes", std::to_string(byte_count(function_.type(memref)))}};
  add_conflict(remark, decision.conflict);
  return remark;
}

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
  return BufferReporter(function, uses, mode).init(decision);
}

} // namespace mo

// Inside bufferization: the writer of its remarks.
#pragma once

#include <string>
#include <vector>

#include "ir/walk.h"
#include "passes/bufferize.h"

namespace mo {

/// Writes the remarks of one function, as it is before bufferization.
class BufferReporter {
public:
  BufferReporter(const Function& function, const DefUse& uses, BufferizeMode mode)
      : function_(function), uses_(uses), mode_(mode) {}

  // One decision each: bufferize_remarks.cpp.
  Remark init(const InitDecision& decision) const;
  Remark copied_init(const InitDecision& decision) const;
  Remark snapshot(const SnapshotDecision& decision) const;

  // What became of a whole plan: bufferize_report.cpp.
  std::vector<Remark> all(const BufferPlan& plan) const;

private:
  /// The decision that kept the values of a buffer out of other memory; the first that is there.
  struct Cause {
    const SnapshotDecision* snapshot = nullptr;
    const InitDecision* init = nullptr;
    const TransferDecision* transfer = nullptr; // with a refusal
  };
  std::vector<Cause> causes(const BufferPlan& plan) const; // by BufferId::index

  Remark make(Remark::Kind kind, BufferReason reason, Loc loc, std::string message) const;
  std::string name(ValueId v) const;
  std::string where(OpId op) const; // "linalg.generic at 7:8"
  std::string reader(const Conflict& conflict) const;
  std::string same_op_facts(const Conflict& conflict) const;
  std::string collision(const Conflict& conflict) const;
  std::string facts(const InitDecision& decision) const; // why not in the init's buffer
  std::string facts(const Refusal& refusal) const;       // why not in the destination
  void add_conflict(Remark& remark, const Conflict& conflict) const;

  Remark in_place(const InitDecision& decision) const;
  Remark destination_passed(const InitDecision& decision) const;
  Remark refused_destination(const InitDecision& decision) const;

  std::string target_name(const PlannedBuffer& buffer, const TransferDecision& decision) const;
  Remark missed_destination(const TransferDecision& decision, const BufferPlan& plan) const;
  Remark transfer(const TransferDecision& decision, const BufferPlan& plan) const;
  Remark allocated(const PlannedBuffer& buffer, const Cause& cause) const;

  const Function& function_;
  const DefUse& uses_;
  BufferizeMode mode_;
};

} // namespace mo

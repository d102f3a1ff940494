// The facts that bufferization decides on, and the questions it asks of them.
#pragma once

#include <optional>
#include <vector>

#include "ir/function.h"
#include "ir/walk.h"
#include "passes/bufferize.h"
#include "passes/bufferize_sharing.h"

namespace mo {

/// A value that is wanted at a certain place: a materialize's dest, or the out-parameter of a
/// returned value.
struct Transfer {
  OpId op;
  unsigned number = 0; // of a return: which value
  ValueId source;
  StorageId target;
  ContentsId written;         // what the transfer leaves there; invalid where it has nothing to do
  bool restricted = true;     // nobody else sees the destination under another name
  bool already_there = false; // the destination holds just these contents before
  bool undefined = false;     // the source has no contents to copy
};

/// Which contents each value stands for, where it might live, and when it is read. Groups of values
/// that share a buffer grow as decisions are taken, from the last op to the first.
struct BufferAnalysis {
  const Function& function;
  BufferizeMode mode;
  DefUse uses;
  BufferSharing sharing;
  std::vector<StorageId> storage_of;   // by ValueId::index; invalid for scalars
  std::vector<ContentsId> contents_of; // by ValueId::index; invalid where undefined: a tensor.empty
  std::vector<Transfer> transfers;     // in program order
  std::vector<SnapshotDecision> snapshots;
  std::vector<PlannedBuffer>
      buffers; // those that are there before anything is decided, and later ones

  StorageId storage(ValueId v) const { return storage_of[v.index]; }
  ContentsId contents(ValueId v) const { return contents_of[v.index]; }
  BufferId add_buffer(StorageId storage, PlannedBuffer buffer);
};

/// Requires verified tensor-level IR; the analysis keeps a reference to it.
BufferAnalysis analyze_buffers(const Function& function, BufferizeMode mode);

/// Must result `init` of the op keep something that its init holds?
bool needs_old_contents(const BufferAnalysis& analysis, OpId op, unsigned init);

/// Why the op may not write through the init's buffer; nothing where it may. Requires that the
/// later ops have been decided, and the earlier inits of this op.
std::optional<Refusal> refuse_in_place(const BufferAnalysis& analysis, OpId op, unsigned init);

/// Why result `init`, with the values that share its buffer, may not be computed where the transfer
/// wants one of them. Requires the same. (Not const: tries it out, and leaves all as it was.)
std::optional<Refusal> refuse_destination(BufferAnalysis& analysis, OpId op, unsigned init,
                                          unsigned transfer);

/// Has the destination to be given the init's contents first? Not if they are there.
bool copies_into_destination(const BufferAnalysis& analysis, OpId op, unsigned init,
                             unsigned transfer);

/// The facts about two contents that collide.
Conflict conflict_of(const BufferAnalysis& analysis, Overlap overlap);

} // namespace mo

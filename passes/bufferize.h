// Tensors become buffers: decide which value lives in which buffer, then rewrite.
//
// A tensor is a value, a buffer is memory that several values may share, one after the other. The
// question is always the same: may this write go to that buffer? It may not where the buffer's old
// contents are still to be read (a conflict: a read R of a definition D, and a write W between
// them). The rules are those of MLIR's one-shot bufferization: ops are decided from the last to the
// first; a result shares its init's buffer unless that makes a conflict or the buffer is not
// writable; otherwise it gets a buffer of its own, and a copy of the old contents only where they
// are read.
//
// Beyond MLIR: materialize_in_destination into a memref and the values returned are *writes* to the
// memory that to_tensor values of that memref stand for, and are modelled as writes. After the call
// a memref argument holds what was last materialized in it, or what it held: `writable` lets an op
// update it in place on the way there. And elements that an op leaves alone keep the init's
// contents, so they count as read.
//
// A tensor argument becomes a memref of the same name, and one that is updated in place (arguments
// are writable unless they say {bufferization.writable = false}) changes in the caller's array.
// Results become trailing {bufferize.result} arguments, which must not overlap others; a returned
// scalar becomes a memref of one element. Memrefs are never returned: the verifier refuses it.
//
// Read bufferize_sharing.h (when may values share a buffer) first, then bufferize_analysis.h (what
// an op reads and writes), bufferize_decide.cpp, bufferize_rewrite.cpp, bufferize_lifetime.h.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "passes/observer.h"

namespace mo {

enum class BufferizeMode : uint8_t {
  Copying, // --bufferize: each result in a buffer of its own, copied to where it is wanted
  DestinationPassing, // --elim: results are computed where they are wanted
};

/// Every way a decision can come out, with its stable id and a sentence that says what it means.
enum class BufferReason : uint8_t {
#define REASON(Name, Id, Sentence) Name,
#include "passes/bufferize_reasons.def"
};
std::string_view spelling(BufferReason reason); // "read-after-write"
std::string_view sentence(BufferReason reason);
unsigned num_buffer_reasons();

/// Two values that cannot share a buffer: `write` destroys the contents that `definition` made
/// before `read` has read them.
struct Conflict {
  ValueId contents; // whose contents are lost: a tensor, or a memref as materialize left it
  OpId definition;  // invalid: they came with the call
  OpId read;        // invalid: the caller reads them after the call
  std::vector<unsigned> read_operands; // those operands of `read` that read them; none where two
                                       // inits of one op (definition and write) collide unread
  OpId write;
  unsigned write_operand = 0; // the init of `write`; for a return, which value
};

/// A no, with the reason and, where two values collide, the facts.
struct Refusal {
  BufferReason reason = BufferReason::ReadAfterWrite;
  std::optional<Conflict> conflict;
};

/// Index into BufferPlan::buffers.
struct BufferId {
  uint32_t index = UINT32_MAX;
  bool valid() const { return index != UINT32_MAX; }
  auto operator<=>(const BufferId&) const = default;
};

/// One piece of memory at buffer level.
struct PlannedBuffer {
  enum class Kind : uint8_t {
    Given,    // an argument, or a memref that the function has already
    Constant, // read-only: the DenseOp that defines `value` makes it
    Result,   // a new trailing argument
    Temp,     // allocated before its first use, freed after its last
  } kind = Kind::Temp;
  Type type;           // the memref
  std::string name;    // without the %
  ValueId value;       // Given, Constant: the value; Temp: the tensor it was made for
  OpId made_for;       // Temp: the op that defines `value`
  unsigned result = 0; // Result: which returned value
  unsigned values = 0; // how many are computed in it, read or copied from it; 0: not needed
};

/// Where result number `init` of a generic, fill or tensor materialize is computed.
struct InitDecision {
  OpId op;
  unsigned init = 0;
  BufferReason reason = BufferReason::InPlace; // InPlace, DestinationPassed, or why neither
  std::optional<Conflict> conflict;
  // DestinationPassed: index into BufferPlan::transfers, and the memory as people call it ("%out").
  std::optional<unsigned> transfer;
  std::string destination;
  OpId wanted_by; // DestinationPassed: the materialize or the return of that transfer
  /// InPlace: inputs that the op reads from the very buffer that it writes, as far as is known.
  std::vector<unsigned> read_from_it;
  bool copies_old_contents = false; // from the init's buffer, right before the op
  BufferId buffer;                  // the result's
};

/// How a value gets to where it is wanted: a materialize, or one value of a return.
struct TransferDecision {
  OpId op;
  unsigned number = 0; // of a return: which value
  ValueId source;
  BufferReason reason = BufferReason::AlreadyThere; // that, UndefinedContents, or CopiedTo...
  /// DestinationPassing and a copy all the same: why.
  std::optional<Refusal> refusal;
  BufferId target;
  bool copies() const {
    return reason == BufferReason::CopiedToDestination || reason == BufferReason::CopiedToResult;
  }
};

/// A to_tensor whose value is read after its memref is overwritten.
struct SnapshotDecision {
  OpId op;
  Conflict conflict;
};

/// Which value lives in which buffer, and why. Pure facts: nothing is rewritten yet.
struct BufferPlan {
  BufferizeMode mode = BufferizeMode::Copying;
  std::vector<PlannedBuffer> buffers;
  std::vector<BufferId> buffer_of;         // by ValueId::index; invalid for scalars
  std::vector<SnapshotDecision> snapshots; // in program order, as the next two
  std::vector<InitDecision> inits;
  std::vector<TransferDecision> transfers;
};

/// Whom planning asks and tells about sharings of memory, one after the other; `buffer` is not
/// known yet. Both may be empty.
struct SharingListener {
  /// Asked before one is taken (reason InPlace or DestinationPassed); false leaves it out.
  std::function<bool(const InitDecision&)> allow;
  /// One is refused: the reason and the conflict; `transfer` and `destination` where it is one of a
  /// destination.
  std::function<void(const InitDecision&)> refused;
};

/// Requires verified tensor-level IR. Time n log n in the text of the function for programs whose
/// values reach a bounded number of destinations, at most n sqrt(n) otherwise.
BufferPlan plan_bufferization(const Function& function, BufferizeMode mode,
                              const SharingListener& listener = {});

/// Cannot fail. Returns, for every op that was, where it is now (invalid if it is gone).
std::vector<OpId> apply_bufferization(Function& function, const BufferPlan& plan);

/// The remarks for a plan, in program order: every buffer reused, allocated or copied.
std::vector<Remark> buffer_remarks(const Function& before, const BufferPlan& plan);

/// Requires tensor-level IR; leaves buffer-level IR. Results become trailing {bufferize.result}
/// arguments, a scalar's a memref of one element. A function on buffers is left as it is.
///
/// The rewrites that the observer is asked about are the sharings, last op first. An observer that
/// looks at functions sees each as a step of its own: before it, the function bufferized with the
/// sharings taken so far and all others left out; after it, with this one too. So an alloc or a
/// copy goes with each, or a later one can go; the last one leaves what the pass leaves. Making a
/// view takes as long as the pass itself.
void bufferize(Function& function, BufferizeMode mode, Observer& observer);

} // namespace mo

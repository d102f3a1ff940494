// Inside canonicalize: the rules, and what they share.
//
// Two kinds of walk alternate until neither finds anything. The forward walk knows what an op reads
// (fills, constants, equal inputs, copies) and changes only the op at hand and ops behind it. The
// backward walk knows who uses an op, and drops what nobody needs. A rule looks at one op, says
// what it would do, and does it if the observer agrees.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/walk.h"
#include "passes/canonicalize.h"
#include "passes/rewrite_log.h"
#include "passes/uses.h"

namespace mo {

/// What both walks hold.
struct Cleaner {
  Function& function;
  RewriteLog& log;

  GenericOp& generic(OpId op) { return *function.op(op).as<GenericOp>(); }
  Proposal propose(CleanupReason reason, OpId op, std::string message, std::string what,
                   ValueId detail = {}) const;
};

/// The state of a forward walk. `def_use` is of the function as the walk found it; so it is right
/// about the operands of ops that the walk has not come to, and about definitions.
struct ForwardWalk : Cleaner {
  ForwardWalk(Function& f, RewriteLog& l);

  /// The op that defines v, if it is one of the function as the walk found it.
  const Op* def(ValueId v) const;
  /// Every use of `from`, all of them by ops ahead, becomes one of `to`.
  void replace_uses(ValueId from, ValueId to);
  /// A scalar constant of the function, made at its top unless an equal one was there before.
  ValueId constant(ElementType type, uint64_t bits, const std::string& name, Loc loc);
  /// `base`, or `base_0`, ...: a name that no value at the function level has, so that those keep
  /// theirs.
  std::string unused_name(const std::string& base);
  /// The one element that a constant tensor repeats, if it does.
  std::optional<uint64_t> splat_bits(OpId dense);

  std::vector<uint32_t> empty_slots; // by OpId: the first of the ErasedOps kept free for its inits
  DefUse def_use;
  uint32_t next_constant_slot = 0; // ErasedOps at the top, kept free for constants
  std::map<std::pair<ElementType, uint64_t>, ValueId> constants; // those defined behind the walk
  std::map<uint32_t, std::optional<uint64_t>> splats;            // splat_bits by OpId
  std::unordered_set<std::string> names; // of the function level; empty until asked
  unsigned next_suffix = 0;
};

// One clean-up each, on the generic `op`; see CleanupReason.
void inline_fills(ForwardWalk& walk, OpId op);
void inline_splats(ForwardWalk& walk, OpId op);
void hoist_constants(ForwardWalk& walk, OpId op);
void merge_duplicate_inputs(ForwardWalk& walk, OpId op);
void merge_duplicate_results(ForwardWalk& walk, OpId op);
void erase_identity_copy(ForwardWalk& walk, OpId op);
void forget_unread_inits(ForwardWalk& walk, OpId op);

struct BackwardWalk : Cleaner {
  BackwardWalk(Function& f, RewriteLog& l) : Cleaner{f, l}, uses(f) {}
  Uses uses;
};

void erase_dead_op(BackwardWalk& walk, OpId op); // any op
void drop_dead_scalars(BackwardWalk& walk, OpId op);
void drop_dead_inputs(BackwardWalk& walk, OpId op);
void drop_dead_results(BackwardWalk& walk, OpId op);

// Decisions that remarks ask for too.

/// Is every element of init j written, whatever it was before? Its index is made of different plain
/// loops, which run over all of it, and each other loop runs at least once.
bool writes_all_elements(const Function& function, const GenericOp& op, unsigned init);
/// By position in body.args: does an instruction or a yield name it?
std::vector<bool> args_read(const GenericOp& op);
/// By position: the results that nobody uses and whose inits nothing that is used reads. Those in
/// `needed` count as used.
std::vector<bool> dead_results(const Uses& uses, const Op& op,
                               const std::vector<bool>& needed = {});
/// By position in body.insts: does a yield depend on it?
std::vector<bool> live_insts(const Body& body);

/// erase_dead_op on every op. True if anything changed. Values keep their ids.
bool erase_dead_ops(Function& function, RewriteLog& log);
/// To a fixed point. True if anything changed. Values keep their ids.
bool canonicalize_sweeps(Function& function, RewriteLog& log);
/// The refusals as they stand before a sweep, as attempts.
void announce_missed_cleanups(const Function& function, RewriteLog& log);
/// Missed remarks for what is there still, and an Analysis remark if nothing was rewritten.
void report_missed_cleanups(const Function& function, RewriteLog& log);

} // namespace mo

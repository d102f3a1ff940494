// Definitions and use counts that a pass keeps right while it rewrites.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/function.h"

namespace mo {

/// Like DefUse (ir/walk.h), but cheap to keep up to date while one op absorbs another: the uses of
/// the absorbed op become the absorber's in constant time (the ops are joined as sets are in
/// Tarjan's union-find), whatever the number of operands. In return it does not say which operand.
class Uses {
public:
  explicit Uses(const Function& function); // linear in the function's size

  /// The op that defines v at the function level; not valid for arguments and what bodies define.
  OpId def(ValueId v) const { return defs_[v.index]; }
  /// How often v is named as an operand, in bodies and their yields too; so an init whose block
  /// argument has count 0 is not read.
  uint32_t count(ValueId v) const { return counts_[v.index]; }
  /// Uses of all the op's results together.
  uint32_t count_results(const Op& op) const;

  /// An op other than `user` that names one of the op's results, the first in program order; `user`
  /// itself where there is none. Exact as long as no use was dropped; later it may name an op whose
  /// use has gone, so remarks are written from a fresh Uses.
  OpId user_other_than(const Function& function, const Op& op, OpId user) const;

  void drop_use(ValueId v) { --counts_[v.index]; }
  void drop_uses_by(const Op& op); // of everything it names
  void add_uses_by(const Op& op);  // counts only: user_other_than will not know
  /// Every use of `from` has become one of `to`.
  void move_uses(ValueId from, ValueId to) {
    counts_[to.index] += counts_[from.index];
    counts_[from.index] = 0;
  }
  void define(ValueId v, OpId op) { defs_[v.index] = op; }
  /// From now on every use by `absorbed` is one by `absorber`.
  void join(OpId absorbed, OpId absorber) { joined_[absorbed.index] = absorber.index; }

private:
  OpId resolve(OpId op) const;
  std::span<const OpId> users_of(ValueId v) const;

  std::vector<OpId> defs_;               // by ValueId::index
  std::vector<uint32_t> counts_;         // by ValueId::index
  std::vector<uint32_t> first_user_;     // by ValueId::index, into users_; one more at the end
  std::vector<OpId> users_;              // per function-level value, in program order
  mutable std::vector<uint32_t> joined_; // by OpId::index: whom an op was joined to, or itself
};

/// "%x", or "%x#1" for one of several results: how remarks name a value.
std::string display_name(const Function& function, const Uses& uses, ValueId v);
/// "%x" for an op with results, else its spelling.
std::string display_name(const Function& function, OpId op);

/// Does running the op do nothing but define its results? Then it goes when nobody uses them.
bool is_pure(const Op& op);

/// Removes the ErasedOps; values keep their ids (compact, ir/function.h, renumbers both).
void drop_erased_ops(Function& function);

} // namespace mo

// How a pass asks for a rewrite and announces it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ir/function.h"
#include "passes/observer.h"

namespace mo {

/// A rewrite that a pass would like to do. Two proposals are the same if they have the same reason,
/// subject and detail.
struct Proposal {
  Remark because; // Passed
  OpId op;        // the op that changes
  std::string what;
  ValueId subject; // the first result of `op`
  ValueId detail;  // which operand or result of it; not valid where the reason says it all
};

/// Stands between a pass and its observer: what the observer has left out once is not proposed
/// again.
class RewriteLog {
public:
  explicit RewriteLog(Observer& observer) : observer_(observer) {}

  /// May the pass do it now?
  bool may_rewrite(const Proposal& proposal, const Function& before);
  /// It is done: remarks and announces it.
  void rewrote(const Proposal& proposal, const Function& after);

  /// Would anybody like to hear of refusals on the way?
  bool wants_attempts() const { return observer_.wants_attempts(); }
  /// Announces one, unless the same (reason, subject, detail) was announced before.
  void refused(const Remark& remark, ValueId subject, ValueId detail);

  bool left_out(std::string_view reason, ValueId subject, ValueId detail) const {
    return left_out_.contains({reason, subject, detail});
  }
  /// Everything the observer left out, in order.
  const std::vector<Proposal>& all_left_out() const { return left_out_proposals_; }
  unsigned num_rewrites() const { return num_rewrites_; }
  Observer& observer() { return observer_; }

private:
  Observer& observer_;
  using Key = std::tuple<std::string_view, ValueId, ValueId>;
  std::set<Key> left_out_, refused_;
  std::vector<Proposal> left_out_proposals_;
  unsigned num_rewrites_ = 0;
};

} // namespace mo

#include "passes/rewrite_log.h"

namespace mo {

static Rewrite rewrite_of(const Proposal& p) {
  return {p.because.pass, p.op, p.what, &p.because};
}

bool RewriteLog::may_rewrite(const Proposal& p, const Function& before) {
  if (left_out(p.because.reason, p.subject, p.detail))
    return false;
  if (observer_.may_rewrite(rewrite_of(p), before))
    return true;
  left_out_.insert({p.because.reason, p.subject, p.detail});
  left_out_proposals_.push_back(p);
  return false;
}

void RewriteLog::rewrote(const Proposal& p, const Function& after) {
  ++num_rewrites_;
  observer_.remark(p.because);
  observer_.rewrote(rewrite_of(p), after);
}

void RewriteLog::refused(const Remark& remark, ValueId subject, ValueId detail) {
  if (refused_.insert({remark.reason, subject, detail}).second)
    observer_.attempt(remark);
}

} // namespace mo

#include "passes/observer.h"

#include <algorithm>

namespace mo {

void Observers::pass_begins(const PassRun& r, const Module& m) {
  for (Observer* o : list_)
    o->pass_begins(r, m);
}

void Observers::pass_ends(const PassRun& r, const Module& m) {
  for (Observer* o : list_)
    o->pass_ends(r, m);
}

void Observers::verification_begins(const PassRun& r) {
  for (Observer* o : list_)
    o->verification_begins(r);
}

void Observers::pass_failed(const PassRun& r, const Module& m, const Diagnostics& d) {
  for (Observer* o : list_)
    o->pass_failed(r, m, d);
}

void Observers::remark(const Remark& r) {
  for (Observer* o : list_)
    o->remark(r);
}

void Observers::attempt(const Remark& r) {
  for (Observer* o : list_)
    if (o->wants_attempts())
      o->attempt(r);
}

bool Observers::wants_attempts() const {
  return std::any_of(list_.begin(), list_.end(),
                     [](const Observer* o) { return o->wants_attempts(); });
}

bool Observers::looks_at_functions() const {
  return std::any_of(list_.begin(), list_.end(),
                     [](const Observer* o) { return o->looks_at_functions(); });
}

// Each is asked even after a no: one that counts rewrites must see them all.
bool Observers::may_rewrite(const Rewrite& r, const Function& f) {
  bool all_agree = true;
  for (Observer* o : list_)
    if (!o->may_rewrite(r, f))
      all_agree = false;
  return all_agree;
}

void Observers::rewrote(const Rewrite& r, const Function& f) {
  for (Observer* o : list_)
    o->rewrote(r, f);
}

} // namespace mo

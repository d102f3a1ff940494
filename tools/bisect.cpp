#include "tools/bisect.h"

#include <fmt/format.h>

#include "tools/files.h"

namespace mo {

bool Bisect::may_rewrite(const Rewrite& r, const Function& before) {
  ++asked_;
  const bool yes = limit_ < 0 || asked_ <= limit_;
  say(fmt::format("BISECT: {}running pass ({}) {} on @{}\n", yes ? "" : "NOT ", asked_, r.what,
                  before.name));
  return yes;
}

} // namespace mo

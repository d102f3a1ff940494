// --opt-bisect-limit: only the first rewrites of a pipeline; which one breaks it?
#pragma once

#include <cstdint>

#include "tools/views.h"

namespace mo {

/// Numbers the rewrites that the passes ask for, across passes and functions, and says of each on
/// stderr whether it is done, as LLVM's -opt-bisect-limit does.
class Bisect final : public View {
public:
  /// `limit`: how many are done; -1 for all.
  explicit Bisect(int64_t limit) : limit_(limit) {}
  bool may_rewrite(const Rewrite& r, const Function& before) override;
  int64_t num_asked() const { return asked_; }

private:
  int64_t limit_, asked_ = 0;
};

} // namespace mo

// --stats: what each pass found, did and left, in figures, on stderr.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "passes/pipeline.h"
#include "tools/views.h"

namespace mo {

/// A pass has a few lines, each of which names it: what the module holds before and after, how many
/// rewrites there were, for which reasons, and how many remarks.
class Statistics final : public View {
public:
  std::optional<FileError> begin(const Module& input) override;
  std::optional<FileError> end(const Module& output) override;
  void pass_begins(const PassRun& run, const Module& module) override;
  void pass_ends(const PassRun& run, const Module& module) override;
  void remark(const Remark& r) override;
  bool may_rewrite(const Rewrite& r, const Function& before) override;
  void rewrote(const Rewrite& r, const Function& after) override;

private:
  using Tally = std::map<std::string_view, unsigned>; // by reason id
  struct OfPass {
    unsigned asked = 0, rewrites = 0;
    Tally rewrites_by_reason, passed, missed, analysis;
  };

  Counts input_, before_;
  unsigned num_asked_ = 0, num_rewrites_ = 0; // of all passes
  OfPass pass_;
};

} // namespace mo

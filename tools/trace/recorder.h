// Listens to a pipeline and keeps what it hears.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "ir/print.h"
#include "tools/trace/trace.h"

namespace mo {

/// Writes one run of a pipeline into a trace. The functions are those of the module in which the
/// run begins.
class TraceRecorder final : public Observer {
public:
  /// Both have to outlive it.
  TraceRecorder(Trace& trace, LineTable& lines, const TraceLimits& limits = {})
      : trace_(trace), lines_(lines), limits_(limits) {}

  /// To be called before the first pass.
  void begin(const Module& input);
  void pass_begins(const PassRun& run, const Module& module) override;
  void remark(const Remark& remark) override;
  bool looks_at_functions() const override { return looks_; }
  void rewrote(const Rewrite& rewrite, const Function& after) override;
  void pass_ends(const PassRun& run, const Module& module) override;
  /// To be called after the last one.
  void end(const Module& output);

private:
  /// What is known of a function while the pipeline runs.
  struct Followed {
    size_t index = 0;
    TextId now = kNotKept;    // its text as it was seen last
    TextId before = kNotKept; // and before it changed for the last time
    size_t changed_in = 0;    // the pass that changed it
  };
  /// All that tells remarks apart. A pass may remark on a rewrite before it announces it or after.
  using RemarkKey = std::tuple<std::string, uint32_t, uint32_t, std::string_view, std::string>;
  static RemarkKey key_of(const Remark& remark);
  TraceStep* add_step(const Remark& remark);

  /// Rewrites leave as much room again to the texts before and after each pass.
  enum class Share : uint8_t { Rewrites, Passes };
  /// The text of the function, kept if there is room.
  TextId snapshot(const Function& function, Share share);
  void look_at(const Function& function, Share share);
  void look_at_all(const Module& module, std::vector<TextId>& versions);
  TracePass& pass() { return trace_.passes.back(); }
  size_t kept_bytes() const { return lines_.bytes() + listed_bytes_; }

  Trace& trace_;
  LineTable& lines_;
  TraceLimits limits_;
  SnapshotPrinter printer_;
  std::map<std::string, Followed> functions_; // by name
  bool looks_ = true;
  std::vector<size_t> unseen_; // rewrites of this pass that changed nothing yet; in pass().steps
  std::map<RemarkKey, size_t> heard_; // in this pass; index into pass().steps
  size_t steps_ = 0, printed_bytes_ = 0, listed_bytes_ = 0;
};

} // namespace mo

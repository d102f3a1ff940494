// --timing: where the time of one mini-opt goes; and at any moment, what it is doing.
#pragma once

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "passes/observer.h"

namespace mo {

/// Steps and steps within steps, each with its wall time, in the order in which they began.
class Timing {
public:
  /// Measures from now until the object goes; what begins meanwhile is a part of it.
  class Step {
  public:
    Step(Timing& timing, std::string name);
    ~Step();
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

  private:
    Timing& timing_;
    size_t row_;
    std::chrono::steady_clock::time_point start_;
  };

  Timing();
  /// A part of the step that is going on, measured otherwise.
  void add(std::string name, double ms);
  /// A line per step, "timing   pass 1 fuse  0.110 ms  31.2%", under "timing total", which is the
  /// time since the object was made. What no step accounts for is in the line "other".
  std::string text() const;

  /// What is being done, at most so long: "pass 2 elim". After an exception, the step that it
  /// ended. May be called from a signal handler.
  const char* where() const { return where_.data(); }
  /// Says more about it than the name of the step.
  void set_where(std::string_view step, std::string_view detail = {});

private:
  struct Row {
    std::string name;
    unsigned depth;
    double ms;
  };
  std::vector<Row> rows_;
  unsigned depth_ = 0;
  std::vector<std::string> open_; // names of the steps that are going on
  std::array<char, 256> where_ = {};
  std::chrono::steady_clock::time_point start_;
};

/// Stands before the observers and adds a row per pass, with its parts: the rewriting, what the
/// observers took, verification.
class PassTimer final : public Observer {
public:
  PassTimer(Timing& timing, Observer& observers) : timing_(timing), next_(observers) {}
  void pass_begins(const PassRun&, const Module&) override;
  void verification_begins(const PassRun&) override;
  void pass_ends(const PassRun&, const Module&) override;
  void pass_failed(const PassRun&, const Module&, const Diagnostics&) override;
  void remark(const Remark&) override;
  void attempt(const Remark&) override;
  bool wants_attempts() const override { return next_.wants_attempts(); }
  bool may_rewrite(const Rewrite&, const Function&) override;
  void rewrote(const Rewrite&, const Function&) override;
  bool looks_at_functions() const override { return next_.looks_at_functions(); }

private:
  using Clock = std::chrono::steady_clock;
  /// Calls `tell`, and counts its time as the observers'.
  template <class Tell> auto observers_do(Tell tell);
  void end_verification();

  Timing& timing_;
  Observer& next_;
  std::optional<Timing::Step> pass_;
  std::string pass_name_;
  Clock::time_point pass_start_, verification_start_;
  double observers_ms_ = 0, rewriting_ms_ = 0;
};

} // namespace mo

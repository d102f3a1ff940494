// --timing: where the time of one mini-opt goes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "tools/views.h"

namespace mo {

/// Steps in the order they ran, each with its wall time.
class Timing {
public:
  /// Measures from now until the returned object goes.
  class Step {
  public:
    Step(Timing& timing, std::string name);
    ~Step();
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

  private:
    Timing& timing_;
    std::string name_;
    std::chrono::steady_clock::time_point start_;
  };
  void add(std::string name, double ms) { rows_.push_back({std::move(name), ms}); }
  /// One "timing <step> <ms> ms" line per step, then the sum.
  std::string text() const;

private:
  struct Row {
    std::string name;
    double ms;
  };
  std::vector<Row> rows_;
};

/// Adds a row per pass.
class PassTimer final : public View {
public:
  explicit PassTimer(Timing& timing) : timing_(timing) {}
  void pass_begins(const PassRun&, const Module&) override;
  void pass_ends(const PassRun& run, const Module&) override;

private:
  Timing& timing_;
  std::chrono::steady_clock::time_point start_;
};

} // namespace mo

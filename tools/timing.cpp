#include "tools/timing.h"

#include <fmt/format.h>

namespace mo {
namespace {

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

} // namespace

Timing::Step::Step(Timing& timing, std::string name)
    : timing_(timing), name_(std::move(name)), start_(std::chrono::steady_clock::now()) {}

Timing::Step::~Step() {
  timing_.add(std::move(name_), ms_since(start_));
}

std::string Timing::text() const {
  std::string text;
  double sum = 0;
  for (const Row& row : rows_) {
    text += fmt::format("timing {:<24} {:10.3f} ms\n", row.name, row.ms);
    sum += row.ms;
  }
  return text + fmt::format("timing {:<24} {:10.3f} ms\n", "sum", sum);
}

void PassTimer::pass_begins(const PassRun&, const Module&) {
  start_ = std::chrono::steady_clock::now();
}

void PassTimer::pass_ends(const PassRun& run, const Module&) {
  timing_.add("pass " + std::string(run.pass), ms_since(start_));
}

} // namespace mo

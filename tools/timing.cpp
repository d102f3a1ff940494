#include "tools/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace mo {
namespace {

double ms_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// Counts the time of its life, exceptions or not.
class Stopwatch {
public:
  explicit Stopwatch(double& ms) : ms_(ms), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { ms_ += ms_since(start_); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

private:
  double& ms_;
  std::chrono::steady_clock::time_point start_;
};

} // namespace

Timing::Timing() : start_(std::chrono::steady_clock::now()) {}

Timing::Step::Step(Timing& timing, std::string name)
    : timing_(timing), row_(timing.rows_.size()), start_(std::chrono::steady_clock::now()) {
  timing.set_where(name);
  timing.open_.push_back(name);
  timing.rows_.push_back({std::move(name), timing.depth_++, 0});
}

Timing::Step::~Step() {
  timing_.rows_[row_].ms = ms_since(start_);
  --timing_.depth_;
  timing_.open_.pop_back();
  if (std::uncaught_exceptions() == 0)
    timing_.set_where(timing_.open_.empty() ? "" : timing_.open_.back());
}

void Timing::add(std::string name, double ms) {
  rows_.push_back({std::move(name), depth_, ms});
}

void Timing::set_where(std::string_view step, std::string_view detail) {
  size_t n = step.copy(where_.data(), where_.size() - 1);
  if (!detail.empty()) {
    n += std::string_view(": ").copy(where_.data() + n, where_.size() - 1 - n);
    n += detail.copy(where_.data() + n, where_.size() - 1 - n);
  }
  where_[n] = '\0';
}

std::string Timing::text() const {
  const double total = ms_since(start_);
  double other = total;
  std::string text;
  const auto add = [&](unsigned depth, std::string_view name, double ms) {
    text += fmt::format("timing {:<32} {:10.3f} ms {:5.1f}%\n",
                        fmt::format("{:{}}{}", "", 2 * depth, name), ms,
                        total > 0 ? 100 * ms / total : 0);
  };
  add(0, "total", total);
  for (const Row& row : rows_) {
    add(row.depth + 1, row.name, row.ms);
    if (row.depth == 0)
      other -= row.ms;
  }
  add(1, "other", std::max(other, 0.0));
  return text;
}

template <class Tell> auto PassTimer::observers_do(Tell tell) {
  const Stopwatch stopwatch(observers_ms_);
  return tell();
}

void PassTimer::pass_begins(const PassRun& run, const Module& module) {
  pass_name_ = fmt::format("pass {} {}", run.number, run.pass);
  pass_.emplace(timing_, pass_name_);
  observers_ms_ = 0;
  pass_start_ = Clock::now();
  observers_do([&] { next_.pass_begins(run, module); });
}

void PassTimer::verification_begins(const PassRun& run) {
  observers_do([&] { next_.verification_begins(run); });
  rewriting_ms_ = std::max(ms_since(pass_start_) - observers_ms_, 0.0);
  timing_.set_where(pass_name_, "verification");
  verification_start_ = Clock::now();
}

void PassTimer::end_verification() {
  const double verification_ms = ms_since(verification_start_);
  timing_.add("rewriting", rewriting_ms_);
  timing_.add("verification", verification_ms);
}

void PassTimer::pass_ends(const PassRun& run, const Module& module) {
  end_verification();
  observers_do([&] { next_.pass_ends(run, module); });
  timing_.add("views", observers_ms_);
  pass_.reset();
}

void PassTimer::pass_failed(const PassRun& run, const Module& module, const Diagnostics& why) {
  end_verification();
  observers_do([&] { next_.pass_failed(run, module, why); });
  timing_.add("views", observers_ms_);
  pass_.reset();
  timing_.set_where(pass_name_); // what the error is about
}

void PassTimer::remark(const Remark& r) {
  observers_do([&] { next_.remark(r); });
}

void PassTimer::attempt(const Remark& r) {
  observers_do([&] { next_.attempt(r); });
}

bool PassTimer::may_rewrite(const Rewrite& r, const Function& before) {
  timing_.set_where(pass_name_, r.what);
  return observers_do([&] { return next_.may_rewrite(r, before); });
}

void PassTimer::rewrote(const Rewrite& r, const Function& after) {
  timing_.set_where(pass_name_, "after " + r.what);
  observers_do([&] { next_.rewrote(r, after); });
}

} // namespace mo

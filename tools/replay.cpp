#include "tools/replay.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace mo {
namespace {

/// Knows which pass is running and which question is the first without an answer.
class Replayer : public Observer {
public:
  explicit Replayer(const StepAnswers& answers) : answers_(answers) {}

  void pass_begins(const PassRun& run, const Module&) final {
    run_ = run;
    asked_before_ = asked_;
  }
  bool looks_at_functions() const override { return asked_ == answers_.size(); }
  bool may_rewrite(const Rewrite& r, const Function& before) final {
    const size_t n = asked_++;
    return n < answers_.size() ? answers_[n] : answer(r, before, n == answers_.size());
  }

protected:
  virtual bool answer(const Rewrite& r, const Function& before, bool is_first) = 0;
  const PassRun& run() const { return run_; }
  bool pass_has_asked() const { return asked_ > asked_before_; }

private:
  const StepAnswers& answers_;
  size_t asked_ = 0, asked_before_ = 0; // in all; before the pass that is running
  PassRun run_;
};

// Says yes to the question, to see what becomes of it, and no to all others.
class QuestionFinder final : public Replayer {
public:
  using Replayer::Replayer;
  StepPoint point;

  void remark(const Remark& r) override {
    if (r.kind == Remark::Kind::Missed)
      missed_.push_back(r);
    if (r.kind != Remark::Kind::Passed)
      not_done_.push_back(r);
  }
  void pass_ends(const PassRun& ended, const Module&) override {
    if (!point.question)
      point.ended.push_back(
          {std::string(ended.pass), std::move(pass_has_asked() ? missed_ : not_done_)});
    missed_.clear();
    not_done_.clear();
  }
  void rewrote(const Rewrite&, const Function& after) override {
    if (!point.question || has_after_)
      return;
    point.question->after = after;
    has_after_ = true;
  }

protected:
  bool answer(const Rewrite& r, const Function& before, bool is_first) override {
    if (is_first)
      point.question = StepQuestion{
          std::string(run().pass), run().number, before.name, r.what, *r.because, before, {}};
    return is_first;
  }

private:
  bool has_after_ = false;
  std::vector<Remark> missed_, not_done_; // of the pass that is running
};

class RestOfPass final : public Replayer {
public:
  using Replayer::Replayer;
  std::vector<std::string> taken;

protected:
  bool answer(const Rewrite& r, const Function&, bool is_first) override {
    if (is_first)
      pass_ = run().number;
    if (run().number != pass_)
      return false;
    taken.push_back(r.what);
    return true;
  }

private:
  unsigned pass_ = 0; // 0: not there yet
};

void run_through(const ReplayInput& run, Observer& observer) {
  Module module = run.input;
  Diagnostics diagnostics;
  if (!run_pipeline(module, run.passes, observer, diagnostics))
    throw std::logic_error("a pass left IR that does not verify: " +
                           diagnostics.all().front().message);
}

} // namespace

StepPoint replay(const ReplayInput& run, const StepAnswers& answers) {
  QuestionFinder finder(answers);
  run_through(run, finder);
  return std::move(finder.point);
}

bool ReplayView::may_rewrite(const Rewrite&, const Function&) {
  const size_t n = asked_++;
  return n >= answers_.size() || answers_[n];
}

std::optional<FileError> ReplayView::end(const Module&) {
  say(fmt::format("stepped: {} of {} rewrites done\n", done_, asked_));
  return std::nullopt;
}

std::vector<std::string> take_rest_of_pass(const ReplayInput& run, StepAnswers& answers) {
  RestOfPass rest(answers);
  run_through(run, rest);
  answers.insert(answers.end(), rest.taken.size(), true);
  return std::move(rest.taken);
}

} // namespace mo

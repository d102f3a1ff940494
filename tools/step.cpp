#include "tools/step.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "tools/driver.h"
#include "tools/step_keys.h"
#include "tools/step_text.h"

namespace mo {
namespace {

constexpr size_t kMostListed = 20; // rewrites of a pass done at once

class Stepper {
public:
  explicit Stepper(const Session& session)
      : run_{session.parsed, session.options.passes}, style_{session.source,
                                                             session.options.passes.size(),
                                                             wants_color(STDERR_FILENO)} {}

  std::optional<StepAnswers> run() {
    for (;;) {
      StepPoint point = replay(run_, answers_);
      question_ = std::move(point.question);
      show(point.ended);
      if (!question_ && answers_.empty())
        return answers_;
      switch (ask()) {
      case Then::GoOn: break;
      case Then::Done: return answers_;
      case Then::Quit: return std::nullopt;
      }
    }
  }

private:
  enum class Then { GoOn, Done, Quit };

  void show(const std::vector<EndedPass>& ended) {
    for (size_t i = ended_shown_; i < ended.size(); ++i)
      say(describe_end(ended[i], i + 1, style_));
    ended_shown_ = ended.size();
    if (!question_ && answers_.empty())
      return say("no pass finds anything to rewrite\n");
    if (!question_)
      return say(fmt::format("no rewrite is left: {} done, {} left out\n",
                             std::count(answers_.begin(), answers_.end(), true),
                             std::count(answers_.begin(), answers_.end(), false)));
    if (level_of(question_->before) == Level::Buffer && !on_buffers_)
      say(describe_arrival(question_->before));
    on_buffers_ = level_of(question_->before) == Level::Buffer;
    say(describe_question(*question_, answers_.size() + 1, style_));
  }

  // Until something is decided.
  Then ask() {
    for (;;) {
      const KeyRead read =
          keys_.next(question_ ? "[a]pply [s]kip [n]ext pass [f]inish [b]ack [w]hy [i]r [q]uit [?] "
                               : "[f]inish [b]ack [q]uit [?] ");
      if (std::holds_alternative<EndOfKeys>(read))
        return end_of_keys();
      if (const auto* none = std::get_if<NoKey>(&read)) {
        say(none->text + "\n");
        if (!keys_.at_terminal())
          return refuse(
              fmt::format("'{}' is no key; there are a, s, n, f, b, w, i, q and ?", none->text));
        say(step_help());
        continue;
      }
      const StepKey key = std::get<StepKey>(read);
      say(std::string(1, static_cast<char>(key)) + "\n");
      if (const auto then = act(key))
        return *then;
    }
  }

  // Nothing where the question stands as before.
  std::optional<Then> act(StepKey key) {
    switch (key) {
    case StepKey::Finish: return Then::Done;
    case StepKey::Quit: say("quit: nothing is printed or run\n"); return Then::Quit;
    case StepKey::Back: return go_back();
    case StepKey::Help: say(step_help()); return std::nullopt;
    default: break;
    }
    if (!question_) {
      if (!keys_.at_terminal())
        return refuse(
            fmt::format("'{}' is for a rewrite, and none is left", static_cast<char>(key)));
      say("no rewrite is left to do that with\n");
      return std::nullopt;
    }
    switch (key) {
    case StepKey::Apply: return answer(true);
    case StepKey::Skip: return answer(false);
    case StepKey::Next: return take_rest();
    case StepKey::Why: say(describe_reason(*question_, style_)); return std::nullopt;
    case StepKey::Ir: say(show_function(question_->before)); return std::nullopt;
    default: return std::nullopt;
    }
  }

  Then answer(bool yes) {
    marks_.push_back(answers_.size());
    answers_.push_back(yes);
    return Then::GoOn;
  }

  Then take_rest() {
    marks_.push_back(answers_.size());
    const std::vector<std::string> done = take_rest_of_pass(run_, answers_);
    for (size_t i = 0; i < std::min(done.size(), kMostListed); ++i)
      say(fmt::format("  done: {}\n", done[i]));
    if (done.size() > kMostListed)
      say(fmt::format("  ... and {} more\n", done.size() - kMostListed));
    return Then::GoOn;
  }

  std::optional<Then> go_back() {
    if (marks_.empty()) {
      say("there is no answer to take back\n");
      return std::nullopt;
    }
    answers_.resize(marks_.back());
    marks_.pop_back();
    return Then::GoOn;
  }

  Then end_of_keys() {
    if (keys_.at_terminal()) {
      say("\nquit: nothing is printed or run\n");
      return Then::Quit;
    }
    say(question_ ? "\nno more keys: what is left is done\n" : "\n");
    return Then::Done;
  }

  Then refuse(std::string_view why) {
    complain(fmt::format("line {} of the keys: {}", keys_.line(), why));
    return Then::Quit;
  }

  const ReplayInput run_;
  const StepStyle style_;
  StepKeys keys_;
  StepAnswers answers_;
  std::vector<size_t> marks_; // how many answers there were before each key that gave some
  std::optional<StepQuestion> question_;
  bool on_buffers_ = false; // the last question was
  size_t ended_shown_ = 0;  // passes that have been said to be over
};

} // namespace

std::optional<StepAnswers> step_through(const Session& session) {
  return Stepper(session).run();
}

} // namespace mo

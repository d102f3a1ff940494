// Running a pipeline with the answers of a person, up to where there is none yet. Every run starts
// from the input and is thrown away: so going back, looking ahead and skipping need no undo.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "passes/pipeline.h"
#include "tools/views.h"

namespace mo {

/// For each rewrite that a pipeline asks about, in order: is it done?
using StepAnswers = std::vector<bool>;

/// A program and what is done to it.
struct ReplayInput {
  const Module& input;
  const std::vector<PassKind>& passes;
};

/// A rewrite that has no answer yet.
struct StepQuestion {
  std::string pass;
  unsigned pass_number = 1;
  std::string function;
  std::string what; // Rewrite::what
  Remark because;
  Function before, after; // of the pass at that moment
};

/// A pass that is over, and what it did not do.
struct EndedPass {
  std::string pass;
  std::vector<Remark> missed; // of a pass that asked nothing: whatever it says
};

/// How far a pipeline comes with some answers.
struct StepPoint {
  std::vector<EndedPass> ended;         // in order
  std::optional<StepQuestion> question; // nothing where the pipeline has no other
};

StepPoint replay(const ReplayInput& run, const StepAnswers& answers);

/// Appends a yes for each further question of the pass that the next question belongs to; returns
/// what was said yes to.
std::vector<std::string> take_rest_of_pass(const ReplayInput& run, StepAnswers& answers);

/// Gives the answers to the run that counts; yes to what comes after them.
class ReplayView final : public View {
public:
  explicit ReplayView(const StepAnswers& answers) : answers_(answers) {}
  bool may_rewrite(const Rewrite&, const Function&) override;
  void rewrote(const Rewrite&, const Function&) override { ++done_; }
  /// Says how many rewrites were done and left out.
  std::optional<FileError> end(const Module& output) override;

private:
  const StepAnswers& answers_;
  size_t asked_ = 0, done_ = 0;
};

} // namespace mo

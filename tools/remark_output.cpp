#include "tools/remark_output.h"

#include <unistd.h>

#include "passes/remarks.h"
#include "passes/remarks_yaml.h"

namespace mo {
namespace {

bool is_wanted(const RemarkKinds& kinds, Remark::Kind kind) {
  switch (kind) {
  case Remark::Kind::Passed: return kinds.passed;
  case Remark::Kind::Missed: return kinds.missed;
  case Remark::Kind::Analysis: return kinds.analysis;
  }
  return false;
}

} // namespace

RemarkOutput::RemarkOutput(const Options& options, const SourceFile& source)
    : options_(options), source_(source), color_(wants_color(STDERR_FILENO)) {}

bool RemarkOutput::wants_attempts() const {
  return options_.remarks_policy() == RemarkPolicy::All;
}

// --remarks says which kinds; the file alone gets them all.
void RemarkOutput::take(const Remark& r, bool is_attempt) {
  const bool shows = options_.remarks.any();
  if (shows && !is_wanted(options_.remarks, r.kind))
    return;
  if (shows)
    say(render(r, source_, color_, is_attempt));
  if (!options_.remarks_output.empty())
    yaml_ += to_yaml(r, source_, is_attempt);
}

std::optional<FileError> RemarkOutput::end(const Module&) {
  if (options_.remarks_output.empty())
    return std::nullopt;
  return replace_file(options_.remarks_output, yaml_);
}

} // namespace mo

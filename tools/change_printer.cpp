#include "tools/change_printer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "ir/print.h"
#include "tools/files.h"
#include "tools/line_diff.h"

namespace mo {

ChangePrinter::ChangePrinter(ChangeForm form, DumpedPipeline pipeline)
    : form_(form), pipeline_(std::move(pipeline)), color_(wants_color(STDERR_FILENO)) {}

std::optional<FileError> ChangePrinter::begin(const Module& input) {
  last_ = print(input);
  last_name_ = "input";
  if (form_ == ChangeForm::Whole) {
    say(kDumpSeparator);
    say(fmt::format("// IR Dump At Start, pipeline: {}\n{}", pipeline_.flags, last_));
  }
  return std::nullopt;
}

void ChangePrinter::pass_ends(const PassRun& run, const Module& module) {
  std::string now = print(module);
  std::string name = fmt::format("{} {}", run.number, run.pass);
  if (now == last_) {
    say(fmt::format("// IR Dump After {}, omitted because no change\n", describe(run, pipeline_)));
    return;
  }
  if (form_ == ChangeForm::Whole) {
    say(kDumpSeparator);
    say(fmt::format("// IR Dump After {}\n{}", describe(run, pipeline_), now));
  } else {
    say(fmt::format("// IR Dump After {}\n", describe(run, pipeline_)));
    say(unified_diff(last_, now, {last_name_, name, 3, color_}));
  }
  last_ = std::move(now);
  last_name_ = std::move(name);
}

void ChangePrinter::pass_failed(const PassRun& run, const Module& module, const Diagnostics& why) {
  say(kDumpSeparator);
  say(failed_dump(run, pipeline_, module, why));
}

} // namespace mo

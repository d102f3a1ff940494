// The words of --step.
#pragma once

#include <string>

#include "ir/diagnostic.h"
#include "tools/replay.h"

namespace mo {

/// What every text of a session needs to know.
struct StepStyle {
  const SourceFile& source;
  size_t num_passes = 1;
  bool color = false;
};

/// The rewrite about to happen: which pass, what, why it may be done, what goes away, and the
/// function before and after as a diff. `number`: of the question, from 1.
std::string describe_question(const StepQuestion& question, size_t number, const StepStyle& style);

/// That a pass is over, and what it did not do, a line each.
std::string describe_end(const EndedPass& pass, size_t number, const StepStyle& style);

/// What stands there when tensors have become buffers and nothing shares memory yet.
std::string describe_arrival(const Function& on_buffers);

/// The facts: the remark with the lines of the source, each condition that holds, and the values.
std::string describe_reason(const StepQuestion& question, const StepStyle& style);

/// The function as it is, its maps as aliases at the top: short lines, and it parses again.
std::string show_function(const Function& function);

/// What a rewrite changes in numbers: "generics 3 -> 2, tensors 3 -> 2 (24 B -> 16 B)"; what stays
/// the same is left out.
std::string describe_effect(const Function& before, const Function& after);

std::string step_help();

} // namespace mo

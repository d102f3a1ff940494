// From a command line to an exit status: read, parse, run the passes, then what was asked for.
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "ir/diagnostic.h"
#include "ir/function.h"
#include "passes/observer.h"
#include "tools/options.h"
#include "tools/replay.h"
#include "tools/timing.h"
#include "tools/trace/trace.h"

namespace mo {

/// A program on its way through mini-opt.
struct Session {
  const Options& options;
  SourceFile source;
  Module parsed; // as written
  Module module; // after the passes
  Timing timing;
  StepAnswers step_answers = {};       // with --step
  std::optional<TracePage> trace = {}; // --trace-html
};

/// Does everything that `options` ask for; returns the exit status (0 or 1). All output goes to
/// stdout or the files named, everything about the work to stderr. `also`, where given, hears of
/// the passes what the views hear. An exception or a crash on the way is an internal error, and
/// leaves a reproducer (crash_guard.h).
int run_mini_opt(const Options& options, std::string_view command, Observer* also = nullptr);

/// "mini-opt: error: ..." on stderr; returns 1.
int complain(std::string_view message);
/// The diagnostics on stderr; returns 1.
int complain(const Diagnostics& diagnostics, const SourceFile& source);

/// The function that --entry names, or the only one of the module. Says what is wrong otherwise.
std::variant<size_t, std::string> entry_index(const Module& module, std::string_view entry);

/// The instruction set to compile for: --isa, which the CPU must have if the code is to run here,
/// or the best of the CPU. What cannot be is said in words.
std::variant<Isa, std::string> chosen_isa(const Options& options, bool will_run,
                                          bool (*cpu_has)(Isa) = host_supports);

/// A copy of `function` with buffers for tensors; the function itself where it has no tensors.
Function on_buffers(const Function& function);

// The actions; each returns the exit status.
int emit(Session& session);                            // emit.cpp
int run(Session& session);                             // run.cpp: --run, --interpret, --check
int bench(Session& session, std::string_view command); // bench.cpp: --bench, --ablate

} // namespace mo

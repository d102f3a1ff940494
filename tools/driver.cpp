#include "tools/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "ir/parse.h"
#include "passes/pipeline.h"
#include "runtime/environment.h"
#include "tools/files.h"
#include "tools/step.h"
#include "tools/views.h"

namespace mo {
namespace {

// Fills in parsed and module; false where the input or a pass has errors, which have been shown.
bool compile_to_ir(Session& session) {
  Diagnostics diagnostics;
  {
    const Timing::Step step(session.timing, "parse and verify");
    auto module = parse_and_verify(session.source, diagnostics);
    if (!module) {
      complain(diagnostics, session.source);
      return false;
    }
    session.parsed = std::move(*module);
  }
  session.module = session.parsed;
  Views views = views_for(session);
  if (const auto error = views.begin(session.module)) {
    complain(error->message);
    return false;
  }
  if (session.options.step) {
    auto answers = step_through(session);
    if (!answers)
      return false;
    session.step_answers = std::move(*answers);
  }
  const bool valid =
      run_pipeline(session.module, session.options.passes, views.observer(), diagnostics);
  const auto error = views.end(session.module);
  if (error)
    complain(error->message);
  if (!valid) {
    say("mini-opt: internal error: a pass left IR that does not verify; please report it\n");
    complain(diagnostics, session.source);
  }
  return valid && !error;
}

int act(Session& session, std::string_view command) {
  switch (session.options.action) {
  case Action::Run:
  case Action::Interpret:
  case Action::Check: return run(session);
  case Action::Bench:
  case Action::Ablate: return bench(session, command);
  default: return emit(session);
  }
}

} // namespace

int complain(std::string_view message) {
  const bool color = wants_color(STDERR_FILENO);
  say(fmt::format("mini-opt: {}error:{} {}\n", color ? "\033[1;31m" : "", color ? "\033[0m" : "",
                  message));
  return 1;
}

int complain(const Diagnostics& diagnostics, const SourceFile& source) {
  say(render(diagnostics, source, wants_color(STDERR_FILENO)));
  return 1;
}

std::variant<size_t, std::string> entry_index(const Module& module, std::string_view entry) {
  const std::vector<Function>& all = module.functions;
  if (all.empty())
    return "the module has no function";
  if (entry.empty() && all.size() == 1)
    return size_t{0};
  std::string names;
  for (size_t k = 0; k < all.size(); ++k) {
    if (all[k].name == entry)
      return k;
    if (k < 8)
      names += (k ? ", @" : "@") + all[k].name;
    else if (k == 8)
      names += ", ...";
  }
  if (entry.empty())
    return fmt::format("which function? There are {}; pick one with --entry", names);
  return fmt::format("there is no function @{}; there is {}", entry, names);
}

std::variant<Isa, std::string> chosen_isa(const Options& options, bool will_run,
                                          bool (*cpu_has)(Isa)) {
  const std::optional<Isa> best = best_isa(cpu_has);
  if (!options.isa && !best && will_run)
    return "this CPU lacks SSE4.2, the least that code is generated for";
  const Isa isa = options.isa.value_or(best.value_or(Isa::SSE42));
  if (will_run && !cpu_has(isa))
    return fmt::format("this CPU cannot run {} code; the best it has is {}", spelling(isa),
                       best ? spelling(*best) : "none of the three");
  return isa;
}

Function on_buffers(const Function& function) {
  if (level_of(function) == Level::Buffer)
    return function;
  Module module;
  module.functions.push_back(function);
  Observers nobody;
  Diagnostics diagnostics;
  if (!run_pipeline(module, {PassKind::Bufferize}, nobody, diagnostics))
    throw std::logic_error("bufferization left IR that does not verify");
  return std::move(module.functions[0]);
}

int run_mini_opt(const Options& options, std::string_view command) {
  Session session{options, {}, {}, {}, {}};
  auto source = read_source(options.input);
  if (const auto* error = std::get_if<FileError>(&source))
    return complain(error->message);
  session.source = std::get<SourceFile>(std::move(source));
  const int status = compile_to_ir(session) ? act(session, command) : 1;
  if (options.timing)
    say(session.timing.text());
  return status;
}

} // namespace mo

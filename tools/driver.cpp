#include "tools/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <system_error>

#include "ir/parse.h"
#include "ir/verify.h"
#include "passes/pipeline.h"
#include "runtime/environment.h"
#include "tools/crash_guard.h"
#include "tools/files.h"
#include "tools/reproducer.h"
#include "tools/step.h"
#include "tools/trace/page.h"
#include "tools/views.h"

namespace mo {
namespace {

// Fills in session.parsed; false where the input has errors, which have been shown.
bool parse_input(Session& session) {
  Diagnostics diagnostics;
  {
    const Timing::Step step(session.timing, "parse");
    session.parsed = parse_what_parses(session.source, diagnostics);
  }
  {
    const Timing::Step step(session.timing, "verify");
    verify(session.parsed, diagnostics);
  }
  if (diagnostics.has_errors())
    complain(diagnostics, session.source);
  return !diagnostics.has_errors();
}

// From session.parsed to session.module; false where a view could not do its part, which has been
// said. A pass that leaves invalid IR is an internal error.
bool run_passes(Session& session, Observer* also) {
  session.module = session.parsed;
  Views views = views_for(session);
  if (const auto error = views.begin(session.module)) {
    complain(error->message);
    return false;
  }
  if (session.options.step) {
    const Timing::Step step(session.timing, "step");
    auto answers = step_through(session);
    if (!answers)
      return false;
    session.step_answers = std::move(*answers);
  }
  Observers observers;
  observers.add(views.observer());
  if (also)
    observers.add(*also);
  PassTimer timer(session.timing, observers);
  Diagnostics diagnostics;
  if (!run_pipeline(session.module, session.options.passes, timer, diagnostics)) {
    complain(diagnostics, session.source);
    throw std::logic_error("it left IR that does not verify");
  }
  const Timing::Step step(session.timing, "views");
  const auto error = views.end(session.module);
  if (error)
    complain(error->message);
  return !error;
}

// What an internal error leaves behind, or --generate-reproducer has written already.
std::variant<Reproducer, FileError> prepared_reproducer(const Session& session) {
  const Options& o = session.options;
  Reproducer r{reproducer_header(o, session.source.name), session.source.text, o.reproducer};
  if (!o.reproducer.empty()) {
    std::error_code code; // of a file that is not there yet
    if (std::filesystem::equivalent(o.reproducer, o.input, code))
      return FileError{fmt::format("--generate-reproducer={} would overwrite the input", o.input)};
    if (auto error = replace_file(o.reproducer, r.header + session.source.text))
      return *error;
    r.is_written = true;
  } else if (o.run_reproducer && o.input != "-") {
    r.path = o.input;
    r.is_written = true;
  } else {
    r.path = reproducer_path();
  }
  return r;
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

int run_mini_opt(const Options& given, std::string_view command, Observer* also) {
  Options options = given;
  Session session{options, {}, {}, {}, {}};
  {
    const Timing::Step step(session.timing, "read");
    auto source = read_source(options.input);
    if (const auto* error = std::get_if<FileError>(&source))
      return complain(error->message);
    session.source = std::get<SourceFile>(std::move(source));
  }
  if (options.run_reproducer)
    if (const std::string error = take_pipeline(session.source, options); !error.empty())
      return complain(error);
  const auto reproducer = prepared_reproducer(session);
  if (const auto* error = std::get_if<FileError>(&reproducer))
    return complain(error->message);
  const auto& r = std::get<Reproducer>(reproducer);
  const CrashGuard guard(r, session.timing);
  int status = 1;
  try {
    if (parse_input(session) && run_passes(session, also)) {
      status = act(session, command);
      if (session.trace && !write_trace_page(session, command))
        status = 1;
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return report_internal_error(r, session.timing.where(), e.what());
  }
  if (options.timing)
    say(session.timing.text());
  return status;
}

} // namespace mo

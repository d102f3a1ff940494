// --bench and --ablate: the figures on stdout, and as JSON where asked.
#include <fmt/format.h>

#include "tools/benchmark.h"
#include "tools/driver.h"
#include "tools/files.h"

namespace mo {
namespace {

// The one pipeline of --bench, named after its flags.
VariantSpec own_pipeline(const Options& o) {
  std::string name;
  for (PassKind p : o.passes)
    name += fmt::format("{}{}", name.empty() ? "" : "+", spelling(p));
  return {name.empty() ? "as_written" : name, o.passes, o.nt_stores(), true};
}

} // namespace

int bench(Session& session, std::string_view command) {
  const Options& o = session.options;
  const auto index = entry_index(session.parsed, o.entry);
  if (const auto* error = std::get_if<std::string>(&index))
    return complain(*error);
  const Function& function = session.parsed.functions[std::get<size_t>(index)];
  if (o.action == Action::Ablate && level_of(function) == Level::Buffer)
    return complain(
        fmt::format("--ablate compares what is made of tensors, and @{} works on buffers already",
                    function.name));
  const auto isa = chosen_isa(o, /*will_run=*/true);
  if (const auto* error = std::get_if<std::string>(&isa))
    return complain(*error);
  auto view = JitView::open(o);
  if (const auto* error = std::get_if<std::string>(&view))
    return complain(*error);
  BenchmarkSettings settings;
  settings.view = &std::get<JitView>(view);
  settings.isa = std::get<Isa>(isa);
  settings.iterations = o.iterations.value_or(settings.iterations);
  settings.share_loops = o.share_loops();
  settings.command = command;
  settings.args = o.args;
  Diagnostics diagnostics;
  std::variant<BenchmarkReport, RunError> outcome;
  {
    const Timing::Step step(session.timing, "benchmark");
    ProgressLine progress;
    settings.progress = [&](const std::string& what) { progress.show(what); };
    const auto specs = o.action == Action::Ablate ? ablation_specs() : std::vector{own_pipeline(o)};
    outcome = run_benchmark(function, specs, settings, diagnostics);
  }
  if (const auto* error = std::get_if<RunError>(&outcome))
    return diagnostics.has_errors() ? complain(diagnostics, session.source)
                                    : complain(error->message);
  const auto& report = std::get<BenchmarkReport>(outcome);
  if (const auto error = write_text("", text_of(report)))
    return complain(error->message);
  if (!o.json.empty())
    if (const auto error = write_text(o.json, json_of(report)))
      return complain(error->message);
  const bool all_verified = report.all_verified();
  if (session.trace)
    session.trace->figures = report;
  return all_verified ? 0 : 1;
}

} // namespace mo

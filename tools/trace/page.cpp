#include "tools/trace/page.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "runtime/environment.h"
#include "tools/driver.h"
#include "tools/trace/code.h"
#include "tools/trace/page_parts.h"
#include "tools/trace/recorder.h"
#include "tools/trace/trace_json.h"

namespace mo {
namespace {

bool is_ablation(const Session& session) {
  return session.options.action == Action::Ablate;
}

class TraceView final : public View {
public:
  explicit TraceView(Session& session) : session_(session) {}

  std::optional<FileError> begin(const Module& input) override {
    const Options& o = session_.options;
    std::error_code code; // of a file that is not there yet
    if (std::filesystem::equivalent(o.trace_html, o.input, code))
      return FileError{fmt::format("--trace-html={} would overwrite the input", o.input)};
    if (auto error = cannot_write(o.trace_html))
      return error;
    TracePage& page = session_.trace.emplace();
    if (is_ablation(session_)) // four pipelines of its own: see trace_corners
      return std::nullopt;
    page.traces.push_back({name_of(o.passes), {}, {}, {}, {}, {}});
    recorder_.emplace(page.traces.back(), page.lines);
    recorder_->begin(input);
    return std::nullopt;
  }
  void pass_begins(const PassRun& run, const Module& module) override {
    if (recorder_)
      recorder_->pass_begins(run, module);
  }
  void pass_ends(const PassRun& run, const Module& module) override {
    if (recorder_)
      recorder_->pass_ends(run, module);
  }
  void remark(const Remark& remark) override {
    if (recorder_)
      recorder_->remark(remark);
  }
  void rewrote(const Rewrite& rewrite, const Function& after) override {
    if (recorder_)
      recorder_->rewrote(rewrite, after);
  }
  bool looks_at_functions() const override { return recorder_ && recorder_->looks_at_functions(); }
  std::optional<FileError> end(const Module& output) override {
    if (recorder_)
      recorder_->end(output);
    return std::nullopt;
  }

private:
  Session& session_;
  std::optional<TraceRecorder> recorder_;
};

// The passes once more, now to be looked at; nothing has changed since they were measured.
Function trace_corner(const Function& parsed, const VariantSpec& spec, TracePage& page) {
  Module module;
  module.functions.push_back(parsed);
  Trace& trace = page.traces.emplace_back();
  trace.name = spec.name;
  TraceRecorder recorder(trace, page.lines);
  Diagnostics diagnostics;
  recorder.begin(module);
  run_pipeline(module, spec.passes, recorder, diagnostics);
  recorder.end(module);
  return std::move(module.functions[0]);
}

void trace_corners(const Function& parsed, const CompileOptions& options, TracePage& page) {
  const TraceLimits limits;
  page.functions = {parsed.name};
  std::vector<TraceVariant>& variants = page.variants.emplace_back();
  for (const VariantSpec& spec : ablation_specs()) {
    if (!spec.in_table)
      continue;
    const Function function = trace_corner(parsed, spec, page);
    page.traces.back().code.push_back(code_of(function, options, page.lines, limits));
    variants.push_back(variant_of(function, options));
    variants.back().name = spec.name;
    variants.back().is_traced = true;
  }
}

void add_code(const Session& session, const CompileOptions& options, TracePage& page) {
  const TraceLimits limits;
  Trace& trace = page.traces.front();
  for (size_t k = 0; k < session.module.functions.size(); ++k) {
    const Function& function = session.module.functions[k];
    page.functions.push_back(function.name);
    trace.code.push_back(code_of(function, options, page.lines, limits));
    page.variants.push_back(variants_of(session.parsed.functions[k], function,
                                        session.options.passes, options, limits));
  }
}

// The lines that remarks point at. What is longer than a screen is cut off.
void add_source(const SourceFile& source, TracePage& page) {
  constexpr size_t kLongest = 400;
  const auto add = [&](Loc loc) {
    if (loc.line != 0)
      page.source.try_emplace(loc.line, source.lines.line(source.text, loc.line), 0, kLongest);
  };
  for (const Trace& trace : page.traces)
    for (const TracePass& pass : trace.passes)
      for (const TraceStep& step : pass.steps) {
        add(step.remark.loc);
        for (const Note& note : step.remark.notes)
          add(note.loc);
      }
}

void replace(std::string& text, std::string_view mark, std::string_view by) {
  text.replace(text.find(mark), mark.size(), by);
}

} // namespace

std::unique_ptr<View> trace_view(Session& session) {
  return std::make_unique<TraceView>(session);
}

bool write_trace_page(Session& session, std::string_view command) {
  const Options& o = session.options;
  TracePage& page = *session.trace;
  if (is_ablation(session) && !page.figures)
    return true; // why there are none has been said
  const auto isa = chosen_isa(o, /*will_run=*/false);
  if (const auto* error = std::get_if<std::string>(&isa))
    return complain(*error), false;
  const CompileOptions options{std::get<Isa>(isa), o.nt_stores(), o.share_loops(),
                               last_level_cache_bytes()};
  const Timing::Step step(session.timing, "trace page");
  page.file = session.source.name;
  page.command = command;
  page.isa = spelling(options.isa);
  if (!is_ablation(session))
    add_code(session, options, page);
  else
    trace_corners(*session.parsed.find(page.figures->function), options, page);
  add_source(session.source, page);
  if (const auto error = replace_file(o.trace_html, html_of(page)))
    return complain(error->message), false;
  return true;
}

std::string html_of(const TracePage& page) {
  std::string html(kPageHtml);
  replace(html, "/* style */", kPageStyle);
  replace(html, "/* script */", kPageScript);
  replace(html, "/* data */", json_of(page)); // last: nothing is looked for in it
  return html;
}

} // namespace mo

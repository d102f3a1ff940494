// --run, --interpret and --check: the function called once, and what came out of it.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "runtime/arguments.h"
#include "runtime/environment.h"
#include "runtime/executable.h"
#include "runtime/npy.h"
#include "tools/driver.h"
#include "tools/files.h"
#include "tools/invocation.h"
#include "tools/reference.h"

namespace mo {
namespace {

using Outputs = std::vector<NamedArray>;
using OutputsOrError = std::variant<Outputs, std::string>;

OutputsOrError run_interpreted(const Function& function, const std::vector<std::string>& texts) {
  auto args = make_arguments(function, texts, ArgumentDefaults::None);
  if (const auto* error = std::get_if<RunError>(&args))
    return error->message;
  auto& values = std::get<std::vector<RuntimeValue>>(args);
  auto results = interpret(function, values);
  if (const auto* error = std::get_if<RunError>(&results))
    return error->message;
  return take_outputs(function, std::get<std::vector<Array>>(std::move(results)),
                      std::move(values));
}

// Compiles and calls; diagnostics holds what could not be compiled.
OutputsOrError run_compiled(Session& session, const Function& function, Isa isa,
                            Diagnostics& diagnostics) {
  const Function buffers = on_buffers(function);
  const CompileOptions options{isa, session.options.nt_stores(), last_level_cache_bytes()};
  std::optional<Executable> executable;
  {
    const Timing::Step step(session.timing, "code generation");
    executable = Executable::compile(buffers, options, diagnostics);
  }
  if (!executable)
    return std::string();
  auto args = make_arguments(buffers, session.options.args, ArgumentDefaults::None);
  if (const auto* error = std::get_if<RunError>(&args))
    return error->message;
  auto& values = std::get<std::vector<RuntimeValue>>(args);
  {
    const Timing::Step step(session.timing, "run");
    if (const auto error = executable->run(values))
      return error->message;
  }
  return take_outputs(buffers, {}, std::move(values));
}

int show(const Session& session, const Outputs& outputs) {
  std::string text;
  for (const NamedArray& output : outputs)
    if (output.written)
      text += summary(output) + "\n";
  if (const auto error = write_text("", text))
    return complain(error->message);
  if (session.options.out_dir.empty())
    return 0;
  const std::filesystem::path dir(session.options.out_dir);
  std::error_code code;
  std::filesystem::create_directories(dir, code);
  if (code)
    return complain(fmt::format("cannot make the directory {}: {}", dir.string(), code.message()));
  for (const NamedArray& output : outputs)
    if (const auto error = write_npy((dir / (output.label + ".npy")).string(), output.array))
      return complain(error->message);
  return 0;
}

// The outputs of both, in the same order: results, then memref arguments.
int compare_outputs(const Function& original, const Outputs& got, const Outputs& expected) {
  const Tolerance tolerance = tolerance_for(original);
  std::string text;
  int status = 0;
  for (const NamedArray& want : expected) {
    const auto wrong = mismatch(got, want, tolerance);
    const int64_t n = want.array.count();
    text += wrong ? fmt::format("{}: WRONG: {}\n", title(want), *wrong)
                  : fmt::format("{}: {} element{} OK\n", title(want), n, n == 1 ? "" : "s");
    status |= wrong ? 1 : 0;
  }
  if (const auto error = write_text("", text))
    return complain(error->message);
  return status;
}

int failed(const std::string& message, const Diagnostics& diagnostics, const Session& session) {
  return diagnostics.has_errors() ? complain(diagnostics, session.source) : complain(message);
}

} // namespace

int run(Session& session) {
  const Options& o = session.options;
  const auto index = entry_index(session.module, o.entry);
  if (const auto* error = std::get_if<std::string>(&index))
    return complain(*error);
  const Function& function = session.module.functions[std::get<size_t>(index)];
  const Function& original = session.parsed.functions[std::get<size_t>(index)];
  Diagnostics diagnostics;
  OutputsOrError compiled;
  if (o.action != Action::Interpret) {
    const auto isa = chosen_isa(o, /*will_run=*/true);
    if (const auto* error = std::get_if<std::string>(&isa))
      return complain(*error);
    compiled = run_compiled(session, function, std::get<Isa>(isa), diagnostics);
    if (const auto* error = std::get_if<std::string>(&compiled))
      return failed(*error, diagnostics, session);
    if (o.action == Action::Run)
      return show(session, std::get<Outputs>(compiled));
  }
  OutputsOrError interpreted;
  {
    ProgressLine progress;
    progress.show("interpreting ...");
    const Timing::Step step(session.timing, "interpret");
    interpreted =
        run_interpreted(o.action == Action::Check ? with_wide_sums(original) : function, o.args);
  }
  if (const auto* error = std::get_if<std::string>(&interpreted))
    return complain(*error);
  if (o.action == Action::Interpret)
    return show(session, std::get<Outputs>(interpreted));
  if (const int status =
          compare_outputs(original, std::get<Outputs>(compiled), std::get<Outputs>(interpreted)))
    return status;
  return o.out_dir.empty() ? 0 : show(session, std::get<Outputs>(compiled));
}

} // namespace mo

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
#include "tools/jit_view.h"
#include "tools/oracle.h"

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
  auto opened = JitView::open(session.options);
  if (auto* error = std::get_if<std::string>(&opened))
    return std::move(*error);
  auto& view = std::get<JitView>(opened);
  auto prepared = [&] {
    const Timing::Step step(session.timing, "buffers");
    return view.show(on_buffers(function));
  }();
  if (auto* error = std::get_if<std::string>(&prepared))
    return std::move(*error);
  const auto& shown = std::get<ShownFunction>(prepared);
  const Function& buffers = shown.function;
  const CompileOptions options{isa, session.options.nt_stores(), session.options.share_loops(),
                               last_level_cache_bytes()};
  Kernel loops;
  {
    const Timing::Step step(session.timing, "lowering");
    loops = build_loops(buffers, options);
  }
  std::optional<Executable> executable;
  {
    const Timing::Step step(session.timing, "code generation");
    executable = Executable::compile(buffers, loops, isa, diagnostics, shown.audience);
  }
  if (!executable)
    return std::string();
  auto args = [&] {
    const Timing::Step step(session.timing, "arguments");
    return make_arguments(buffers, session.options.args, ArgumentDefaults::None);
  }();
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

std::string verdict(const ExpectedOutput& want, const std::optional<std::string>& wrong) {
  if (wrong)
    return fmt::format("{}: WRONG: {}\n", title(want.output), *wrong);
  const int64_t n = want.output.array.count() - want.undefined;
  std::string text = fmt::format("{}: {} element{} OK", title(want.output), n, n == 1 ? "" : "s");
  if (want.undefined > 0)
    text += fmt::format("; {} that the program leaves undefined, not compared", want.undefined);
  return text + "\n";
}

// Compares what was compiled with the interpreter, and says how far that is from libm.
int compare_outputs(Session& session, const Function& original, const Outputs& got, Isa isa) {
  const MakeArguments make = [&] {
    return make_arguments(original, session.options.args, ArgumentDefaults::None);
  };
  CompiledMath math(isa);
  std::variant<std::vector<ExpectedOutput>, RunError> outcome;
  {
    ProgressLine progress;
    progress.show("interpreting ...");
    const Timing::Step step(session.timing, "interpret");
    outcome = expected_outputs(original, make, &math);
  }
  if (const auto* error = std::get_if<RunError>(&outcome))
    return complain(error->message);
  const Timing::Step step(session.timing, "compare");
  const auto& expected = std::get<std::vector<ExpectedOutput>>(outcome);
  std::vector<std::string> remarks(expected.size());
  if (uses_approximated_math(original)) {
    auto distances = distances_from_libm(original, make, got, expected);
    if (const auto* error = std::get_if<RunError>(&distances))
      return complain(error->message);
    remarks = std::get<std::vector<std::string>>(std::move(distances));
  }
  std::string text;
  int status = 0;
  for (size_t k = 0; k < expected.size(); ++k) {
    const auto wrong = mismatch(got, expected[k]);
    text += verdict(expected[k], wrong);
    if (!remarks[k].empty())
      text += fmt::format("{}: {}\n", title(expected[k].output), remarks[k]);
    status |= wrong ? 1 : 0;
  }
  if (const auto error = write_text("", text))
    return complain(error->message);
  return status;
}

int interpret_and_show(Session& session, const Function& function) {
  OutputsOrError interpreted;
  {
    ProgressLine progress;
    progress.show("interpreting ...");
    const Timing::Step step(session.timing, "interpret");
    interpreted = run_interpreted(function, session.options.args);
  }
  if (const auto* error = std::get_if<std::string>(&interpreted))
    return complain(*error);
  return show(session, std::get<Outputs>(interpreted));
}

} // namespace

int run(Session& session) {
  const Options& o = session.options;
  const auto index = entry_index(session.module, o.entry);
  if (const auto* error = std::get_if<std::string>(&index))
    return complain(*error);
  const Function& function = session.module.functions[std::get<size_t>(index)];
  if (o.action == Action::Interpret)
    return interpret_and_show(session, function);
  const auto isa = chosen_isa(o, /*will_run=*/true);
  if (const auto* error = std::get_if<std::string>(&isa))
    return complain(*error);
  Diagnostics diagnostics;
  const OutputsOrError compiled = run_compiled(session, function, std::get<Isa>(isa), diagnostics);
  if (const auto* error = std::get_if<std::string>(&compiled))
    return diagnostics.has_errors() ? complain(diagnostics, session.source) : complain(*error);
  const auto& outputs = std::get<Outputs>(compiled);
  if (o.action == Action::Run)
    return show(session, outputs);
  const Function& original = session.parsed.functions[std::get<size_t>(index)];
  if (const int status = compare_outputs(session, original, outputs, std::get<Isa>(isa)))
    return status;
  return o.out_dir.empty() ? 0 : show(session, outputs);
}

} // namespace mo

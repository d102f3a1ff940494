#include "tools/benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "runtime/executable.h"
#include "runtime/stream_limit.h"
#include "tools/driver.h"
#include "tools/invocation.h"
#include "tools/memory_model.h"
#include "tools/oracle.h"
#include "tools/reference.h"

namespace mo {
namespace {

constexpr std::string_view kOrdinaryStores = "D with ordinary stores";

// A variant, its code, and the arrays it is called with.
struct Built {
  VariantResult result;
  Executable executable;
  std::vector<RuntimeValue> args;
  std::vector<void*> pointers; // what Entry takes
  bool failed = false;         // a timed call could not allocate
};

std::variant<std::vector<RuntimeValue>, RunError> fresh_arguments(const Function& f,
                                                                  const BenchmarkSettings& s) {
  return make_arguments(f, s.args, ArgumentDefaults::Random);
}

// What is compiled of a variant's buffers. `label` tells its kernel from the others' in views of
// it.
std::optional<ShownFunction> shown(const Function& buffers, const std::string& label,
                                   const BenchmarkSettings& settings, Diagnostics& diagnostics) {
  if (!settings.view)
    return ShownFunction{buffers, {}};
  auto shown = settings.view->show(buffers, label);
  if (const auto* error = std::get_if<std::string>(&shown)) {
    diagnostics.error(DiagId::CodegenFailed, {}, *error);
    return std::nullopt;
  }
  return std::get<ShownFunction>(std::move(shown));
}

std::optional<Built> build(const Function& function, const VariantSpec& spec,
                           const std::string& label, const BenchmarkSettings& settings,
                           int64_t page_bytes, Diagnostics& diagnostics) {
  Module module;
  module.functions.push_back(function);
  Observers nobody;
  if (!run_pipeline(module, spec.passes, nobody, diagnostics))
    return std::nullopt;
  Built built;
  VariantResult& r = built.result;
  r.spec = spec;
  auto show = shown(on_buffers(module.functions[0]), label, settings, diagnostics);
  if (!show)
    return std::nullopt;
  r.buffers = std::move(show->function);
  r.counts = count(r.buffers);
  const CompileOptions options{settings.isa, spec.nt_stores, settings.share_loops,
                               last_level_cache_bytes()};
  const Kernel loops = build_loops(r.buffers, options);
  r.walks = walks_over_memory(loops);
  for (int64_t bytes : allocated_bytes(loops)) {
    r.allocated_bytes += bytes;
    r.predicted_faults += predicted_faults(bytes, page_bytes);
  }
  auto executable = Executable::compile(r.buffers, options, diagnostics, show->audience);
  if (!executable)
    return std::nullopt;
  built.executable = std::move(*executable);
  return built;
}

// One call on arrays of its own, every element compared.
std::optional<RunError> verify_variant(Built& b, const std::vector<ExpectedOutput>& expected,
                                       const BenchmarkSettings& settings) {
  auto args = fresh_arguments(b.result.buffers, settings);
  if (const auto* error = std::get_if<RunError>(&args))
    return *error;
  auto& values = std::get<std::vector<RuntimeValue>>(args);
  if (auto error = b.executable.run(values))
    return error;
  const std::vector<NamedArray> got = take_outputs(b.result.buffers, {}, std::move(values));
  b.result.verified = true;
  for (const ExpectedOutput& want : expected)
    if (const auto wrong = mismatch(got, want); wrong && b.result.verified) {
      b.result.verified = false;
      b.result.mismatch = fmt::format("{}: {}", want.output.label, *wrong);
    }
  return std::nullopt;
}

// Every variant's call on the same arrays: argument k of all of them is argument k of `shared`.
std::vector<Contender> contenders_on(const std::vector<Built*>& timed,
                                     std::vector<RuntimeValue>& shared) {
  std::vector<Contender> contenders;
  for (Built* b : timed) {
    b->pointers = entry_arguments(shared);
    contenders.push_back({b->result.spec.name, [b] {
                            if (b->executable.kernel().entry(b->pointers.data()) != 0)
                              b->failed = true;
                          }});
  }
  return contenders;
}

// The arrays that any implementation has to read and to write.
struct Traffic {
  std::vector<std::span<const std::byte>> read;
  std::vector<std::span<std::byte>> written;
};
Traffic traffic_of(const Function& original, const Function& buffers,
                   std::vector<RuntimeValue>& args) {
  Traffic t;
  const std::vector<ArgumentUse> uses = argument_uses(original);
  for (size_t k = 0; k < args.size(); ++k) {
    auto* array = std::get_if<Array>(&args[k]);
    if (!array)
      continue;
    const bool is_result = buffers.args[k].is_result;
    if (!is_result && uses[k].read)
      t.read.push_back({array->data(), array->bytes()});
    if (is_result || uses[k].written)
      t.written.push_back({array->data(), array->bytes()});
  }
  return t;
}

std::optional<RunError> time_variants(const Function& function, std::vector<Built>& built,
                                      const BenchmarkSettings& settings, BenchmarkReport& report) {
  auto args = fresh_arguments(built[0].result.buffers, settings);
  if (const auto* error = std::get_if<RunError>(&args))
    return *error;
  auto& shared = std::get<std::vector<RuntimeValue>>(args);
  std::vector<Built*> timed;
  for (Built& b : built)
    if (b.result.verified)
      timed.push_back(&b);
  std::vector<Contender> contenders = contenders_on(timed, shared);
  const Traffic traffic = traffic_of(function, built[0].result.buffers, shared);
  contenders.push_back({"limit", [&] { stream_through(traffic.read, traffic.written); }});
  const auto figures =
      measure_interleaved(contenders, settings.iterations, [&](int round, int rounds) {
        if (settings.progress)
          settings.progress(fmt::format("measuring, round {} of {}", round + 1, rounds));
      });
  for (const Built* b : timed)
    if (b->failed)
      return RunError{
          fmt::format("{}: an allocation failed while it was timed", b->result.spec.name)};
  for (size_t k = 0; k < timed.size(); ++k)
    timed[k]->result.figures = figures[k];
  report.limit = figures.back();
  return std::nullopt;
}

} // namespace

std::vector<VariantSpec> ablation_specs() {
  using enum PassKind;
  return {{"A_unfused", {Bufferize}, NtStores::Auto, true},
          {"B_fused", {Fuse, Bufferize}, NtStores::Auto, true},
          {"C_unfused_elim", {Elim}, NtStores::Auto, true},
          {"D_fused_elim", {Fuse, Elim}, NtStores::Auto, true},
          {std::string(kOrdinaryStores), {Fuse, Elim}, NtStores::Never, false}};
}

bool BenchmarkReport::all_verified() const {
  return std::all_of(variants.begin(), variants.end(),
                     [](const VariantResult& v) { return v.verified; });
}

double BenchmarkReport::useful_gb_s(double ms) const {
  return ms > 0 ? static_cast<double>(read_bytes + written_bytes) / (ms * 1e6) : 0;
}

std::variant<BenchmarkReport, RunError> run_benchmark(const Function& function,
                                                      const std::vector<VariantSpec>& specs,
                                                      const BenchmarkSettings& settings,
                                                      Diagnostics& diagnostics) {
  const auto tell = [&](const std::string& what) {
    if (settings.progress)
      settings.progress(what);
  };
  BenchmarkReport report;
  report.environment = environment();
  report.command = settings.command;
  report.function = function.name;
  report.isa = spelling(settings.isa);
  report.iterations = settings.iterations;
  const UsefulBytes useful = useful_bytes(function);
  report.read_bytes = useful.read;
  report.written_bytes = useful.written;
  if (useful.read + useful.written == 0)
    return RunError{fmt::format("@{} moves no bytes: there is nothing to time", function.name)};
  std::vector<Built> built;
  for (const VariantSpec& spec : specs) {
    auto one = build(function, spec, specs.size() > 1 ? spec.name : "", settings,
                     report.environment.page_bytes, diagnostics);
    if (!one)
      return RunError{fmt::format("{} does not compile", spec.name)};
    built.push_back(std::move(*one));
  }
  tell("interpreting, to have something to compare with");
  CompiledMath math(settings.isa);
  auto expected = expected_outputs(
      function, [&] { return fresh_arguments(function, settings); }, &math);
  if (const auto* error = std::get_if<RunError>(&expected))
    return *error;
  if (const int64_t terms = float_sums(function).longest; terms > 0)
    report.tolerance_ulps = sum_tolerance(terms);
  for (Built& b : built) {
    tell(fmt::format("checking every element of {}", b.result.spec.name));
    if (const auto error =
            verify_variant(b, std::get<std::vector<ExpectedOutput>>(expected), settings))
      return *error;
  }
  expected = RunError{}; // its memory goes before the clock runs
  if (const auto error = time_variants(function, built, settings, report))
    return *error;
  for (Built& b : built)
    report.variants.push_back(std::move(b.result));
  return report;
}

std::vector<Effect> effects_of(const BenchmarkReport& report) {
  const auto figures = [&](std::string_view name) -> const Figures* {
    for (const VariantResult& v : report.variants)
      if (v.spec.name == name && v.figures)
        return &*v.figures;
    return nullptr;
  };
  std::vector<Effect> effects;
  const auto add = [&](std::string what, std::string_view from, std::string_view to) {
    const Figures *a = figures(from), *b = figures(to);
    if (a && b)
      effects.push_back(
          {std::move(what), std::string(from), std::string(to), b->p50_ms / a->p50_ms});
  };
  add("fusion alone", "A_unfused", "B_fused");
  add("elimination alone", "A_unfused", "C_unfused_elim");
  add("both", "A_unfused", "D_fused_elim");
  add("without fusion", "D_fused_elim", "C_unfused_elim");
  add("without elimination", "D_fused_elim", "B_fused");
  add("without streaming stores", "D_fused_elim", kOrdinaryStores);
  return effects;
}

} // namespace mo

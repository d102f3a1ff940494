// --bench and --ablate: pipelines of one function, verified and timed against each other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/compile.h"
#include "ir/function.h"
#include "passes/pipeline.h"
#include "runtime/arguments.h"
#include "runtime/environment.h"
#include "runtime/measure.h"
#include "tools/jit_view.h"

namespace mo {

/// One pipeline to be measured.
struct VariantSpec {
  std::string name; // "A_unfused"
  std::vector<PassKind> passes;
  NtStores nt_stores = NtStores::Auto;
  bool in_table = true; // false: measured only for the effects below the table
};

/// The four corners of the lab, and the last one again with ordinary stores.
std::vector<VariantSpec> ablation_specs();

/// What was found out about one of them.
struct VariantResult {
  VariantSpec spec;
  Function buffers; // the IR that was compiled
  Counts counts;
  int walks = 0;                // walks_over_memory
  int64_t allocated_bytes = 0;  // by all its temps together, as they are compiled
  int64_t predicted_faults = 0; // per call
  bool verified = false;
  std::string mismatch;           // the first wrong element, in words; empty where verified
  std::optional<Figures> figures; // none for a wrong one
};

struct BenchmarkReport {
  Environment environment;
  std::string command;
  std::string function;
  std::string isa;
  int iterations = 0;
  int64_t read_bytes = 0, written_bytes = 0; // useful_bytes of the function
  std::vector<VariantResult> variants;
  Figures limit;             // the streaming copy of the same bytes
  double tolerance_ulps = 0; // sum_tolerance of the longest float sum; 0: compared to the bit
  bool all_verified() const;
  /// Decimal GB/s of useful bytes.
  double useful_gb_s(double ms) const;
};

struct BenchmarkSettings {
  int iterations = 21;
  ShareLoops share_loops = ShareLoops::Auto;
  Isa isa = Isa::SSE42;
  std::string command;
  std::vector<std::string> args;                    // of --arg; empty: ArgumentDefaults::Random
  JitView* view = nullptr;                          // who else is to know of the code
  std::function<void(const std::string&)> progress; // what is being done, for a person who waits
};

/// Runs `function` (unchanged, as parsed) through each pipeline, compares every variant's results
/// with the interpreter's over all elements, then times the right ones interleaved with the
/// streaming copy, all on the same arrays. An error: arguments that do not fit, memory that is not
/// to be had, code that cannot be made (diagnostics then holds why), a benchmark that moves no
/// bytes.
std::variant<BenchmarkReport, RunError> run_benchmark(const Function& function,
                                                      const std::vector<VariantSpec>& specs,
                                                      const BenchmarkSettings& settings,
                                                      Diagnostics& diagnostics);

/// The report for people: environment, rows, effects, one sentence.
std::string text_of(const BenchmarkReport& report);
/// The two rows of one variant, as the lab prints them.
std::string rows_of(const BenchmarkReport& report, const VariantResult& variant);
/// The same for programs; the layout is in tools/README.md.
std::string json_of(const BenchmarkReport& report);

/// What changes where one optimisation is turned on or off: a pair of variants.
struct Effect {
  std::string what;     // "fusion off"
  std::string from, to; // names of variants
  double factor = 0;    // p50 of `to` / p50 of `from`
};
/// Each optimisation alone (from A) and taken away (from D), as far as both ends were measured.
std::vector<Effect> effects_of(const BenchmarkReport& report);

} // namespace mo

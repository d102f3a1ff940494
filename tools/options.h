// The command line of mini-opt, as data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "codegen/isa.h"
#include "codegen/loop_nest.h"
#include "passes/pipeline.h"

namespace mo {

/// What mini-opt does with the IR once the passes have run.
enum class Action : uint8_t {
  Emit,      // print it (the default)
  Run,       // --run
  Interpret, // --interpret
  Check,     // --check
  Bench,     // --bench
  Ablate,    // --ablate
  Help,      // --help
  Version,   // --version
};

enum class EmitKind : uint8_t { Ir, Loops, Asm, Obj, Header };

struct RemarkKinds {
  bool passed = false, missed = false, analysis = false;
  bool any() const { return passed || missed || analysis; }
};

/// Which refusals are remarks: those that stand at the end, or those seen on the way too.
enum class RemarkPolicy : uint8_t { Final, All };
/// Where --jit-debug writes if it is not told.
inline constexpr std::string_view kJitDebugDirectory = "mini-opt-jit-debug";

/// Around which passes the IR is shown.
struct DumpRequest {
  bool all = false;
  std::vector<PassKind> passes;
  bool any() const { return all || !passes.empty(); }
  bool asks_for(std::string_view pass) const; // "fuse"
};

/// How --print-changed shows a change: the IR after it, or what differs.
enum class ChangeForm : uint8_t { Whole, Diff };

struct Options {
  Action action = Action::Emit;
  std::vector<PassKind> passes; // in the order given
  std::string input;            // "-" is stdin
  std::string output;           // empty or "-": stdout
  std::optional<EmitKind> emit_given;
  RemarkKinds remarks;
  std::optional<RemarkPolicy> remarks_policy_given;
  std::string remarks_output; // empty: none
  bool step = false;
  DumpRequest print_before, print_after;
  std::optional<ChangeForm> print_changed;
  std::string tree_dir; // --print-ir-tree-dir; empty: none
  bool stats = false, timing = false;
  std::optional<int64_t> bisect_limit; // -1: all rewrites
  std::string reproducer;              // the file of --generate-reproducer; empty: none
  bool run_reproducer = false;         // the passes and the limit stand in the input
  std::string entry;                   // empty: the only function
  std::vector<std::string> args;
  std::string out_dir;
  std::optional<int> iterations; // of --bench and --ablate
  std::string json;
  std::optional<std::string> jit_debug; // a directory
  bool perf_map = false;
  std::string trace_html; // empty: no page
  std::optional<Isa> isa;
  std::optional<NtStores> nt_stores_given;
  std::optional<ShareLoops> share_loops_given;

  RemarkPolicy remarks_policy() const { return remarks_policy_given.value_or(RemarkPolicy::Final); }
  EmitKind emit() const { return emit_given.value_or(EmitKind::Ir); }
  NtStores nt_stores() const { return nt_stores_given.value_or(NtStores::Auto); }
  ShareLoops share_loops() const { return share_loops_given.value_or(ShareLoops::Auto); }
};

/// What is wrong with a command line, in one sentence; shown as "mini-opt: error: ...".
struct UsageError {
  std::string message;
};

/// Reads the arguments that follow the program's name. Flags and their values only: that they fit
/// together is checked here too (see check_combinations in options.cpp), files are not touched.
std::variant<Options, UsageError> parse_options(std::span<const std::string_view> arguments);

/// What is wrong with the passes of a command line, or with what is to be shown of them; "" where
/// nothing is. With --run-reproducer they are known only once the input is read.
std::string check_pipeline(const Options& options);

/// The text of --help: every flag of the table, one screen.
std::string help_text();

} // namespace mo

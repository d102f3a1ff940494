#include "tools/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <utility>

#include "ir/edit_distance.h"
#include "tools/flag_values.h"

namespace mo {
namespace {

std::string set_action(Options& o, Action action, std::string_view flag) {
  static constexpr std::string_view kNames[] = {"",        "--run",    "--interpret", "--check",
                                                "--bench", "--ablate", "--help",      "--version"};
  if (o.action != Action::Emit && o.action != action)
    return fmt::format("{} and {} exclude each other: one thing is done with the IR",
                       kNames[static_cast<size_t>(o.action)], flag);
  o.action = action;
  return "";
}

std::string set_iterations(Options& o, std::string_view flag, std::string_view value) {
  if (value.empty())
    return "";
  int n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || n < 1 || n > 100000)
    return wrong_value(flag, value, "a number of iterations from 1 to 100000");
  o.iterations = n;
  return "";
}

std::string add_pass(Options& o, PassKind pass) {
  o.passes.push_back(pass);
  return "";
}

std::string apply_fuse(Options& o, std::string_view value) {
  if (value.empty())
    return add_pass(o, PassKind::Fuse);
  if (value == "mlir")
    return add_pass(o, PassKind::FuseMlir);
  return wrong_value("--fuse", value, "'mlir' or no value");
}

std::string apply_emit(Options& o, std::string_view value) {
  return choose<EmitKind>(o.emit_given, "--emit", value,
                          {{"ir", EmitKind::Ir},
                           {"loops", EmitKind::Loops},
                           {"asm", EmitKind::Asm},
                           {"obj", EmitKind::Obj},
                           {"header", EmitKind::Header}});
}

std::string apply_remarks(Options& o, std::string_view value) {
  if (value.empty()) {
    o.remarks = {true, true, true};
    return "";
  }
  while (!value.empty()) {
    const std::string_view kind = value.substr(0, value.find(','));
    value.remove_prefix(std::min(value.size(), kind.size() + 1));
    if (kind == "passed")
      o.remarks.passed = true;
    else if (kind == "missed")
      o.remarks.missed = true;
    else if (kind == "analysis")
      o.remarks.analysis = true;
    else
      return wrong_value("--remarks", kind, "a list of passed, missed, analysis");
  }
  return "";
}

std::string apply_remarks_policy(Options& o, std::string_view value) {
  return choose<RemarkPolicy>(o.remarks_policy_given, "--remarks-policy", value,
                              {{"final", RemarkPolicy::Final}, {"all", RemarkPolicy::All}});
}

std::string apply_jit_debug(Options& o, std::string_view value) {
  const std::string directory(value.empty() ? kJitDebugDirectory : value);
  if (o.jit_debug && *o.jit_debug != directory)
    return fmt::format("--jit-debug is given twice: '{}' and '{}'", *o.jit_debug, directory);
  o.jit_debug = directory;
  return "";
}

std::string apply_perf(Options& o, std::string_view value) {
  if (value != "map")
    return wrong_value("--perf", value, "map");
  o.perf_map = true;
  return "";
}

std::string apply_isa(Options& o, std::string_view value) {
  return choose<Isa>(o.isa, "--isa", value,
                     {{"sse4.2", Isa::SSE42}, {"avx2", Isa::AVX2}, {"avx512", Isa::AVX512}});
}

std::string apply_nt_stores(Options& o, std::string_view value) {
  return choose<NtStores>(
      o.nt_stores_given, "--nt-stores", value,
      {{"auto", NtStores::Auto}, {"always", NtStores::Always}, {"never", NtStores::Never}});
}

std::string apply_share_loops(Options& o, std::string_view value) {
  return choose<ShareLoops>(o.share_loops_given, "--share-loops", value,
                            {{"auto", ShareLoops::Auto}, {"never", ShareLoops::Never}});
}

std::string apply_trace_html(Options& o, std::string_view value) {
  if (value == "-")
    return "--trace-html writes a page for a browser; give it the name of a file";
  return set_once(o.trace_html, "--trace-html", value);
}

constexpr std::string_view kPasses = "Passes, run in the order given";
constexpr std::string_view kLook = "What to look at";
constexpr std::string_view kRun = "What to do with the function instead of printing it";
constexpr std::string_view kRunOptions = "For the above";

// clang-format off
constexpr Flag kFlags[] = {
  {"--fuse", FlagValue::Optional, "--fuse[=mlir]", "elementwise fusion where the maps line up; =mlir: mlir-opt's rules", kPasses, apply_fuse, true},
  {"--canonicalize", FlagValue::None, "--canonicalize", "the clean-ups that mlir-opt runs along with fusion", kPasses,
   [](Options& o, std::string_view) { return add_pass(o, PassKind::Canonicalize); }, true},
  {"--bufferize", FlagValue::None, "--bufferize", "tensors to buffers, each result copied to where it is wanted", kPasses,
   [](Options& o, std::string_view) { return add_pass(o, PassKind::Bufferize); }, true},
  {"--elim", FlagValue::None, "--elim", "bufferize in destination-passing style: no temp, no copy", kPasses,
   [](Options& o, std::string_view) { return add_pass(o, PassKind::Elim); }, true},

  {"-o", FlagValue::Required, "-o FILE", "write there instead of stdout", kLook,
   [](Options& o, std::string_view v) { return set_once(o.output, "-o", v); }},
  {"--emit", FlagValue::Required, "--emit=KIND", "ir, loops (what code is made of), asm (GNU as), obj (ELF), header (C)", kLook, apply_emit},
  {"--remarks", FlagValue::Optional, "--remarks[=KINDS]", "every decision, on stderr; KINDS of passed,missed,analysis", kLook, apply_remarks},
  {"--remarks-policy", FlagValue::Required, "--remarks-policy=all", "", kLook, apply_remarks_policy},
  {"--remarks-output", FlagValue::Required, "--remarks-output=FILE", "also what was refused on the way; the remarks as YAML", kLook,
   [](Options& o, std::string_view v) { return set_once(o.remarks_output, "--remarks-output", v); }},
  {"--print-ir-before", FlagValue::Required, "--print-ir-before=P", "", kLook, apply_print_ir_before},
  {"--print-ir-before-all", FlagValue::None, "--print-ir-before-all", "the IR before passes P,P..., or before each, on stderr", kLook,
   [](Options& o, std::string_view) { o.print_before.all = true; return std::string(); }},
  {"--print-ir-after", FlagValue::Required, "--print-ir-after=P", "", kLook, apply_print_ir_after},
  {"--print-ir-after-all", FlagValue::None, "--print-ir-after-all", "the same after them", kLook,
   [](Options& o, std::string_view) { o.print_after.all = true; return std::string(); }},
  {"--print-changed", FlagValue::Optional, "--print-changed[=diff]", "", kLook, apply_print_changed},
  {"--print-ir-tree-dir", FlagValue::Required, "--print-ir-tree-dir=DIR", "where it changed, or how; DIR/000_input.tir, ...", kLook,
   [](Options& o, std::string_view v) { return set_once(o.tree_dir, "--print-ir-tree-dir", v); }},
  {"--trace-html", FlagValue::Required, "--trace-html=FILE", "a page: every rewrite, why, and the code and walks over memory it led to", kLook, apply_trace_html},
  {"--stats", FlagValue::None, "--stats", "", kLook,
   [](Options& o, std::string_view) { o.stats = true; return std::string(); }},
  {"--timing", FlagValue::None, "--timing", "counts per pass; where the time goes, on stderr", kLook,
   [](Options& o, std::string_view) { o.timing = true; return std::string(); }},
  {"--step", FlagValue::None, "--step", "", kLook,
   [](Options& o, std::string_view) { o.step = true; return std::string(); }},
  {"--opt-bisect-limit", FlagValue::Required, "--opt-bisect-limit=N", "ask about each rewrite; do only the first N, numbered (-1: all)", kLook, apply_bisect_limit, true},
  {"--generate-reproducer", FlagValue::Required, "--generate-reproducer=FILE", "", kLook,
   [](Options& o, std::string_view v) { return set_once(o.reproducer, "--generate-reproducer", v); }},
  {"--run-reproducer", FlagValue::None, "--run-reproducer", "input and passes in one file; run such a one", kLook,
   [](Options& o, std::string_view) { o.run_reproducer = true; return std::string(); }},

  {"--run", FlagValue::None, "--run", "compile it and call it; prints what came out", kRun,
   [](Options& o, std::string_view) { return set_action(o, Action::Run, "--run"); }},
  {"--interpret", FlagValue::None, "--interpret", "the same through the reference interpreter", kRun,
   [](Options& o, std::string_view) { return set_action(o, Action::Interpret, "--interpret"); }},
  {"--check", FlagValue::None, "--check", "both, every element compared", kRun,
   [](Options& o, std::string_view) { return set_action(o, Action::Check, "--check"); }},
  {"--bench", FlagValue::Optional, "--bench[=ITERS]", "time this pipeline", kRun,
   [](Options& o, std::string_view v) {
     const std::string error = set_action(o, Action::Bench, "--bench");
     return error.empty() ? set_iterations(o, "--bench", v) : error; }},
  {"--ablate", FlagValue::Optional, "--ablate[=ITERS]", "time {fusion} x {elimination} and what each one brings", kRun,
   [](Options& o, std::string_view v) {
     const std::string error = set_action(o, Action::Ablate, "--ablate");
     return error.empty() ? set_iterations(o, "--ablate", v) : error; }},

  {"--entry", FlagValue::Required, "--entry=NAME", "which function, where there are several", kRunOptions,
   [](Options& o, std::string_view v) { return set_once(o.entry, "--entry", v.starts_with('@') ? v.substr(1) : v); }},
  {"--arg", FlagValue::Required, "--arg=V", "once per argument: a number, or FILE.npy, random[:SEED], iota, zeros, ones", kRunOptions,
   [](Options& o, std::string_view v) { o.args.emplace_back(v); return std::string(v.empty() ? "--arg needs a value" : ""); }},
  {"--out-dir", FlagValue::Required, "--out-dir=DIR", "write result0.npy, ... and memref arguments as arg0.npy, ...", kRunOptions,
   [](Options& o, std::string_view v) { return set_once(o.out_dir, "--out-dir", v); }},
  {"--isa", FlagValue::Required, "--isa=NAME", "sse4.2, avx2 or avx512; the best of this CPU by default", kRunOptions, apply_isa},
  {"--nt-stores", FlagValue::Required, "--nt-stores=WHEN", "streaming stores: auto (outputs larger than cache), always, never", kRunOptions, apply_nt_stores},
  {"--share-loops", FlagValue::Required, "--share-loops=WHEN", "rows walked once by several nests: auto (around reductions), never", kRunOptions, apply_share_loops},
  {"--jit-debug", FlagValue::Optional, "--jit-debug[=DIR]", "", kRunOptions, apply_jit_debug},
  {"--perf", FlagValue::Required, "--perf=map", "show running code to gdb, by lines of IR in DIR; its names to perf", kRunOptions, apply_perf},
  {"--json", FlagValue::Required, "--json=FILE", "the figures of --bench and --ablate", kRunOptions,
   [](Options& o, std::string_view v) { return set_once(o.json, "--json", v); }},
  {"--help", FlagValue::None, "--help", "", kRunOptions,
   [](Options& o, std::string_view) { return set_action(o, Action::Help, "--help"); }},
  {"--version", FlagValue::None, "--version", "this text; the version, and the instruction sets of this CPU", kRunOptions,
   [](Options& o, std::string_view) { return set_action(o, Action::Version, "--version"); }},
};
// clang-format on

} // namespace

std::span<const Flag> flags() {
  return kFlags;
}

std::string_view nearest_flag(std::string_view name) {
  constexpr size_t kLongest = 64; // what is longer than this is no misspelt flag
  std::string_view best;
  size_t best_distance = name.size() > kLongest ? 0 : std::max<size_t>(2, name.size() / 2);
  for (const Flag& flag : kFlags) {
    const size_t distance = edit_distance(name.substr(0, kLongest), flag.name);
    if (distance < best_distance) {
      best = flag.name;
      best_distance = distance;
    }
  }
  return best;
}

} // namespace mo

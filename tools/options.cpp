#include "tools/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/flags.h"

namespace mo {
namespace {

bool runs_code(Action a) {
  return a == Action::Run || a == Action::Check || a == Action::Bench || a == Action::Ablate;
}
bool takes_arguments(Action a) {
  return runs_code(a) || a == Action::Interpret;
}
bool is_bufferizing(PassKind p) {
  return p == PassKind::Bufferize || p == PassKind::Elim;
}

// What shows running code to others needs some that runs.
std::string check_views_of_code(const Options& o) {
  const std::string_view flag = o.jit_debug ? "--jit-debug" : o.perf_map ? "--perf" : "";
  if (flag.empty() || runs_code(o.action))
    return "";
  if (o.action == Action::Interpret)
    return fmt::format("{} shows code that runs, and --interpret makes none; use --run", flag);
  if (o.emit() == EmitKind::Obj && o.jit_debug)
    return "--jit-debug is for code that runs here; an object file of --emit=obj has lines and "
           "names for a debugger in any case";
  return fmt::format("{} shows code that runs here, and none does (see --run, --check, --bench)",
                     flag);
}

// The order of the passes: what works on tensors stands before what takes the tensors away.
std::string check_passes(const Options& o) {
  const auto buffers = std::find_if(o.passes.begin(), o.passes.end(), is_bufferizing);
  if (buffers == o.passes.end() || buffers + 1 == o.passes.end())
    return "";
  const PassKind next = *(buffers + 1);
  if (is_bufferizing(next))
    return fmt::format(
        "--{} after --{}: after the first one there are no tensors left to bufferize",
        spelling(next), spelling(*buffers));
  return fmt::format("--{} after --{}: it works on tensors, and there are none left; put it before",
                     spelling(next), spelling(*buffers));
}

std::string check_remarks(const Options& o) {
  const std::string_view flag = !o.remarks_output.empty() ? "--remarks-output" : "--remarks";
  if (o.remarks_policy_given && !o.remarks.any() && o.remarks_output.empty())
    return "--remarks-policy says which remarks there are; add --remarks or --remarks-output=FILE";
  if (!o.remarks.any() && o.remarks_output.empty())
    return "";
  if (o.action == Action::Ablate)
    return fmt::format("{} shows the decisions of a pipeline, and --ablate runs four of its own",
                       flag);
  if (o.passes.empty() && !o.run_reproducer)
    return fmt::format("{} shows what passes decide, and none is asked for", flag);
  const bool prints_to_stdout = o.action == Action::Emit && (o.output.empty() || o.output == "-");
  if (o.remarks_output == "-" && (prints_to_stdout || o.action != Action::Emit))
    return "--remarks-output=- would mix with what stdout is for; name a file, or add -o FILE";
  if (!o.remarks_output.empty() && o.remarks_output == o.output)
    return fmt::format("--remarks-output and -o both name '{}'", o.output);
  return "";
}

std::string check_step(const Options& o) {
  if (!o.step)
    return "";
  if (o.action == Action::Ablate)
    return "--step asks about the rewrites of one pipeline, and --ablate runs four of its own";
  if (o.action == Action::Bench)
    return "--bench times the whole pipeline; what --step leaves out would be in it";
  if (!o.reproducer.empty())
    return "--generate-reproducer keeps the passes, not what is answered in --step; leave out one "
           "of "
           "the two";
  if (o.passes.empty() && !o.run_reproducer)
    return "--step stops before each rewrite of a pass, and none is asked for; add --fuse, say";
  if (o.input == "-")
    return "--step reads its keys from stdin, so the program has to come from a file";
  return "";
}

// The flags that look at passes, as they are spelled; "" where none is given.
std::string_view flag_about_passes(const Options& o) {
  if (o.print_before.any())
    return o.print_before.all ? "--print-ir-before-all" : "--print-ir-before";
  if (o.print_after.any())
    return o.print_after.all ? "--print-ir-after-all" : "--print-ir-after";
  if (o.print_changed)
    return "--print-changed";
  if (!o.tree_dir.empty())
    return "--print-ir-tree-dir";
  if (o.stats)
    return "--stats";
  return o.bisect_limit ? "--opt-bisect-limit" : "";
}

std::string check_looks(const Options& o) {
  const std::string_view flag = flag_about_passes(o);
  const bool measures = o.action == Action::Bench || o.action == Action::Ablate;
  if (!flag.empty() && o.action == Action::Ablate)
    return fmt::format("{} is about one pipeline, and --ablate runs four of its own", flag);
  if (o.bisect_limit && measures)
    return "--bench times the whole pipeline; --opt-bisect-limit would not change it";
  if (!flag.empty() && o.passes.empty() && !o.run_reproducer)
    return fmt::format("{} is about passes, and none is asked for", flag);
  if (o.run_reproducer && !o.passes.empty())
    return fmt::format("--run-reproducer takes the passes from the input; leave out --{}",
                       spelling(o.passes[0]));
  if (o.run_reproducer && o.bisect_limit)
    return "--run-reproducer takes the limit from the input; leave out --opt-bisect-limit";
  if (o.run_reproducer && measures)
    return fmt::format("--run-reproducer runs a pipeline once; leave out {}",
                       o.action == Action::Bench ? "--bench" : "--ablate");
  if (o.reproducer == "-")
    return "--generate-reproducer needs a file: stdout is for the result";
  if (!o.reproducer.empty() && o.reproducer == o.output)
    return fmt::format("--generate-reproducer and -o both name '{}'", o.output);
  return "";
}

// Passes whose IR is to be shown, and that do not run.
std::string check_dumps(const Options& o, const DumpRequest& request, std::string_view flag) {
  for (PassKind pass : request.passes)
    if (std::find(o.passes.begin(), o.passes.end(), pass) == o.passes.end()) {
      std::string all;
      for (PassKind p : o.passes)
        all += fmt::format(" --{}", spelling(p));
      return fmt::format("{}={}: that pass does not run; the pipeline is{}", flag, spelling(pass),
                         all.empty() ? " empty" : all);
    }
  return "";
}

// Flags that would have no effect beside the others are refused, with the reason.
std::string check_combinations(const Options& o) {
  if (o.action == Action::Help || o.action == Action::Version)
    return "";
  if (o.input.empty())
    return "no input file; '-' reads stdin, --help lists the flags";
  if (o.action == Action::Ablate && !o.passes.empty())
    return fmt::format("--ablate runs its own four pipelines; leave out --{}",
                       spelling(o.passes[0]));
  if (o.action == Action::Ablate && o.nt_stores() != NtStores::Auto)
    return "--ablate compares streaming with ordinary stores itself; leave out --nt-stores";
  if (const std::string error = check_remarks(o); !error.empty())
    return error;
  if (const std::string error = check_step(o); !error.empty())
    return error;
  if (const std::string error = check_looks(o); !error.empty())
    return error;
  if (!o.run_reproducer)
    if (const std::string error = check_pipeline(o); !error.empty())
      return error;
  if (o.action != Action::Emit && o.emit() != EmitKind::Ir)
    return "--emit prints instead of running; leave out one of the two";
  if (o.action != Action::Emit && !o.output.empty())
    return "-o is for what --emit prints; results go to --out-dir, figures to --json";
  if (!o.json.empty() && o.action != Action::Bench && o.action != Action::Ablate)
    return "--json holds the figures of --bench and --ablate; neither is given";
  if (!takes_arguments(o.action) && (!o.args.empty() || !o.out_dir.empty()))
    return fmt::format("{} is for --run, --interpret, --check, --bench and --ablate; none is given",
                       o.args.empty() ? "--out-dir" : "--arg");
  if (const std::string error = check_views_of_code(o); !error.empty())
    return error;
  if (!o.out_dir.empty() && (o.action == Action::Bench || o.action == Action::Ablate))
    return "--out-dir is for --run, --interpret and --check; a benchmark writes no results";
  if (o.action == Action::Emit && o.emit() == EmitKind::Ir && !o.entry.empty())
    return "--entry picks what to run or compile; the IR is printed whole";
  if (!runs_code(o.action) && o.emit() == EmitKind::Ir && o.trace_html.empty()) {
    if (o.isa)
      return "--isa is for code; nothing here generates any (see --run, --emit=asm)";
    if (o.nt_stores() != NtStores::Auto)
      return "--nt-stores is for code; nothing here generates any (see --run, --emit=loops)";
    if (o.share_loops_given)
      return "--share-loops is for code; nothing here generates any (see --run, --emit=loops)";
  }
  return "";
}

std::string apply_argument(Options& o, std::string_view argument) {
  const size_t equals = argument.find('=');
  const std::string_view name = argument.substr(0, equals);
  const auto all = flags();
  const auto flag =
      std::find_if(all.begin(), all.end(), [&](const Flag& f) { return f.name == name; });
  if (flag == all.end()) {
    const std::string_view near = nearest_flag(name);
    return near.empty() ? fmt::format("unknown flag '{}'; --help lists them", name)
                        : fmt::format("unknown flag '{}'; did you mean {}?", name, near);
  }
  const bool has_value = equals != std::string_view::npos;
  const std::string_view value = has_value ? argument.substr(equals + 1) : "";
  if (has_value && flag->value == FlagValue::None)
    return fmt::format("{} takes no value, and '{}' is given", name, value);
  if (value.empty() && (has_value || flag->value == FlagValue::Required))
    return fmt::format("{} needs a value: {}", name, flag->shown);
  return flag->apply(o, value);
}

std::string set_input(Options& o, std::string_view path) {
  if (path.empty())
    return "the name of the input file is empty";
  if (!o.input.empty())
    return fmt::format("one input file at a time, and there are two: '{}' and '{}'", o.input, path);
  o.input = path;
  return "";
}

} // namespace

std::variant<Options, UsageError> parse_options(std::span<const std::string_view> arguments) {
  Options options;
  bool only_files = false; // after "--"
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    std::string error;
    if (only_files || argument == "-" || !argument.starts_with('-'))
      error = set_input(options, argument);
    else if (argument == "--")
      only_files = true;
    else if (argument == "-h")
      error = apply_argument(options, "--help");
    else if (argument == "-o" && i + 1 < arguments.size())
      error = apply_argument(options, fmt::format("-o={}", arguments[++i]));
    else
      error = apply_argument(options, argument);
    if (!error.empty())
      return UsageError{std::move(error)};
  }
  if (std::string error = check_combinations(options); !error.empty())
    return UsageError{std::move(error)};
  return options;
}

std::string check_pipeline(const Options& o) {
  if (o.step && o.bisect_limit)
    return "--step asks about each rewrite, and --opt-bisect-limit decides without asking; leave "
           "out one of the two";
  std::string error = check_passes(o);
  if (error.empty())
    error = check_dumps(o, o.print_before, "--print-ir-before");
  if (error.empty())
    error = check_dumps(o, o.print_after, "--print-ir-after");
  return error;
}

bool DumpRequest::asks_for(std::string_view pass) const {
  return all ||
         std::any_of(passes.begin(), passes.end(), [&](PassKind p) { return spelling(p) == pass; });
}

std::string help_text() {
  std::string text = "mini-opt [FLAGS] INPUT.tir     INPUT is MLIR text; '-' reads stdin\n"
                     "    mini-opt --fuse --elim examples/fusion.tir\n";
  std::string_view group;
  std::string row; // the flags that share one
  for (const Flag& flag : flags()) {
    if (flag.group != group)
      text += fmt::format("\n{}:\n", group = flag.group);
    row += (row.empty() ? "" : ", ") + std::string(flag.shown);
    if (flag.help.empty())
      continue;
    text += fmt::format("  {:<20} {}{}\n", row, row.size() > 20 ? " " : "", flag.help);
    row.clear();
  }
  return text + "\nExit status: 0 done, 1 an error (said on stderr, with file:line:col where it "
                "has a place).\n";
}

} // namespace mo

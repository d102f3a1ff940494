#include "tests/random/random_check.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "codegen/isa.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/pipeline.h"
#include "runtime/executable.h"
#include "runtime/interpret.h"
#include "tools/oracle.h"

namespace mo::testing {
namespace {

constexpr size_t kMisalign[] = {0, 4, 8, 20, 1};

// What the program must give: libm's functions first, then those of each instruction set.
struct Expected {
  std::optional<Isa> isa;
  std::vector<ExpectedOutput> outputs;
};

std::optional<std::string> differ(const std::vector<NamedArray>& got,
                                  const std::vector<ExpectedOutput>& expected) {
  for (const NamedArray& output : got)
    if (!output.array.guard_intact())
      return title(output) + ": wrote outside the array";
  for (const ExpectedOutput& e : expected)
    if (const auto wrong = mismatch(got, e))
      return title(e.output) + ": " + *wrong;
  return std::nullopt;
}

std::variant<std::vector<NamedArray>, std::string> interpreted(const Function& f,
                                                               std::vector<RuntimeValue> args) {
  auto ran = interpret(f, args);
  if (const auto* error = std::get_if<RunError>(&ran))
    return "the interpreter says: " + error->message;
  return take_outputs(f, std::get<std::vector<Array>>(std::move(ran)), std::move(args));
}

std::variant<std::vector<Expected>, std::string> interpret_original(const RandomProgram& program,
                                                                    uint64_t seed) {
  std::vector<Expected> all;
  for (const std::optional<Isa> isa : {std::optional<Isa>(), std::optional(Isa::SSE42),
                                       std::optional(Isa::AVX2), std::optional(Isa::AVX512)}) {
    if (isa && (!host_supports(*isa) || !uses_approximated_math(program.function)))
      continue;
    CompiledMath math(isa.value_or(Isa::SSE42));
    auto outcome = expected_outputs(
        program.function,
        [&] { return random_arguments(program.function, seed, program.numbers, 0); },
        isa ? &math : nullptr);
    if (const auto* error = std::get_if<RunError>(&outcome))
      return "the interpreter says: " + error->message;
    all.push_back({isa, std::get<std::vector<ExpectedOutput>>(std::move(outcome))});
  }
  return all;
}

const std::vector<ExpectedOutput>& expected_on(const std::vector<Expected>& all, Isa isa) {
  const auto found = std::ranges::find_if(all, [&](const Expected& e) { return e.isa == isa; });
  return found == all.end() ? all[0].outputs : found->outputs; // without such functions: all alike
}

std::optional<std::string> check_round_trip(const Module& module) {
  const std::string text = print(module);
  Diagnostics diagnostics;
  const SourceFile source{"printed.tir", text};
  const auto again = parse_and_verify(source, diagnostics);
  if (!again)
    return "what is printed does not parse:\n" + render(diagnostics, source, false) + text;
  if (print(*again) != text)
    return "printing, parsing and printing again gives another text:\n" + text + "and\n" +
           print(*again);
  return std::nullopt;
}

std::optional<std::string> check_compiled(const Function& f, const RandomProgram& program,
                                          uint64_t seed, const std::vector<Expected>& expected) {
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512}) {
    if (!host_supports(isa))
      continue;
    const NtStores nt =
        (seed + static_cast<uint64_t>(isa)) % 2 == 0 ? NtStores::Auto : NtStores::Always;
    Diagnostics diagnostics;
    const auto executable = Executable::compile(f, {.isa = isa, .nt_stores = nt}, diagnostics);
    const std::string where =
        fmt::format("{}, streaming {}: ", spelling(isa), nt == NtStores::Auto ? "auto" : "always");
    if (!executable)
      return where + "does not compile: " + diagnostics.all().front().message;
    const size_t misalign =
        kMisalign[(seed / 7 + static_cast<uint64_t>(isa)) % std::size(kMisalign)];
    auto args = random_arguments(f, seed, program.numbers, misalign);
    if (const auto error = executable->run(args))
      return where + "does not run: " + error->message;
    for (const RuntimeValue& v : args)
      if (const auto* array = std::get_if<Array>(&v); array && !array->guard_intact())
        return where + "wrote outside an array";
    if (const auto wrong = differ(take_outputs(f, {}, std::move(args)), expected_on(expected, isa)))
      return where + *wrong;
  }
  return std::nullopt;
}

// The program after the passes; or what is wrong with it, its text and its meaning.
std::variant<Module, std::string> passed_through(const RandomProgram& program, uint64_t seed,
                                                 const std::vector<PassKind>& passes,
                                                 Observer& observer,
                                                 const std::vector<Expected>& expected) {
  std::string name;
  for (PassKind p : passes)
    name += fmt::format("--{} ", spelling(p));
  Module module;
  module.functions.push_back(program.function);
  Diagnostics diagnostics;
  if (!run_pipeline(module, passes, observer, diagnostics))
    return name + "leaves invalid IR: " + diagnostics.all().front().message + "\n" + print(module);
  if (const auto wrong = check_round_trip(module))
    return name + *wrong;
  const auto again = interpreted(module.functions[0],
                                 random_arguments(module.functions[0], seed, program.numbers, 0));
  if (const auto* error = std::get_if<std::string>(&again))
    return name + *error;
  if (const auto wrong = differ(std::get<std::vector<NamedArray>>(again), expected[0].outputs))
    return fmt::format("{}interpreted: {}\n{}", name, *wrong, print(module));
  return module;
}

std::optional<std::string> check_pipeline(const RandomProgram& program, uint64_t seed,
                                          const std::vector<PassKind>& passes,
                                          const std::vector<Expected>& expected) {
  Observers nobody;
  const auto passed = passed_through(program, seed, passes, nobody, expected);
  if (const auto* wrong = std::get_if<std::string>(&passed))
    return *wrong;
  const auto& module = std::get<Module>(passed);
  if (const auto wrong = check_compiled(module.functions[0], program, seed, expected))
    return fmt::format("--{} ...: {}\n{}", spelling(passes[0]), *wrong, print(module));
  return std::nullopt;
}

} // namespace

std::optional<std::string> check_everywhere(const RandomProgram& program, uint64_t seed) {
  const Function& f = program.function;
  Diagnostics diagnostics;
  verify(f, Level::Tensor, diagnostics);
  if (diagnostics.has_errors())
    return "the program itself is not valid: " + diagnostics.all().front().message;
  Module module;
  module.functions.push_back(f);
  if (const auto wrong = check_round_trip(module))
    return wrong;
  const auto expected = interpret_original(program, seed);
  if (const auto* error = std::get_if<std::string>(&expected))
    return *error;
  using enum PassKind;
  const std::vector<std::vector<PassKind>> pipelines = {{Bufferize},           {Elim},
                                                        {Fuse, Bufferize},     {Fuse, Elim},
                                                        {FuseMlir, Bufferize}, {FuseMlir, Elim}};
  for (const auto& passes : pipelines)
    if (const auto wrong =
            check_pipeline(program, seed, passes, std::get<std::vector<Expected>>(expected)))
      return wrong;
  return std::nullopt;
}

std::optional<std::string> check_observed(const RandomProgram& program, uint64_t seed,
                                          const std::vector<PassKind>& passes, Observer& observer) {
  const auto expected = interpret_original(program, seed);
  if (const auto* error = std::get_if<std::string>(&expected))
    return *error;
  const auto passed =
      passed_through(program, seed, passes, observer, std::get<std::vector<Expected>>(expected));
  if (const auto* wrong = std::get_if<std::string>(&passed))
    return *wrong;
  return std::nullopt;
}

std::optional<std::string> check_in_child(const RandomProgram& program, uint64_t seed) {
  int ends[2];
  if (pipe(ends) != 0)
    return "no pipe to be had";
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return "no process to be had";
  }
  if (child == 0) {
    close(ends[0]);
    const rlimit seconds{60, 60}; // a hang is a failure too; a busy machine is none
    setrlimit(RLIMIT_CPU, &seconds);
    const auto wrong = check_everywhere(program, seed);
    if (wrong)
      for (size_t done = 0; done < wrong->size();) {
        const ssize_t put = write(ends[1], wrong->data() + done, wrong->size() - done);
        if (put <= 0)
          break;
        done += static_cast<size_t>(put);
      }
    _exit(wrong ? 1 : 0);
  }
  close(ends[1]);
  std::string story;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    story.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return std::nullopt;
  return WIFSIGNALED(status) ? fmt::format("killed by signal {}. {}", WTERMSIG(status), story)
                             : (story.empty() ? "ended without a word" : story);
}

std::optional<std::string> run_seed(uint64_t seed) {
  const RandomProgram program = random_program(seed);
  const auto wrong = check_in_child(program, seed);
  if (!wrong)
    return std::nullopt;
  const RandomProgram small =
      shrink(program, [&](const RandomProgram& p) { return check_in_child(p, seed).has_value(); });
  return fmt::format(
      "seed {} fails: {}\nshrunk to\n{}which fails: {}\nAgain: random_programs --seed={}\n", seed,
      *wrong, print(small.function), check_in_child(small, seed).value_or("(no longer)"), seed);
}

} // namespace mo::testing

#include "tests/random/random_check.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codegen/isa.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/pipeline.h"
#include "runtime/compare.h"
#include "runtime/executable.h"
#include "runtime/interpret.h"

namespace mo::testing {
namespace {

constexpr size_t kMisalign[] = {0, 4, 8, 20, 1};

// What a run leaves behind: the returned tensors, then each memref argument.
struct Outcome {
  std::vector<Array> arrays;
  std::vector<std::string> names;
  void add(std::string name, Array array) {
    names.push_back(std::move(name));
    arrays.push_back(std::move(array));
  }
};

// `original` tells which arguments were memrefs all along; tensors are the callee's to overwrite.
Outcome collect(const Function& original, std::vector<Array> results,
                std::vector<RuntimeValue> args) {
  Outcome out;
  for (size_t k = 0; k < results.size(); ++k)
    out.add(fmt::format("result {}", k), std::move(results[k]));
  for (size_t k = original.args.size(); k < args.size(); ++k) // {bufferize.result}
    out.add(fmt::format("result {}", k - original.args.size()),
            std::move(std::get<Array>(args[k])));
  for (size_t k = 0; k < original.args.size(); ++k)
    if (original.type(original.args[k].value).is_memref())
      out.add(fmt::format("argument {}", k), std::move(std::get<Array>(args[k])));
  return out;
}

std::optional<std::string> differ(const Outcome& got, const Outcome& expected) {
  if (got.arrays.size() != expected.arrays.size())
    return fmt::format("{} arrays came out instead of {}", got.arrays.size(),
                       expected.arrays.size());
  for (size_t k = 0; k < got.arrays.size(); ++k) {
    if (!got.arrays[k].guard_intact())
      return fmt::format("{}: wrote outside the array", got.names[k]);
    if (const auto difference = compare(expected.arrays[k], got.arrays[k]))
      return fmt::format("{}: {}", expected.names[k], describe(*difference, expected.arrays[k]));
  }
  return std::nullopt;
}

std::variant<Outcome, std::string> interpreted(const Function& f, const Function& original,
                                               std::vector<RuntimeValue> args) {
  auto ran = interpret(f, args);
  if (const auto* error = std::get_if<RunError>(&ran))
    return "the interpreter says: " + error->message;
  return collect(original, std::get<std::vector<Array>>(std::move(ran)), std::move(args));
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

std::optional<std::string> check_compiled(const Function& f, const Function& original,
                                          const RandomProgram& program, uint64_t seed,
                                          const Outcome& expected) {
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512}) {
    if (!host_supports(isa))
      continue;
    const NtStores nt =
        (seed + static_cast<uint64_t>(isa)) % 2 == 0 ? NtStores::Auto : NtStores::Always;
    Diagnostics diagnostics;
    const auto executable = Executable::compile(f, {isa, nt, 32 << 20}, diagnostics);
    const std::string where =
        fmt::format("{}, streaming {}: ", spelling(isa), nt == NtStores::Auto ? "auto" : "always");
    if (!executable)
      return where + "does not compile: " + diagnostics.all().front().message;
    const size_t misalign =
        kMisalign[(seed / 7 + static_cast<uint64_t>(isa)) % std::size(kMisalign)];
    auto args = random_arguments(f, seed, program.whole_numbers, misalign);
    if (const auto error = executable->run(args))
      return where + "does not run: " + error->message;
    for (const RuntimeValue& v : args)
      if (const auto* array = std::get_if<Array>(&v); array && !array->guard_intact())
        return where + "wrote outside an array";
    if (const auto wrong = differ(collect(original, {}, std::move(args)), expected))
      return where + *wrong;
  }
  return std::nullopt;
}

std::optional<std::string> check_pipeline(const RandomProgram& program, uint64_t seed,
                                          const std::vector<PassKind>& passes,
                                          const Outcome& expected) {
  std::string name;
  for (PassKind p : passes)
    name += fmt::format("--{} ", spelling(p));
  Module module;
  module.functions.push_back(program.function);
  Observers nobody;
  Diagnostics diagnostics;
  if (!run_pipeline(module, passes, nobody, diagnostics))
    return name + "leaves invalid IR: " + diagnostics.all().front().message + "\n" + print(module);
  const Function& f = module.functions[0];
  if (const auto wrong = check_round_trip(module))
    return name + *wrong;
  const auto again =
      interpreted(f, program.function, random_arguments(f, seed, program.whole_numbers, 0));
  if (const auto* error = std::get_if<std::string>(&again))
    return name + *error;
  if (const auto wrong = differ(std::get<Outcome>(again), expected))
    return fmt::format("{}interpreted: {}\n{}", name, *wrong, print(module));
  if (const auto wrong = check_compiled(f, program.function, program, seed, expected))
    return fmt::format("{}{}\n{}", name, *wrong, print(module));
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
  const auto expected = interpreted(f, f, random_arguments(f, seed, program.whole_numbers, 0));
  if (const auto* error = std::get_if<std::string>(&expected))
    return *error;
  using enum PassKind;
  const std::vector<std::vector<PassKind>> pipelines = {{Bufferize},           {Elim},
                                                        {Fuse, Bufferize},     {Fuse, Elim},
                                                        {FuseMlir, Bufferize}, {FuseMlir, Elim}};
  for (const auto& passes : pipelines)
    if (const auto wrong = check_pipeline(program, seed, passes, std::get<Outcome>(expected)))
      return wrong;
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
    alarm(60); // a hang is a failure too
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

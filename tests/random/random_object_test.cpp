// Random programs as object files: a C program that calls them gets the bits that the JIT gets.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "codegen/compile.h"
#include "passes/pipeline.h"
#include "runtime/executable.h"
#include "tests/codegen/c_call.h"
#include "tests/codegen/host_isas.h"
#include "tests/codegen/object_batch.h"
#include "tests/random/random_program.h"

namespace mo::testing {
namespace {

struct InObject {
  Function function; // on buffers
  Numbers numbers = Numbers::Any;
  CompileOptions options;
  uint64_t seed = 0;
  size_t number = 0; // in the batch
};

std::vector<CArgument> as_c_passes_them(std::vector<RuntimeValue>& values) {
  std::vector<CArgument> arguments;
  for (RuntimeValue& value : values) {
    if (const auto* scalar = std::get_if<Scalar>(&value))
      arguments.push_back({is_float(scalar->type), scalar->bits});
    else
      arguments.push_back({false, reinterpret_cast<uint64_t>(std::get<Array>(value).data())});
  }
  return arguments;
}

std::string first_difference(const std::vector<RuntimeValue>& a,
                             const std::vector<RuntimeValue>& b) {
  for (size_t k = 0; k < a.size(); ++k) {
    const auto* left = std::get_if<Array>(&a[k]);
    const auto* right = std::get_if<Array>(&b[k]);
    if (!left)
      continue;
    if (!left->guard_intact() || !right->guard_intact())
      return fmt::format("a byte outside of argument {} was written", k);
    if (left->bytes() > 0 && std::memcmp(left->data(), right->data(), left->bytes()) != 0)
      return fmt::format("argument {} differs", k);
  }
  return "";
}

std::string difference_from_the_jit(const InObject& program, ObjectBatch& batch) {
  constexpr size_t kMisalign = 4;
  const Function& f = program.function;
  auto by_jit = random_arguments(f, program.seed, program.numbers, kMisalign);
  auto by_object = random_arguments(f, program.seed, program.numbers, kMisalign);
  Diagnostics diagnostics;
  const auto executable = Executable::compile(f, program.options, diagnostics);
  if (!executable)
    return "does not compile";
  if (const auto error = executable->run(by_jit))
    return error->message;
  void* function = batch.function(program.number);
  if (!function)
    return "the library has no such function";
  if (const int status = call_c_function(function, as_c_passes_them(by_object)); status != 0)
    return fmt::format("returned {}", status);
  return first_difference(by_jit, by_object);
}

TEST(RandomObjects, GiveTheBitsOfTheJitAndTheBytesOfTheAssembler) {
  ObjectBatch batch;
  std::vector<InObject> programs;
  for (uint64_t seed = 500; seed < 540; ++seed) {
    const RandomProgram program = random_program(seed);
    for (const std::vector<PassKind>& passes :
         {std::vector<PassKind>{PassKind::Bufferize}, {PassKind::Fuse, PassKind::Elim}})
      for (Isa isa : host_isas()) {
        Module module;
        module.functions.push_back(program.function);
        Observers nobody;
        Diagnostics diagnostics;
        ASSERT_TRUE(run_pipeline(module, passes, nobody, diagnostics));
        CompileOptions options;
        options.isa = isa;
        options.nt_stores = seed % 2 == 0 ? NtStores::Always : NtStores::Auto;
        std::string complaint;
        const size_t number = batch.add(build_loops(module.functions[0], options), isa, complaint);
        ASSERT_EQ(complaint, "") << seed;
        programs.push_back({module.functions[0], program.numbers, options, seed, number});
      }
  }
  ASSERT_EQ(batch.build(), "");
  for (const InObject& program : programs)
    ASSERT_EQ(difference_from_the_jit(program, batch), "")
        << "seed " << program.seed << " on " << spelling(program.options.isa);
  EXPECT_EQ(batch.difference_from_the_assembler(), "");
}

} // namespace
} // namespace mo::testing

// Whatever number of rewrites is done, what comes out is a program, and it means the same.
#include <gtest/gtest.h>

#include "ir/print.h"
#include "passes/pipeline.h"
#include "tests/random/random_program.h"
#include "tools/bisect.h"
#include "tools/oracle.h"

namespace mo::testing {
namespace {

// The bisected program, interpreted: what is wrong, or "".
std::string trouble(const RandomProgram& program, uint64_t seed,
                    const std::vector<PassKind>& passes, int64_t limit,
                    const std::vector<ExpectedOutput>& expected, int64_t& asked) {
  Module module;
  module.functions.push_back(program.function);
  Bisect bisect(limit);
  Diagnostics diagnostics;
  ::testing::internal::CaptureStderr(); // it talks
  const bool valid = run_pipeline(module, passes, bisect, diagnostics);
  ::testing::internal::GetCapturedStderr();
  asked = bisect.num_asked();
  if (!valid)
    return "does not verify: " + diagnostics.all().front().message;
  const Function& f = module.functions[0];
  auto args = random_arguments(f, seed, program.numbers, 0);
  auto ran = interpret(f, args);
  if (const auto* error = std::get_if<RunError>(&ran))
    return "does not run: " + error->message;
  const auto got = take_outputs(f, std::get<std::vector<Array>>(std::move(ran)), std::move(args));
  for (const ExpectedOutput& e : expected)
    if (const auto wrong = mismatch(got, e))
      return title(e.output) + ": " + *wrong + "\n" + print(module);
  return "";
}

class RandomBisect : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomBisect, EveryLimitGivesAValidProgramThatMeansTheSame) {
  using enum PassKind;
  const std::vector<std::vector<PassKind>> pipelines = {
      {Fuse, Elim}, {FuseMlir, Bufferize}, {Canonicalize, Fuse, Elim}};
  for (uint64_t seed = GetParam() * 10; seed < (GetParam() + 1) * 10; ++seed) {
    const RandomProgram program = random_program(seed);
    auto outcome = expected_outputs(
        program.function,
        [&] { return random_arguments(program.function, seed, program.numbers, 0); }, nullptr);
    const auto* expected = std::get_if<std::vector<ExpectedOutput>>(&outcome);
    ASSERT_TRUE(expected);
    const auto& passes = pipelines[seed % pipelines.size()];
    int64_t last_asked = 0;
    for (int64_t limit = 0; limit <= last_asked; ++limit) {
      const std::string wrong = trouble(program, seed, passes, limit, *expected, last_asked);
      ASSERT_EQ(wrong, "") << "seed " << seed << " limit " << limit;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBisect, ::testing::Range<uint64_t>(0, 6));

} // namespace
} // namespace mo::testing

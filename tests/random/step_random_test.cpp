// Whatever a person answers in --step, the program stays valid and means what it meant.
#include <gtest/gtest.h>

#include <random>

#include "ir/print.h"
#include "tests/random/random_check.h"
#include "tools/replay.h"

namespace mo::testing {
namespace {

using enum PassKind;
const std::vector<std::vector<PassKind>> kPipelines = {{Fuse, Elim},
                                                       {FuseMlir, Bufferize},
                                                       {Canonicalize, Fuse, Bufferize},
                                                       {Fuse, Canonicalize, Elim}};

StepAnswers random_answers(std::mt19937_64& random) {
  StepAnswers answers(random() % 40);
  const unsigned odds = 1 + random() % 4; // of 5: from mostly no to mostly yes
  for (size_t i = 0; i < answers.size(); ++i)
    answers[i] = random() % 5 < odds;
  return answers;
}

TEST(RandomSteps, LeaveValidIrThatComputesTheSame) {
  std::mt19937_64 random(5);
  for (uint64_t seed = 0; seed < 120; ++seed) {
    const RandomProgram program = random_program(seed);
    const StepAnswers answers = random_answers(random);
    ReplayView replay(answers);
    const auto wrong = check_observed(program, seed, kPipelines[seed % kPipelines.size()], replay);
    ASSERT_FALSE(wrong) << "seed " << seed << ": " << *wrong;
  }
}

// Each question is asked after the answers before it, and looking ahead changes none of them.
TEST(RandomSteps, AskTheSameQuestionsAgainForTheSameAnswers) {
  std::mt19937_64 random(6);
  for (uint64_t seed = 0; seed < 12; ++seed) {
    Module input;
    input.functions.push_back(random_program(seed).function);
    const std::vector<PassKind>& passes = kPipelines[seed % kPipelines.size()];
    StepAnswers answers;
    for (int n = 0; n < 12; ++n) {
      const auto first = replay({input, passes}, answers).question;
      const auto again = replay({input, passes}, answers).question;
      ASSERT_EQ(first.has_value(), again.has_value());
      if (!first)
        break;
      EXPECT_EQ(first->what, again->what);
      EXPECT_EQ(print(first->before), print(again->before));
      const std::string preview = print(first->after);
      answers.push_back(random() % 2 == 0);
      if (const auto next = replay({input, passes}, answers).question;
          next && answers.back() && next->pass_number == first->pass_number &&
          level_of(next->before) == Level::Buffer) {
        EXPECT_EQ(print(next->before), preview) << "seed " << seed;
      }
    }
  }
}

} // namespace
} // namespace mo::testing

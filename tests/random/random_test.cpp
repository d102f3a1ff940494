// Some two hundred random programs through everything; random_programs (the command) runs more.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/random/random_check.h"

namespace mo::testing {
namespace {

class RandomPrograms : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomPrograms, MeanTheSameInEveryPipelineOnEveryIsa) {
  constexpr uint64_t kPerTest = 20;
  for (uint64_t seed = GetParam() * kPerTest; seed < (GetParam() + 1) * kPerTest; ++seed) {
    const auto story = run_seed(seed);
    ASSERT_FALSE(story) << *story;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, ::testing::Range<uint64_t>(0, 10));

TEST(Shrinking, LeavesOnlyWhatTheFailureNeeds) {
  RandomProgram program = random_program(11);
  const auto has_a_generic = [](const RandomProgram& p) {
    for (const Op& op : p.function.ops)
      if (op.is<GenericOp>())
        return true;
    return false;
  };
  const RandomProgram small = shrink(program, has_a_generic);
  EXPECT_TRUE(has_a_generic(small));
  EXPECT_LE(small.function.ops.size(), 3u); // the generic, its init, the return
}

TEST(RandomProgramsThemselves, AreTheSameForTheSameSeed) {
  for (uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(random_program(seed).function.ops.size(), random_program(seed).function.ops.size());
}

} // namespace
} // namespace mo::testing

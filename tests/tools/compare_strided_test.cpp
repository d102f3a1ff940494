// examples/compare_strided.sh: mini-opt's loops over elements that are apart leave the same bytes
// as clang's. Nothing is said about times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/process.h"

namespace mo::testing {
namespace {
using ::testing::HasSubstr;
using ::testing::Not;

Ended compare_strided(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), repository_file("examples/compare_strided.sh"));
  return run_process(arguments, "");
}

TEST(CompareStrided, EveryLoopAgreesWithClangAndHasARow) {
  const TemporaryDirectory dir;
  const auto build = std::filesystem::path(MO_MINI_OPT).parent_path().parent_path().string();
  const Ended ended = compare_strided(
      {"--build=" + build, "--keep=" + dir / "strided", "--reps=1", "--cache-only"});
  if (ended.status == 77)
    GTEST_SKIP() << ended.err;
  ASSERT_EQ(ended.status, 0) << ended.err << ended.out;
  EXPECT_THAT(ended.out, Not(HasSubstr("WRONG")));
  EXPECT_THAT(ended.out, HasSubstr("f32_copy_from_2_to_1_cache"));
  EXPECT_THAT(ended.out, HasSubstr("i1_compute_from_1_to_m2_cache"));
  EXPECT_EQ(std::ranges::count(ended.out, '\n'),
            1 + 4 * 7 * 2 * 2); // types, strides, bodies, directions
}

TEST(CompareStrided, RefusesWhatItDoesNotKnow) {
  for (const char* wrong : {"--speed=9", "f32", "--reps=0", "--reps=many"})
    EXPECT_EQ(compare_strided({wrong}).status, 2) << wrong;
}

} // namespace
} // namespace mo::testing

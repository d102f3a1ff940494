// examples/compare_peers.sh on small matrices: each kernel compiled by mini-opt agrees with the one
// compiled by mlir-opt and clang, and the table can be read by a program. Nothing is said about
// times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "tests/support/process.h"

namespace mo::testing {
namespace {
using ::testing::HasSubstr;

Ended compare_peers(std::vector<std::string> arguments, const std::vector<std::string>& env = {}) {
  arguments.insert(arguments.begin(), repository_file("examples/compare_peers.sh"));
  return run_process(arguments, "", env);
}

/// This build, not the release that the script makes by itself.
std::string build_option() {
  return "--build=" + std::filesystem::path(MO_MINI_OPT).parent_path().parent_path().string();
}

class ComparePeers : public ::testing::TestWithParam<const char*> {};

TEST_P(ComparePeers, AgreesWithThePeerAndPrintsARowPerStatistic) {
  const TemporaryDirectory dir;
  const Ended ended = compare_peers(
      {build_option(), "--keep=" + dir / "peers", "--side=67", "--reps=1", GetParam()});
  if (ended.status == 77)
    GTEST_SKIP() << ended.err;
  ASSERT_EQ(ended.status, 0) << ended.err << ended.out;
  EXPECT_EQ(ended.err, "");
  for (const char* statistic : {"p50", "min"}) {
    const std::string number = " +[0-9]+\\.[0-9]+";
    const std::regex row("(^|\\n)" + std::string(GetParam()) + " +" + statistic + number + number +
                         number + number + number + " +- +(same bits|within [0-9.e-]+)\\n");
    EXPECT_TRUE(std::regex_search(ended.out, row)) << statistic << "\n" << ended.out;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ComparePeers,
                         ::testing::Values("fusion", "residual_add", "silu", "bias_gelu", "softmax",
                                           "layernorm", "rmsnorm", "relu_sum", "col_sumsq",
                                           "transpose_add"),
                         [](const auto& each) { return std::string(each.param); });

TEST(ComparePeersScript, SaysWhatToInstallWhereThePeerIsMissing) {
  const TemporaryDirectory dir;
  for (const char* tool : {"bash", "dirname", "sed", "grep", "sort"})
    std::filesystem::create_symlink("/usr/bin/" + std::string(tool), dir / tool);
  const Ended ended = compare_peers({build_option(), "fusion"}, {"PATH=" + dir / "."});
  EXPECT_EQ(ended.status, 77) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("not found: mlir-opt"));
  EXPECT_THAT(ended.err, HasSubstr("apt-get install mlir-22-tools clang-22"));
}

TEST(ComparePeersScript, RefusesWhatItDoesNotKnow) {
  for (const char* wrong : {"--speed=9", "matmul", "--reps=0", "--reps=many", "--side=99999"}) {
    const Ended ended = compare_peers({wrong});
    EXPECT_EQ(ended.status, 2) << wrong;
    EXPECT_THAT(ended.err, HasSubstr("usage: examples/compare_peers.sh")) << wrong;
  }
}

TEST(ComparePeersScript, HelpNamesEveryKernel) {
  const Ended help = compare_peers({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_THAT(help.out, HasSubstr("fusion residual_add silu"));
}

} // namespace
} // namespace mo::testing

// Everything that mini-opt reads or prints is MLIR: the real mlir-opt says so.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

std::vector<std::string> examples() {
  std::vector<std::string> files;
  for (const char* dir : {"examples", "tests/cases/fusion", "tests/cases/bufferize"})
    for (const auto& entry : std::filesystem::directory_iterator(repository_file(dir)))
      if (entry.path().extension() == ".tir" || entry.path().extension() == ".mlir")
        files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

class MlirOpt : public ::testing::Test {
protected:
  void SetUp() override {
    if (find_mlir_opt().empty())
      GTEST_SKIP() << "no mlir-opt of version 20 or later on the PATH";
  }
};

TEST_F(MlirOpt, AcceptsEveryExampleAsItIs) {
  for (const std::string& file : examples()) {
    const Ended ended = run_process({find_mlir_opt(), file});
    EXPECT_EQ(ended.status, 0) << file << "\n" << ended.err;
  }
}

TEST_F(MlirOpt, AcceptsWhatEveryPipelinePrints) {
  const std::vector<std::vector<std::string>> pipelines = {{},
                                                           {"--fuse"},
                                                           {"--fuse=mlir"},
                                                           {"--canonicalize"},
                                                           {"--bufferize"},
                                                           {"--elim"},
                                                           {"--fuse", "--bufferize"},
                                                           {"--fuse", "--elim"},
                                                           {"--fuse=mlir", "--elim"}};
  for (const std::string& file : examples())
    for (std::vector<std::string> arguments : pipelines) {
      arguments.push_back(file);
      const Ended printed = mini_opt(arguments);
      ASSERT_EQ(printed.status, 0) << file << "\n" << printed.err;
      const Ended ended = run_process({find_mlir_opt(), "-"}, printed.out);
      EXPECT_EQ(ended.status, 0) << file << " " << arguments[0] << "\n" << ended.err << printed.out;
    }
}

TEST_F(MlirOpt, IsReadBack) {
  for (const std::string& file : examples()) {
    const Ended theirs = run_process({find_mlir_opt(), file});
    const Ended ours = mini_opt({"-"}, theirs.out);
    EXPECT_EQ(ours.status, 0) << file << "\n" << ours.err;
  }
}

} // namespace
} // namespace mo::testing

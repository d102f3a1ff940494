// The C program of examples/, built as it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

// The lines of its first comment that are commands.
std::vector<std::string> build_lines() {
  std::istringstream text(read_file(repository_file("examples/use_kernel.c")));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line) && line != " */";)
    if (line.starts_with(" *   "))
      lines.push_back(line.substr(5));
  return lines;
}

TEST(UseKernel, IsBuiltByTheLinesThatItShowsAndFindsEveryElementRight) {
  const TemporaryDirectory dir;
  namespace fs = std::filesystem;
  fs::create_directories(dir / "build/release/tools");
  fs::create_symlink(MO_MINI_OPT, dir / "build/release/tools/mini-opt");
  fs::create_symlink(repository_file("examples"), dir / "examples");
  const std::vector<std::string> lines = build_lines();
  ASSERT_EQ(lines.size(), 3u);
  std::string script = "set -e; cd " + dir / "";
  for (const std::string& line : lines)
    script += "\n" + line;
  const Ended ended = run_process({"sh", "-c", script});
  EXPECT_EQ(ended.status, 0) << ended.err << ended.out;
  EXPECT_EQ(ended.err, "");
  EXPECT_THAT(ended.out, ::testing::HasSubstr("16777216 floats: every element right"));
}

} // namespace
} // namespace mo::testing

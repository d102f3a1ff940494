// The code of the lab's kernel, as a person reads it.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

class GoldenAssembly : public ::testing::TestWithParam<const char*> {};

std::string golden_path(const std::string& isa) {
  return "tests/tools/golden/fusion." + isa + ".s";
}

TEST_P(GoldenAssembly, OfTheFusedKernelIsAsItWas) {
  const std::string isa = GetParam(), path = golden_path(isa);
  const Ended code = mini_opt({"--fuse", "--elim", "--nt-stores=always", "--emit=asm",
                               "--isa=" + isa, repository_file("examples/fusion.tir")});
  EXPECT_EQ(code.out, read_file(repository_file(path)))
      << "If the new code is meant to be so, write it there and look at the difference:\n"
      << "  build/test/tools/mini-opt --fuse --elim --nt-stores=always --emit=asm --isa=" << isa
      << " -o " << path << " examples/fusion.tir\n  git diff " << path;
}

// The lines of the largest loop, from behind its label to the jump back.
std::vector<std::string> largest_loop(const std::string& text) {
  std::vector<std::string> lines, largest;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  const std::regex jump(R"(\t(\{disp32\} )?j\w+ +(\.L\d+) .*)");
  std::smatch match;
  for (auto end = lines.begin(); end != lines.end(); ++end) {
    if (!std::regex_match(*end, match, jump))
      continue;
    const auto label = std::find(lines.begin(), end, match[2].str() + ":");
    if (static_cast<size_t>(end - label) > largest.size())
      largest = {label + 1, end + 1};
  }
  return largest;
}

TEST_P(GoldenAssembly, HasAnInnerLoopThatFitsOnAScreenAndSaysWhatEachInstructionIsFor) {
  const std::vector<std::string> loop =
      largest_loop(read_file(repository_file(golden_path(GetParam()))));
  EXPECT_GE(loop.size(), 4u * 5);
  EXPECT_LE(loop.size(), 45u);
  size_t ops = 0;
  for (const std::string& line : loop) {
    EXPECT_NE(line.find(" # "), std::string::npos) << line;
    EXPECT_LE(line.size(), 100u) << line;
    ops += line.find("# %m = arith.mulf %in, %s") != std::string::npos;
  }
  EXPECT_GE(ops, 4u); // vectors a step
}

INSTANTIATE_TEST_SUITE_P(Isas, GoldenAssembly, ::testing::Values("avx2", "avx512"),
                         [](const auto& isa) { return std::string(isa.param); });

} // namespace
} // namespace mo::testing

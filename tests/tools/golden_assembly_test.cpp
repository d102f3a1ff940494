// The code of the lab's kernel, as a person reads it.
#include <gtest/gtest.h>

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

// From the label that the last jump of the main loop goes to, to that jump.
std::vector<std::string> longest_loop(const std::string& text) {
  std::vector<std::string> lines, longest;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  for (size_t jump = 0; jump < lines.size(); ++jump) {
    if (!lines[jump].starts_with("\tj") && !lines[jump].starts_with("\t{disp32} j"))
      continue;
    const size_t name = lines[jump].find(".L");
    const std::string label = lines[jump].substr(name, lines[jump].find(' ', name) - name) + ":";
    for (size_t n = 0; n < jump; ++n)
      if (lines[n] == label && jump - n > longest.size())
        longest = {lines.begin() + static_cast<long>(n) + 1,
                   lines.begin() + static_cast<long>(jump) + 1};
  }
  return longest;
}

TEST_P(GoldenAssembly, HasAnInnerLoopThatFitsOnAScreenAndSaysWhatEachInstructionIsFor) {
  const std::vector<std::string> loop =
      longest_loop(read_file(repository_file(golden_path(GetParam()))));
  EXPECT_GE(loop.size(), 4u * 5);
  EXPECT_LE(loop.size(), 45u);
  size_t ops = 0;
  for (const std::string& line : loop) {
    EXPECT_NE(line.find(" # "), std::string::npos) << line;
    EXPECT_LE(line.size(), 110u) << line;
    ops += line.find("# %m = arith.mulf %in, %s") != std::string::npos;
  }
  EXPECT_GE(ops, 4u); // vectors a step
}

INSTANTIATE_TEST_SUITE_P(Isas, GoldenAssembly, ::testing::Values("avx2", "avx512"),
                         [](const auto& isa) { return std::string(isa.param); });

} // namespace
} // namespace mo::testing

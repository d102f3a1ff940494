// Every program of examples/, made small so that the interpreter is quick: it compiles on every
// instruction set, and gives what the interpreter gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(repository_file("examples")))
    if (entry.path().extension() == ".tir")
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The example with 67 x 67 elements: no width of vectors or tiles divides 67.
std::string small(const std::string& name) {
  std::string text = read_file(repository_file("examples/" + name + ".tir"));
  for (const auto& [from, to] :
       {std::pair{"16777216", "4489"}, {"4194304", "4489"}, {"4096", "67"}})
    text = std::regex_replace(text, std::regex(from), to);
  return text;
}

/// An --arg for each argument: numbers for scalars, other random values for each buffer.
std::vector<std::string> arguments_of(const std::string& text) {
  const size_t begin = text.find("func.func"), end = text.find(") {", begin);
  const std::string head = text.substr(begin, end - begin);
  std::vector<std::string> arguments;
  const std::regex argument("%\\w+: (\\w+)");
  for (auto it = std::sregex_iterator(head.begin(), head.end(), argument);
       it != std::sregex_iterator(); ++it)
    arguments.push_back((*it)[1] == "f32" ? "--arg=1.5"
                                          : "--arg=random:" + std::to_string(arguments.size()));
  return arguments;
}

class Example : public ::testing::TestWithParam<std::string> {};

TEST_P(Example, GivesWhatTheInterpreterGivesThroughEveryPipeline) {
  const std::string text = small(GetParam());
  for (const std::vector<std::string>& passes :
       {std::vector<std::string>{"--bufferize"}, {"--fuse", "--elim"}, {"--fuse=mlir", "--elim"}})
    for (const char* isa : {"--isa=sse4.2", "--isa=avx2", "--isa=avx512"}) {
      std::vector<std::string> command = arguments_of(text);
      command.insert(command.end(), passes.begin(), passes.end());
      command.insert(command.end(), {isa, "--check", "-"});
      const Ended ended = mini_opt(command, text);
      if (ended.err.find("this CPU") != std::string::npos)
        continue; // has not got that instruction set
      EXPECT_EQ(ended.status, 0) << passes.front() << " " << isa << "\n" << ended.err << ended.out;
    }
}

TEST_P(Example, ShowsItsLoopsAndItsCodeAtFullSize) {
  const std::string file = repository_file("examples/" + GetParam() + ".tir");
  EXPECT_NE(mini_opt({"--fuse", "--elim", "--emit=loops", file}).out.find("for d0 in 0.."),
            std::string::npos);
  for (const char* isa : {"--isa=sse4.2", "--isa=avx2", "--isa=avx512"}) {
    const Ended code = mini_opt({"--fuse", "--elim", "--emit=asm", isa, file});
    EXPECT_EQ(code.status, 0) << isa << "\n" << code.err;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Example, ::testing::ValuesIn(example_names()),
                         [](const auto& each) { return each.param; });

} // namespace
} // namespace mo::testing

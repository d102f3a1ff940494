// The sessions that the README shows are what gdb says.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>

#include "tests/gdb/gdb_session.h"
#include "tests/support/process.h"

namespace mo::testing {
namespace {

constexpr const char* kStart = "    $ tools/gdb/mini-opt-gdb ";
constexpr const char* kPrompt = "(gdb) ";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// What gdb says to the commands that stand behind the prompts of `shown`, each behind its own.
std::string session(const std::string& arguments, const std::vector<std::string>& shown) {
  std::string commands;
  for (const std::string& line : shown)
    if (line.starts_with(kPrompt))
      commands += "echo " + line + "\\n\n" + line.substr(std::string(kPrompt).size()) + "\n";
  std::vector<std::string> argv;
  std::istringstream words(arguments);
  for (std::string word; words >> word;)
    argv.push_back(word.starts_with("-") ? word : repository_file(word));
  const std::string said = in_gdb(commands + "echo (end)\\n\nkill\n", argv);
  // A block of the README has no empty lines.
  return std::regex_replace(said.substr(0, said.find("(end)\n")), std::regex("\n\n+"), "\n");
}

/// Without what differs from machine to machine, and from one edit of the source to the next.
std::string comparable(std::string text) {
  const auto replace = [&](const char* what, const char* by) {
    text = std::regex_replace(text, std::regex(what), by);
  };
  replace("0x[0-9a-f]+", "0x");
  replace("(\\.(cpp|h):|, line )[0-9]+", "$1N");
  replace("(^|\n)[0-9]+\t", "$1N\t");
  return text;
}

/// The README, every session in it run anew.
std::string readme_with_fresh_sessions(bool& all_agree) {
  std::string fresh;
  const std::vector<std::string> lines = lines_of(read_file(repository_file("README.md")));
  for (size_t i = 0; i < lines.size(); ++i) {
    fresh += lines[i] + "\n";
    if (!lines[i].starts_with(kStart))
      continue;
    std::vector<std::string> shown;
    for (; i + 1 < lines.size() && lines[i + 1].starts_with("    "); ++i)
      shown.push_back(lines[i + 1].substr(4));
    const std::string arguments = lines[i - shown.size()].substr(std::string(kStart).size());
    std::string before;
    for (const std::string& line : shown)
      before += line + "\n";
    const std::string now = session(arguments, shown);
    EXPECT_EQ(comparable(before), comparable(now)) << kStart << arguments;
    all_agree &= comparable(before) == comparable(now);
    for (const std::string& line : lines_of(now))
      fresh += "    " + line + "\n";
  }
  return fresh;
}

TEST(Readme, ShowsSessionsAsTheyAre) {
  MO_SKIP_WITHOUT_GDB();
  bool all_agree = true;
  const std::string fresh = readme_with_fresh_sessions(all_agree);
  if (std::getenv("MO_UPDATE_README") != nullptr)
    write_file(repository_file("README.md"), fresh);
  EXPECT_TRUE(all_agree)
      << "If the sessions are meant to be so, let the test write them, and look:\n"
         "  MO_UPDATE_README=1 build/test/tests/gdb_test "
         "--gtest_filter='Readme.*'; git diff README.md";
}

} // namespace
} // namespace mo::testing

// The commands that the README shows with what they say, run anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

constexpr std::string_view kIndent = "    ";
constexpr const char* kCommands[] = {"    $ mini-opt ", "    $ printf ", "    $ llvm-remarkutil-",
                                     "    $ grep "};

bool is_command(const std::string& line) {
  return std::any_of(std::begin(kCommands), std::end(kCommands),
                     [&](const char* start) { return line.starts_with(start); });
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

/// A directory with the examples in it, and this build's mini-opt on the PATH.
class Workshop {
public:
  Workshop() {
    std::filesystem::create_directory_symlink(repository_file("examples"), dir_ / "examples");
    std::filesystem::create_symlink(MO_MINI_OPT, dir_ / "mini-opt");
  }
  /// What the command says on both streams, in order, each line indented; blanks at ends of lines
  /// and empty lines at the top and the bottom are left out.
  std::string say(const std::string& command) const {
    const Ended ended = run_process(
        {"bash", "-c", "cd \"$0\" && PATH=$0:$PATH && " + command + " 2>&1", dir_ / ""});
    std::string text;
    for (std::string line : split(ended.out)) {
      line.erase(line.find_last_not_of(' ') + 1);
      text += line.empty() ? "\n" : std::string(kIndent) + line + "\n";
    }
    text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
  }

private:
  TemporaryDirectory dir_;
};

/// Where the output that follows line `i` ends: at the next command, or with the block.
size_t end_of_output(const std::vector<std::string>& lines, size_t i) {
  size_t end = i + 1;
  for (size_t k = end; k < lines.size() && !lines[k].starts_with("    $ "); ++k)
    if (lines[k].starts_with(kIndent))
      end = k + 1;
    else if (!lines[k].empty())
      break;
  return end;
}

TEST(Transcripts, OfTheReadmeAreWhatTheCommandsSay) {
  if (run_process({"llvm-remarkutil-22", "--version"}).status != 0)
    GTEST_SKIP() << "no llvm-remarkutil-22 on the PATH";
  const Workshop workshop;
  const std::vector<std::string> lines = split(read_file(repository_file("README.md")));
  std::string fresh;
  unsigned commands = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    fresh += lines[i] + "\n";
    if (!is_command(lines[i]))
      continue;
    ++commands;
    const size_t end = end_of_output(lines, i);
    std::string shown;
    for (size_t k = i + 1; k < end; ++k)
      shown += lines[k] + (k + 1 < end ? "\n" : "");
    const std::string now = workshop.say(lines[i].substr(6));
    EXPECT_EQ(shown, now) << lines[i];
    fresh += now + (now.empty() ? "" : "\n");
    i = end - 1;
  }
  EXPECT_GE(commands, 5u);
  if (std::getenv("MO_UPDATE_README") != nullptr)
    write_file(repository_file("README.md"), fresh);
}

} // namespace
} // namespace mo::testing

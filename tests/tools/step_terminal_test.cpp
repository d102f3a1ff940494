// --step at a (pseudo-)terminal: single keys, prompts beside the output, and the terminal as it
// was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "tests/support/process.h"
#include "tests/support/terminal.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kLab = repository_file("examples/fusion.tir");
const std::string kPrompt = "[q]uit [?] ";

// The IR goes to a file, all else is at the terminal.
std::vector<std::string> stepping(const std::string& out) {
  return {"sh",     "-c", "exec \"$@\" > " + out, "sh", MO_MINI_OPT, "--step", "--fuse",
          "--elim", kLab};
}

TEST(StepTerminal, TakesKeysWithoutEnterAndKeepsTheOutputClean) {
  const TemporaryDirectory dir;
  Terminal terminal(stepping(dir / "out"));
  for (const char* key : {"s", "a", "a", "a"}) {
    terminal.wait_for(kPrompt);
    terminal.type(key);
  }
  terminal.wait_for("no rewrite is left: 3 done, 1 left out");
  terminal.wait_for(kPrompt);
  terminal.type("f");
  EXPECT_EQ(terminal.wait(), 0);
  const std::string out = read_file(dir / "out");
  EXPECT_EQ(mini_opt({"-"}, out).status, 0);
  EXPECT_THAT(out, HasSubstr("func.func @fusion"));
}

TEST(StepTerminal, ShowsColoursAndEchoesEachKeyOnce) {
  const TemporaryDirectory dir;
  Terminal terminal(stepping(dir / "out"));
  EXPECT_THAT(terminal.wait_for(kPrompt), HasSubstr("\033[1mstep 1"));
  terminal.type("w");
  EXPECT_THAT(terminal.wait_for("it is legal because"), StartsWith("w\r\n"));
  terminal.wait_for(kPrompt);
  terminal.type("q");
  EXPECT_EQ(terminal.wait(), 1);
  EXPECT_EQ(read_file(dir / "out"), "");
}

TEST(StepTerminal, AnswersAWrongKeyWithTheRightOnes) {
  const TemporaryDirectory dir;
  Terminal terminal(stepping(dir / "out"));
  for (const char* wrong : {"z", "\033[A", "\r"}) { // a letter, an arrow, Enter
    terminal.wait_for(kPrompt);
    terminal.type(wrong);
    terminal.wait_for("s  skip    leave it out, and go on");
  }
  terminal.wait_for(kPrompt);
  terminal.type("f");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_EQ(read_file(dir / "out"), mini_opt({"--fuse", "--elim", kLab}).out);
}

TEST(StepTerminal, GoesBackToTheFirstQuestion) {
  const TemporaryDirectory dir;
  Terminal terminal(stepping(dir / "out"));
  terminal.wait_for(kPrompt);
  terminal.type("n");
  terminal.wait_for("pass 2 of 2");
  terminal.wait_for(kPrompt);
  terminal.type("b");
  terminal.wait_for("step 1: pass 1 of 2");
  terminal.wait_for(kPrompt);
  terminal.type("q");
  EXPECT_EQ(terminal.wait(), 1);
}

TEST(StepTerminal, IsLeftAsItWasAtEveryEnd) {
  const TemporaryDirectory dir;
  struct End {
    const char* keys;
    int status;
  };
  for (const End end : {End{"f", 0}, End{"q", 1}, End{"\x04", 1}, End{"\x03", 128 + SIGINT},
                        End{"\x1c", 128 + SIGQUIT}}) {
    Terminal terminal(stepping(dir / "out"));
    terminal.wait_for(kPrompt);
    EXPECT_TRUE(terminal.wait_until_collects_lines(false));
    EXPECT_FALSE(terminal.echoes());
    terminal.type(end.keys);
    EXPECT_EQ(terminal.wait(), end.status);
    EXPECT_TRUE(terminal.collects_lines()) << end.status;
    EXPECT_TRUE(terminal.echoes()) << end.status;
  }
}

TEST(StepTerminal, IsLeftAsItWasByASignalFromElsewhere) {
  const TemporaryDirectory dir;
  for (const int signal : {SIGTERM, SIGHUP}) {
    Terminal terminal(stepping(dir / "out"));
    terminal.wait_for(kPrompt);
    EXPECT_TRUE(terminal.wait_until_collects_lines(false));
    kill(terminal.child(), signal);
    EXPECT_EQ(terminal.wait(), 128 + signal);
    EXPECT_TRUE(terminal.collects_lines());
    EXPECT_TRUE(terminal.echoes());
  }
}

// A shell with job control: ^Z hands the terminal to it, fg back.
TEST(StepTerminal, IsLeftAsItWasWhileStoppedAndGoesOnAfterwards) {
  if (run_process({"bash", "--version"}).status != 0)
    GTEST_SKIP() << "no bash on the PATH";
  const TemporaryDirectory dir;
  Terminal terminal({"bash", "-c",
                     "set -m; \"$@\" > " + (dir / "out") +
                         "; echo stopped; read -r line; echo \"read $line\"; fg; echo ended $?",
                     "bash", MO_MINI_OPT, "--step", "--fuse", "--elim", kLab});
  terminal.wait_for(kPrompt);
  EXPECT_TRUE(terminal.wait_until_collects_lines(false));
  terminal.type("\x1a");
  terminal.wait_for("stopped");
  EXPECT_TRUE(terminal.collects_lines());
  EXPECT_TRUE(terminal.echoes());
  terminal.type("on\r");
  terminal.wait_for("read on");
  EXPECT_TRUE(terminal.wait_until_collects_lines(false));
  terminal.type("f");
  terminal.wait_for("ended 0");
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_EQ(read_file(dir / "out"), mini_opt({"--fuse", "--elim", kLab}).out);
}

} // namespace
} // namespace mo::testing

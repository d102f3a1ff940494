// --stats and --timing: lines that grep finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/support/process.h"
#include "tools/timing.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;

const std::string kLab = repository_file("examples/fusion.tir");

std::string lines_with(const std::string& text, const std::string& start) {
  std::string found;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (text.compare(at, start.size(), start) == 0)
      found += text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return found;
}

TEST(Stats, CountWhatEachPassFoundAndLeft) {
  const Ended ended = mini_opt({"--fuse", "--elim", "--stats", kLab});
  EXPECT_EQ(lines_with(ended.err, "stats 1 fuse "),
            "stats 1 fuse           generics=3->1 fills=0->0 empties=1->1 allocs=0->0 copies=0->0\n"
            "stats 1 fuse           rewrites=2 left-out=0 passed=2 missed=0 analysis=0\n"
            "stats 1 fuse           rewrites: fused=2\n"
            "stats 1 fuse           passed: fused=2\n");
  EXPECT_THAT(ended.err, HasSubstr("stats total            generics=3->1 fills=0->0 empties=1->0 "
                                   "allocs=0->0 copies=0->0\n"));
}

TEST(Stats, CountRefusalsByReason) {
  const Ended ended = mini_opt({"--fuse", "--stats", repository_file("examples/transposed.tir")});
  EXPECT_THAT(ended.err, HasSubstr("missed: transposed-read=1"));
}

TEST(Stats, CountWhatTheLimitLeftOut) {
  const Ended ended = mini_opt({"--fuse", "--stats", "--opt-bisect-limit=1", kLab});
  EXPECT_THAT(ended.err, HasSubstr("rewrites=1 left-out=1 "));
  EXPECT_THAT(ended.err, HasSubstr("stats total            rewrites=1 left-out=1\n"));
}

TEST(Stats, LeaveTheIrAsItIs) {
  EXPECT_EQ(mini_opt({"--fuse", "--stats", kLab}).out, mini_opt({"--fuse", kLab}).out);
}

TEST(TimingCommand, IsATreeWithTheTotalOnTopAndSharesOfIt) {
  const std::string text = mini_opt({"--timing", "--fuse", "--elim", "--emit=asm", kLab}).err;
  std::string names;
  const std::regex row("timing ( *)([a-z0-9 ]*[a-z0-9]) +[0-9]+\\.[0-9]{3} ms +[0-9]+\\.[0-9]%");
  for (auto it = std::sregex_iterator(text.begin(), text.end(), row); it != std::sregex_iterator();
       ++it)
    names += (*it)[1].str() + (*it)[2].str() + "\n";
  EXPECT_EQ(names, "total\n  read\n  parse\n  verify\n"
                   "  pass 1 fuse\n    rewriting\n    verification\n    views\n"
                   "  pass 2 elim\n    rewriting\n    verification\n    views\n"
                   "  views\n  lowering\n  code generation\n  write\n  other\n")
      << text;
}

TEST(TimingCommand, AccountsForACheckedRun) {
  const std::string small = std::regex_replace(read_file(kLab), std::regex("16777216"), "64");
  const std::string text = mini_opt({"--timing", "--elim", "--check", "--arg=iota", "--arg=zeros",
                                     "--arg=1", "--arg=1", "-"},
                                    small)
                               .err;
  for (const char* step :
       {"buffers", "lowering", "code generation", "arguments", "run", "interpret", "compare"})
    EXPECT_THAT(text, HasSubstr("timing   " + std::string(step) + " ")) << text;
}

TEST(Timing, TellsWhatIsBeingDone) {
  Timing timing;
  EXPECT_STREQ(timing.where(), "");
  {
    const Timing::Step outer(timing, "outer");
    {
      const Timing::Step inner(timing, "inner");
      EXPECT_STREQ(timing.where(), "inner");
    }
    EXPECT_STREQ(timing.where(), "outer");
  }
  EXPECT_STREQ(timing.where(), "");
}

TEST(Timing, RemembersTheStepThatAnExceptionEnded) {
  Timing timing;
  try {
    const Timing::Step outer(timing, "outer");
    const Timing::Step inner(timing, "inner");
    throw 1;
  } catch (int) {
  }
  EXPECT_STREQ(timing.where(), "inner");
}

TEST(Timing, CutsWhatIsTooLongToTell) {
  Timing timing;
  timing.set_where(std::string(1000, 'x'), std::string(1000, 'y'));
  EXPECT_EQ(std::string(timing.where()), std::string(255, 'x'));
}

} // namespace
} // namespace mo::testing

// --step with keys from a script.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kLab = repository_file("examples/fusion.tir");

Ended step(const std::string& keys, std::vector<std::string> flags = {"--fuse", "--elim"},
           const std::string& input = kLab) {
  flags.insert(flags.begin(), "--step");
  flags.push_back(input);
  return mini_opt(flags, keys);
}

size_t generics(const std::string& ir) {
  size_t n = 0;
  for (size_t at = ir.find("linalg.generic"); at != std::string::npos;
       at = ir.find("linalg.generic", at + 1))
    ++n;
  return n;
}

TEST(Step, AppliesWhatIsAnsweredSo) {
  const Ended ended = step("a\na\na\n");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, mini_opt({"--fuse", "--elim", kLab}).out);
  EXPECT_THAT(ended.err, HasSubstr("stepped: 3 of 3 rewrites done"));
}

TEST(Step, SkippingLeavesOutWhatIsSkippedAndNothingElse) {
  const Ended ended = step("s\na\n");
  EXPECT_EQ(generics(ended.out), 2u);
  EXPECT_EQ(mini_opt({"-"}, ended.out).status, 0); // it parses and verifies
  EXPECT_EQ(generics(step("s\ns\n").out), 3u);
}

TEST(Step, WhatIsSkippedInDestinationPassingIsCopied) {
  const Ended ended = step("n\ns\ns\n");
  EXPECT_THAT(ended.out, HasSubstr("memref.copy"));
  EXPECT_EQ(mini_opt({"-"}, ended.out).status, 0);
}

TEST(Step, NextGoesToTheNextPassAndFinishToTheEnd) {
  const Ended next = step("n\nq\n");
  EXPECT_THAT(next.err, HasSubstr("done: fuse %1 into %2"));
  EXPECT_THAT(next.err, HasSubstr("step 3: pass 2 of 2, elim, in @fusion"));
  const Ended finish = step("f\n");
  EXPECT_EQ(finish.out, mini_opt({"--fuse", "--elim", kLab}).out);
  EXPECT_THAT(finish.err, Not(HasSubstr("step 2")));
}

TEST(Step, BackTakesTheLastKeyBackWhateverItAnswered) {
  EXPECT_EQ(step("s\nb\na\na\na\n").out, step("a\na\na\n").out);
  EXPECT_EQ(generics(step("n\nb\ns\ns\nf\n").out), 3u);
  EXPECT_EQ(generics(step("a\na\na\nb\nb\nb\ns\ns\n").out), 3u); // from behind the last one too
  EXPECT_THAT(step("b\nf\n").err, HasSubstr("there is no answer to take back"));
}

TEST(Step, ShowsTheRewriteTheReasonTheEffectAndADiff) {
  const std::string text = step("f\n").err;
  for (const char* part :
       {"step 1: pass 1 of 2, fuse, in @fusion\n", "  rewrite  fuse %0 into %1 at operand 0\n",
        "examples/fusion.tir:14:8\n", "  reason   [fused] %0 fused into %1",
        "  effect   generics 3 -> 2, tensors 3 -> 2 (192 MiB -> 128 MiB)\n", "\n-  %0 = linalg",
        "\n+    %a = arith.addf %m, %b : f32\n"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(Step, WhyShowsTheConditionsAndAsksAgain) {
  const Ended ended = step("w\ns\nf\n");
  EXPECT_THAT(ended.err, HasSubstr("it is legal because\n  1. %0 comes from a linalg.generic"));
  EXPECT_THAT(ended.err, HasSubstr("ReadMap      (d0) -> (d0)"));
  EXPECT_EQ(generics(ended.out), 2u);
}

TEST(Step, IrShowsTheFunctionAsItIsNow) {
  EXPECT_THAT(step("n\ni\nq\n").err, HasSubstr("memref.copy %2, %out"));
}

TEST(Step, SaysThatTensorsHaveBecomeBuffers) {
  EXPECT_THAT(step("n\nq\n").err,
              HasSubstr("tensors have become buffers, each result one of its own: generics 1, "
                        "allocs 1 (64 MiB), copies 1 (64 MiB)"));
}

TEST(Step, SaysWhatAPassThatIsOverDidNotDo) {
  const Ended ended =
      step("n\nq\n", {"--fuse", "--elim"}, repository_file("examples/transposed.tir"));
  EXPECT_THAT(ended.err, HasSubstr("pass 1 of 2, fuse, is over; it says\n"));
  EXPECT_THAT(ended.err, HasSubstr("transposed.tir:22:8: missed [transposed-read] %0 is written"));
}

TEST(Step, WordsEmptyLinesAndCommentsAreUnderstood) {
  EXPECT_EQ(generics(step("# the first one not\n\n  skip \r\napply\nfinish\n").out), 2u);
}

TEST(Step, WithoutMoreKeysTheRestIsDoneAndSaysSo) {
  const Ended ended = step("");
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, mini_opt({"--fuse", "--elim", kLab}).out);
  EXPECT_THAT(ended.err, HasSubstr("no more keys: what is left is done"));
  EXPECT_EQ(generics(step("s").out), 2u); // a last line without its break
}

TEST(Step, QuitPrintsNothingAndIsNoSuccess) {
  const TemporaryDirectory dir;
  const Ended ended = step("a\nq\n", {"--fuse", "--elim", "-o", dir / "out"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THROW(read_file(dir / "out"), std::runtime_error);
}

TEST(Step, ALineThatIsNoKeyIsAnErrorWithItsNumber) {
  const Ended ended = step("a\n\nz\n");
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("error: line 3 of the keys: 'z' is no key; there are a, s"));
  EXPECT_THAT(step("\x1b[A\n").err, HasSubstr("'<1B>[A' is no key"));
  EXPECT_THAT(step(std::string(1 << 20, 'a')).err, HasSubstr("is no key"));
  EXPECT_THAT(step("a\na\na\na\n").err, HasSubstr("'a' is for a rewrite, and none is left"));
}

TEST(Step, WhereNothingIsToBeDoneSaysSo) {
  const Ended ended = step("", {"--canonicalize"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("no pass finds anything to rewrite"));
  EXPECT_THAT(ended.err, HasSubstr("[nothing-to-clean] no clean-up applies"));
  EXPECT_EQ(ended.out, mini_opt({kLab}).out);
}

TEST(Step, ShowsItsRemarksOnceForWhatWasDecided) {
  const Ended ended = step("s\nf\n", {"--fuse", "--remarks"});
  EXPECT_THAT(ended.err, HasSubstr("remark: fuse missed [left-out]: %0 is written"));
  const size_t first = ended.err.find("remark: fuse passed [fused]");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(ended.err.find("remark: fuse passed [fused]", first + 1), std::string::npos);
}

TEST(Step, GoesWithRunningWhatCameOut) {
  const Ended ended = step(
      "s\nf\n", {"--fuse", "--elim", "--check", "--arg=iota", "--arg=zeros", "--arg=2", "--arg=-1"},
      repository_file("examples/fusion_16mib.tir"));
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("OK"));
}

TEST(Step, DumpsShowTheRunThatTheAnswersLeadTo) {
  const TemporaryDirectory dir;
  const Ended ended = step("s\ns\nf\n", {"--fuse", "--elim", "--print-changed=diff",
                                         "--print-ir-tree-dir=" + (dir / "tree")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(generics(read_file(dir / "tree/001_fuse.tir")), 3u);
  EXPECT_EQ(read_file(dir / "tree/002_elim.tir").find("tensor<"), std::string::npos);
}

TEST(Step, WhatCannotBeWrittenIsSaidBeforeTheFirstQuestion) {
  const Ended ended = step("f\n", {"--fuse", "--print-ir-tree-dir=/dev/null/tree"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, Not(HasSubstr("step 1")));
}

TEST(Step, RunsTheReproducerOfAnotherRun) {
  const TemporaryDirectory dir;
  ASSERT_EQ(mini_opt({"--fuse", "--generate-reproducer=" + (dir / "r.tir"), kLab}).status, 0);
  const Ended ended = step("s\nf\n", {"--run-reproducer"}, dir / "r.tir");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(generics(ended.out), 2u);
}

TEST(Step, SaysWhichFlagsDoNotFit) {
  EXPECT_THAT(step("", {}).err, HasSubstr("--step stops before each rewrite of a pass, and none"));
  EXPECT_THAT(step("", {"--ablate"}).err, HasSubstr("runs four of its own"));
  EXPECT_THAT(step("", {"--fuse"}, "-").err, HasSubstr("the program has to come from a file"));
  EXPECT_EQ(step("", {}).status, 1);
}

TEST(Step, ColoursNothingWithoutATerminal) {
  EXPECT_THAT(step("w\nf\n").err, Not(HasSubstr("\033")));
}

} // namespace
} // namespace mo::testing

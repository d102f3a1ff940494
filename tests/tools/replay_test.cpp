// Questions and answers of --step, without a person.
#include "tools/replay.h"

#include <gtest/gtest.h>

#include "ir/parse.h"
#include "ir/print.h"
#include "tests/support/process.h"
#include "tools/step_text.h"

namespace mo {
namespace {

using enum PassKind;

struct Lab {
  Module input;
  std::vector<PassKind> passes = {Fuse, Elim};
  ReplayInput run{input, passes};

  Lab() {
    SourceFile source{"fusion.tir",
                      testing::read_file(testing::repository_file("examples/fusion.tir"))};
    Diagnostics diagnostics;
    input = parse_and_verify(source, diagnostics).value();
  }
};

TEST(Replay, AsksAboutOneRewriteAfterTheOther) {
  const Lab lab;
  EXPECT_EQ(next_question(lab.run, {})->what, "fuse %0 into %1 at operand 0");
  EXPECT_EQ(next_question(lab.run, {true})->what, "fuse %1 into %2 at operand 0");
  const auto third = next_question(lab.run, {true, true});
  EXPECT_EQ(third->what, "compute %2 in %out");
  EXPECT_EQ(third->pass, "elim");
  EXPECT_EQ(third->pass_number, 2u);
  EXPECT_FALSE(next_question(lab.run, {true, true, true}));
}

TEST(Replay, ShowsWhatTheRewriteMakesOfTheFunction) {
  const Lab lab;
  const auto first = next_question(lab.run, {});
  EXPECT_EQ(count(first->before).generics, 3u);
  EXPECT_EQ(count(first->after).generics, 2u);
  const auto sharing = next_question(lab.run, {true, true});
  EXPECT_EQ(count(sharing->before).copies, 1u);
  EXPECT_EQ(count(sharing->after).copies, 0u);
}

TEST(Replay, AfterANoAsksForWhatIsThenThere) {
  const Lab lab;
  const auto second = next_question(lab.run, {false});
  EXPECT_EQ(second->what, "fuse %1 into %2 at operand 0");
  EXPECT_EQ(count(second->before).generics, 3u);
}

TEST(Replay, TakesTheRestOfOnePassOnly) {
  const Lab lab;
  StepAnswers answers = {false};
  EXPECT_EQ(take_rest_of_pass(lab.run, answers),
            (std::vector<std::string>{"fuse %1 into %2 at operand 0"}));
  EXPECT_EQ(answers, (StepAnswers{false, true}));
  EXPECT_EQ(next_question(lab.run, answers)->pass, "elim");
}

TEST(Replay, LeavesTheInputAlone) {
  const Lab lab;
  const std::string before = print(lab.input);
  next_question(lab.run, {true});
  EXPECT_EQ(print(lab.input), before);
}

TEST(Replay, OfAPipelineThatFindsNothingHasNoQuestion) {
  Lab lab;
  const std::vector<PassKind> passes = {Canonicalize};
  EXPECT_FALSE(next_question({lab.input, passes}, {}));
}

TEST(StepText, SaysWhatGoesAndLeavesOutWhatStays) {
  const Lab lab;
  const auto fusion = next_question(lab.run, {});
  EXPECT_EQ(describe_effect(fusion->before, fusion->after),
            "generics 3 -> 2, tensors 3 -> 2 (192 MiB -> 128 MiB)");
  const auto sharing = next_question(lab.run, {true, true});
  EXPECT_EQ(describe_effect(sharing->before, sharing->after),
            "allocs 1 -> 0 (64 MiB -> 0 B), copies 1 -> 0 (64 MiB -> 0 B)");
  EXPECT_EQ(describe_effect(fusion->before, fusion->before),
            "none of the counts changes: generics 3, allocs 0, copies 0");
}

TEST(StepText, OfAReasonHasTheConditionsAndBothMaps) {
  const Lab lab;
  const SourceFile source{"fusion.tir", ""};
  const std::string text = describe_reason(*next_question(lab.run, {}), {source, 2, false});
  for (const char* part : {"it is legal because\n  1. ", "\n  7. ", "WriteMap     (d0) -> (d0)",
                           "ReadMap      (d0) -> (d0)", "(fusion.tir:8:8)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

} // namespace
} // namespace mo

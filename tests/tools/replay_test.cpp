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
  EXPECT_EQ(replay(lab.run, {}).question->what, "fuse %0 into %1 at operand 0");
  EXPECT_EQ(replay(lab.run, {true}).question->what, "fuse %1 into %2 at operand 0");
  const auto third = replay(lab.run, {true, true}).question;
  EXPECT_EQ(third->what, "compute %2 in %out");
  EXPECT_EQ(third->pass, "elim");
  EXPECT_EQ(third->pass_number, 2u);
  EXPECT_FALSE(replay(lab.run, {true, true, true}).question);
}

TEST(Replay, ShowsWhatTheRewriteMakesOfTheFunction) {
  const Lab lab;
  const auto first = replay(lab.run, {}).question;
  EXPECT_EQ(count(first->before).generics, 3u);
  EXPECT_EQ(count(first->after).generics, 2u);
  const auto sharing = replay(lab.run, {true, true}).question;
  EXPECT_EQ(count(sharing->before).copies, 1u);
  EXPECT_EQ(count(sharing->after).copies, 0u);
}

TEST(Replay, AfterANoAsksForWhatIsThenThere) {
  const Lab lab;
  const auto second = replay(lab.run, {false}).question;
  EXPECT_EQ(second->what, "fuse %1 into %2 at operand 0");
  EXPECT_EQ(count(second->before).generics, 3u);
}

TEST(Replay, TakesTheRestOfOnePassOnly) {
  const Lab lab;
  StepAnswers answers = {false};
  EXPECT_EQ(take_rest_of_pass(lab.run, answers),
            (std::vector<std::string>{"fuse %1 into %2 at operand 0"}));
  EXPECT_EQ(answers, (StepAnswers{false, true}));
  EXPECT_EQ(replay(lab.run, answers).question->pass, "elim");
}

TEST(Replay, TellsWhatTheEndedPassesDidNotDo) {
  const Lab lab;
  EXPECT_TRUE(replay(lab.run, {}).ended.empty());
  const StepPoint point = replay(lab.run, {true, false});
  ASSERT_EQ(point.ended.size(), 1u);
  EXPECT_EQ(point.ended[0].pass, "fuse");
  ASSERT_EQ(point.ended[0].missed.size(), 1u);
  EXPECT_EQ(point.ended[0].missed[0].reason, "left-out");
  EXPECT_EQ(replay(lab.run, {true, true, true}).ended.size(), 2u);
}

TEST(Replay, OfAPassThatAsksNothingTellsWhy) {
  Lab lab;
  const std::vector<PassKind> passes = {Canonicalize};
  const StepPoint point = replay({lab.input, passes}, {});
  ASSERT_EQ(point.ended.size(), 1u);
  EXPECT_EQ(point.ended[0].missed.at(0).reason, "nothing-to-clean");
}

TEST(Replay, OfAPassThatIsRefusedEverythingTellsWhatAndWhy) {
  SourceFile source{"two.tir", R"(
#map = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>
func.func @f(%a: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#turned, #map], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
})"};
  Diagnostics diagnostics;
  const std::vector<PassKind> passes = {Fuse};
  const Module input = parse_and_verify(source, diagnostics).value();
  const StepPoint point = replay({input, passes}, {});
  EXPECT_FALSE(point.question);
  ASSERT_EQ(point.ended.at(0).missed.size(), 2u);
  EXPECT_EQ(point.ended[0].missed[0].reason, "transposed-read");
  EXPECT_EQ(point.ended[0].missed[1].reason, "nothing-to-fuse");
}

TEST(Replay, LeavesTheInputAlone) {
  const Lab lab;
  const std::string before = print(lab.input);
  replay(lab.run, {true}).question;
  EXPECT_EQ(print(lab.input), before);
}

TEST(Replay, OfAPipelineThatFindsNothingHasNoQuestion) {
  Lab lab;
  const std::vector<PassKind> passes = {Canonicalize};
  EXPECT_FALSE(replay({lab.input, passes}, {}).question);
}

TEST(StepText, SaysWhatGoesAndLeavesOutWhatStays) {
  const Lab lab;
  const auto fusion = replay(lab.run, {}).question;
  EXPECT_EQ(describe_effect(fusion->before, fusion->after),
            "generics 3 -> 2, tensors 3 -> 2 (192 MiB -> 128 MiB)");
  const auto sharing = replay(lab.run, {true, true}).question;
  EXPECT_EQ(describe_effect(sharing->before, sharing->after),
            "allocs 1 -> 0 (64 MiB -> 0 B), copies 1 -> 0 (64 MiB -> 0 B)");
  EXPECT_EQ(describe_effect(fusion->before, fusion->before),
            "none of the counts changes: generics 3, allocs 0, copies 0");
}

TEST(StepText, OfAReasonHasTheConditionsAndBothMaps) {
  const Lab lab;
  const SourceFile source{"fusion.tir", ""};
  const std::string text = describe_reason(*replay(lab.run, {}).question, {source, 2, false});
  for (const char* part : {"it is legal because\n  1. ", "\n  7. ", "WriteMap     (d0) -> (d0)",
                           "ReadMap      (d0) -> (d0)", "(fusion.tir:8:8)"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

} // namespace
} // namespace mo

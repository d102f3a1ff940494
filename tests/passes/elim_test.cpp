// Destination passing: the exact text of --elim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/print.h"
#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr BufferizeMode kElim = BufferizeMode::DestinationPassing;

const std::string kXAndMemrefs =
    "func.func @f(%x: tensor<4x4xf32>, %o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n";

// What is read and written, in short: "x -> e", "copy a -> o", "alloc e", "free e".
std::vector<std::string> traffic(const std::string& program) {
  Function function = function_of(program);
  Observer nobody;
  bufferize(function, kElim, nobody);
  std::vector<std::string> lines;
  const auto name = [&](ValueId v) { return function.value(v).name; };
  for (const Op& op : function.ops) {
    if (const auto* generic = op.as<GenericOp>())
      lines.push_back(name(generic->inputs[0]) + " -> " + name(generic->inits[0]));
    else if (const auto* fill = op.as<FillOp>())
      lines.push_back("fill " + name(fill->init));
    else if (const auto* copy = op.as<CopyOp>())
      lines.push_back("copy " + name(copy->source) + " -> " + name(copy->target));
    else if (op.is<AllocOp>())
      lines.push_back("alloc " + name(op.results[0]));
    else if (const auto* dealloc = op.as<DeallocOp>())
      lines.push_back("free " + name(dealloc->memref));
  }
  return lines;
}

TEST(Elim, AFusedOpIsComputedStraightInTheDestination) {
  EXPECT_EQ(bufferized(kXAndMemrefs + empty("%e") + double_it("%a", "%x", "%e") +
                           materialize("%a", "%o") + "return\n}",
                       kElim),
            "func.func @f(%x: memref<4x4xf32>, %o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n"
            "  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, "
            "d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]} ins(%x : "
            "memref<4x4xf32>) outs(%o : memref<4x4xf32>) {\n"
            "  ^bb0(%in: f32, %out: f32):\n"
            "    %y = arith.addf %in, %in : f32\n"
            "    linalg.yield %y : f32\n"
            "  }\n"
            "  return\n}\n");
}

TEST(Elim, OnlyTheLastUseOfASharedEmptyBecomesTheDestination) {
  EXPECT_THAT(traffic(kXAndMemrefs + empty("%e") + double_it("%a", "%x", "%e") +
                      double_it("%b", "%a", "%e") + double_it("%c", "%b", "%e") +
                      materialize("%c", "%o") + "return\n}"),
              ElementsAre("alloc e", "x -> e", "e -> e", "e -> o", "free e"));
}

TEST(Elim, AChainOfUpdatesIsComputedInTheDestinationFromItsStart) {
  EXPECT_THAT(traffic(kXAndMemrefs + "%z = arith.constant 0.0 : f32\n" + empty("%e") +
                      "%g = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> "
                      "tensor<4x4xf32>\n" +
                      add_to("%a", "%x", "%g") + add_to("%b", "%x", "%a") +
                      materialize("%b", "%o") + "return\n}"),
              ElementsAre("fill o", "x -> o", "x -> o"));
}

TEST(Elim, AResultIsComputedInItsOutParameterAndGivesItItsName) {
  EXPECT_THAT(traffic("func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" + empty("%e") +
                      double_it("%a", "%x", "%e") + "return %a : tensor<4x4xf32>\n}"),
              ElementsAre("x -> a"));
}

TEST(Elim, AValueUpdatedAfterItWasDeliveredIsDeliveredByACopy) {
  EXPECT_THAT(traffic(kXAndMemrefs + empty("%e") + double_it("%a", "%x", "%e") +
                      materialize("%a", "%o") + add_to("%b", "%x", "%a") + materialize("%b", "%p") +
                      "return\n}"),
              ElementsAre("x -> p", "copy p -> o", "x -> p"));
}

TEST(Elim, AValueWantedTwiceIsComputedInTheFirstPlaceAndCopiedToTheSecond) {
  EXPECT_THAT(traffic(kXAndMemrefs + empty("%e") + double_it("%a", "%x", "%e") +
                      materialize("%a", "%o") + materialize("%a", "%p") + "return\n}"),
              ElementsAre("x -> o", "copy o -> p"));
}

TEST(Elim, AValueWantedTwiceInOnePlaceIsThereAlready) {
  EXPECT_THAT(
      traffic(kXAndMemrefs + materialize("%x", "%o") + materialize("%x", "%o") + "return\n}"),
      ElementsAre("copy x -> o"));
}

TEST(Elim, ADestinationMayBeReadElementByElementByTheOpThatWritesIt) {
  EXPECT_THAT(traffic(kXAndMemrefs + view("%t", "%o") + empty("%e") + double_it("%a", "%t", "%e") +
                      materialize("%a", "%o") + "return\n}"),
              ElementsAre("o -> o"));
}

TEST(Elim, ADestinationReadTransposedIsNotTaken) {
  EXPECT_THAT(traffic(kXAndMemrefs + view("%t", "%o") + empty("%e") +
                      double_it("%a", "%t", "%e", "d1, d0") + materialize("%a", "%o") +
                      "return\n}"),
              ElementsAre("alloc e", "o -> e", "copy e -> o", "free e"));
}

TEST(Elim, TheContentsOfTheDestinationItselfNeedNoCopyToBeUpdated) {
  EXPECT_THAT(traffic(kXAndMemrefs + view("%t", "%o") + add_to("%a", "%x", "%t") +
                      materialize("%a", "%o") + "return\n}"),
              ElementsAre("x -> o"));
}

TEST(Elim, OldContentsThatMustStayAreCopiedToTheDestinationAndUpdatedThere) {
  EXPECT_THAT(traffic("func.func @f(%x: tensor<4x4xf32>, %d: tensor<4x4xf32> "
                      "{bufferization.writable = false}) -> tensor<4x4xf32> {\n" +
                      add_to("%a", "%x", "%d") + "return %a : tensor<4x4xf32>\n}"),
              ElementsAre("copy d -> a", "x -> a"));
}

TEST(Elim, ADestinationReadByTheOpIsNotFilledWithOldContentsFirst) {
  EXPECT_THAT(traffic("func.func @f(%d: tensor<4x4xf32> {bufferization.writable = false}, %o: "
                      "memref<4x4xf32>) {\n" +
                      view("%t", "%o") + add_to("%a", "%t", "%d") + materialize("%a", "%o") +
                      "return\n}"),
              ElementsAre("alloc a", "copy d -> a", "o -> a", "copy a -> o", "free a"));
}

TEST(Elim, AnArgumentThatNeedNotBeReadIsNotTouched) {
  EXPECT_THAT(traffic("func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" +
                      double_it("%a", "%x", "%x") + "return %a : tensor<4x4xf32>\n}"),
              ElementsAre("x -> a"));
}

TEST(Elim, ATensorDestinationIsComputedIntoLikeAnyOther) {
  EXPECT_THAT(traffic(kXAndMemrefs + empty("%e") + empty("%d") + double_it("%a", "%x", "%e") +
                      "%b = bufferization.materialize_in_destination %a in %d : (tensor<4x4xf32>, "
                      "tensor<4x4xf32>) -> tensor<4x4xf32>\n" +
                      materialize("%b", "%o") + "return\n}"),
              ElementsAre("x -> o"));
}

TEST(Elim, WithoutRestrictTheViewAndTheDestinationMayBeTheSameMemory) {
  EXPECT_THAT(traffic(kXAndMemrefs + view("%t", "%p", "") + materialize("%x", "%o", "writable") +
                      materialize("%t", "%o") + "return\n}"),
              ElementsAre("alloc t", "copy p -> t", "copy x -> o", "copy t -> o", "free t"));
}

TEST(Elim, TwoResultsOfOneOpDoNotShareADestination) {
  const std::string program =
      kXAndMemrefs + view("%t", "%o", "restrict writable") + empty("%e") +
      "%a:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, "
      "d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", "
      "\"parallel\"]} ins(%x : tensor<4x4xf32>) outs(%t, %e : tensor<4x4xf32>, tensor<4x4xf32>) "
      "{\n^bb0(%in: f32, %p0: f32, %p1: f32):\n  linalg.yield %p0, %in : f32, f32\n} -> "
      "(tensor<4x4xf32>, tensor<4x4xf32>)\n" +
      materialize("%a#1", "%o") + "return\n}";
  EXPECT_THAT(traffic(program), ElementsAre("alloc e", "x -> o", "copy e -> o", "free e"));
  std::vector<std::string> missed;
  for (const Remark& remark : remarks_of(program, kElim))
    if (remark.kind == Remark::Kind::Missed)
      missed.push_back(remark.message);
  EXPECT_THAT(missed,
              ElementsAre("%a#1 cannot be computed straight in %o: something else is written "
                          "there meanwhile: linalg.generic at 4:8 computes both %a#0 and "
                          "%a#1, which cannot be in one buffer"));
}

// %b starts as a copy of %d in %o, before its op reads %a: so %a cannot wait there.
TEST(Elim, ACopyOfOldContentsIsMadeBeforeTheOpReads) {
  EXPECT_THAT(traffic("func.func @f(%x: tensor<4x4xf32>, %d: tensor<4x4xf32> "
                      "{bufferization.writable = false}, %o: memref<4x4xf32>) {\n" +
                      empty("%e") + double_it("%a", "%x", "%e") + materialize("%a", "%o") +
                      add_to("%b", "%a", "%d") + materialize("%b", "%o") + "return\n}"),
              ElementsAre("alloc e", "x -> e", "copy e -> o", "copy d -> o", "e -> o", "free e"));
}

TEST(Elim, AnEmptyThatIsReturnedIsNotCopied) {
  EXPECT_THAT(traffic("func.func @f() -> tensor<4x4xf32> {\n" + empty("%e") +
                      "return %e : tensor<4x4xf32>\n}"),
              ElementsAre());
}

TEST(Elim, RewritesAreAskedForFromTheLastOpAndAnnouncedWhenDone) {
  Function function =
      function_of(kXAndMemrefs + empty("%e") + double_it("%a", "%x", "%e") +
                  double_it("%b", "%a", "%e") + materialize("%b", "%o") + "return\n}");
  CountingObserver observer;
  bufferize(function, kElim, observer);
  EXPECT_THAT(observer.asked, ElementsAre("compute %b in %o", "compute %a in the buffer of %e"));
  EXPECT_EQ(observer.done, observer.asked);
}

TEST(Elim, WhatTheObserverLeavesOutGetsABufferOfItsOwn) {
  Function function = function_of(kXAndMemrefs + empty("%e") + double_it("%a", "%x", "%e") +
                                  materialize("%a", "%o") + "return\n}");
  CountingObserver observer(0);
  bufferize(function, kElim, observer);
  EXPECT_THAT(print(function), HasSubstr("%a = memref.alloc()"));
  EXPECT_THAT(print(function), HasSubstr("memref.copy %a, %o"));
  EXPECT_TRUE(observer.done.empty());
}

TEST(Elim, AnAnnouncedRewriteNamesTheOpWhereItIsNow) {
  class Spy final : public Observer {
  public:
    void rewrote(const Rewrite& r, const Function& after) override {
      generic = after.op(r.op).is<GenericOp>();
    }
    bool generic = false;
  } spy;
  Function function =
      function_of(kXAndMemrefs + empty("%e") + double_it("%a", "%x", "%e") +
                  double_it("%b", "%a", "%e") + materialize("%b", "%o") + "return\n}");
  bufferize(function, kElim, spy);
  EXPECT_TRUE(spy.generic);
}

} // namespace

} // namespace mo::testing

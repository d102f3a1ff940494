// Decisions called by hand, without the pass.
#include <gtest/gtest.h>

#include "passes/bufferize_analysis.h"
#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

constexpr BufferizeMode kElim = BufferizeMode::DestinationPassing;

OpId nth_generic(const Function& function, unsigned n) {
  for (uint32_t i = 0; i < function.ops.size(); ++i)
    if (function.ops[i].is<GenericOp>() && n-- == 0)
      return OpId{i};
  return OpId{};
}

Function function_with(const std::string& body) {
  return function_of("func.func @f(%x: tensor<4x4xf32>, %d: tensor<4x4xf32>, %o: memref<4x4xf32>, "
                     "%p: memref<4x4xf32>) {\n" +
                     body + "return\n}");
}

TEST(BufferizeDecision, ALoneUpdateMayBeInPlace) {
  const Function function = function_with(add_to("%a", "%x", "%d"));
  const BufferAnalysis analysis = analyze_buffers(function, kElim);
  EXPECT_FALSE(refuse_in_place(analysis, nth_generic(function, 0), 0).has_value());
}

TEST(BufferizeDecision, AReadOfTheOldValueRefusesItWithReadWriteAndDefinition) {
  const Function function =
      function_with(add_to("%a", "%x", "%d") + empty("%e") + double_it("%b", "%d", "%e"));
  const BufferAnalysis analysis = analyze_buffers(function, kElim);
  const OpId update = nth_generic(function, 0), reader = nth_generic(function, 1);
  const auto refusal = refuse_in_place(analysis, update, 0);
  ASSERT_TRUE(refusal.has_value());
  EXPECT_EQ(refusal->reason, BufferReason::ReadAfterWrite);
  EXPECT_EQ(refusal->conflict->contents, function.args[1].value);
  EXPECT_FALSE(refusal->conflict->definition.valid()); // it came with the call
  EXPECT_EQ(refusal->conflict->write, update);
  EXPECT_EQ(refusal->conflict->read, reader);
}

TEST(BufferizeDecision, OfTwoUpdatesTheLaterIsDecidedFirst) {
  const Function function = function_with(add_to("%a", "%x", "%d") + add_to("%b", "%x", "%d") +
                                          materialize("%a", "%o") + materialize("%b", "%p"));
  const BufferPlan plan = plan_bufferization(function, BufferizeMode::Copying);
  EXPECT_EQ(plan.inits[0].reason, BufferReason::ReadAfterWrite);
  EXPECT_TRUE(plan.inits[0].copies_old_contents);
  EXPECT_EQ(plan.inits[1].reason, BufferReason::InPlace);
}

TEST(BufferizeDecision, AskingForADestinationChangesNothing) {
  const Function function =
      function_with(empty("%e") + double_it("%a", "%x", "%e") + materialize("%a", "%o"));
  BufferAnalysis analysis = analyze_buffers(function, kElim);
  const OpId op = nth_generic(function, 0);
  EXPECT_FALSE(refuse_destination(analysis, op, 0, 0).has_value());
  EXPECT_FALSE(refuse_destination(analysis, op, 0, 0).has_value());
  const ValueId result = function.op(op).results[0];
  EXPECT_FALSE(analysis.sharing.shared(analysis.storage(result), analysis.transfers[0].target));
}

TEST(BufferizeDecision, APlanLeavesTheFunctionAlone) {
  const Function function =
      function_with(empty("%e") + double_it("%a", "%x", "%e") + materialize("%a", "%o"));
  const size_t values = function.values.size();
  const BufferPlan plan = plan_bufferization(function, kElim);
  EXPECT_EQ(function.values.size(), values);
  EXPECT_EQ(plan.inits.at(0).destination, "%o");
}

TEST(BufferizeDecision, AFillNeedsNothingOfItsInit) {
  const Function function =
      function_with("%z = arith.constant 0.0 : f32\n%a = linalg.fill ins(%z : f32) outs(%d : "
                    "tensor<4x4xf32>) -> tensor<4x4xf32>\n");
  const BufferAnalysis analysis = analyze_buffers(function, kElim);
  EXPECT_FALSE(needs_old_contents(analysis, OpId{1}, 0));
}

TEST(BufferizeDecision, AnEmptyHasNothingToNeed) {
  const Function function = function_with(empty("%e") + add_to("%a", "%x", "%e"));
  const BufferAnalysis analysis = analyze_buffers(function, kElim);
  EXPECT_FALSE(needs_old_contents(analysis, nth_generic(function, 0), 0));
}

// --- sharing ------------------------------------------------------------------------------------

class Sharing : public ::testing::Test {
protected:
  ContentsId contents(StorageId storage, uint32_t op) {
    return sharing.add_contents(
        {ValueId{}, storage, OpId{op}, 0, time_of(OpId{op}), time_of(OpId{op}), {}, ContentsId{}});
  }
  Function none;
  BufferSharing sharing{none};
  StorageId a = sharing.add_storage(), b = sharing.add_storage();
};

TEST_F(Sharing, ContentsThatFollowEachOtherMayShare) {
  sharing.add_read(contents(a, 1), OpId{3}, 0);
  contents(b, 4);
  EXPECT_FALSE(sharing.find_overlap(a, b).has_value());
}

TEST_F(Sharing, ContentsNeededAtTheSameTimeMayNot) {
  const ContentsId early = contents(a, 1), late = contents(b, 4);
  sharing.add_read(early, OpId{5}, 0);
  const auto overlap = sharing.find_overlap(b, a);
  ASSERT_TRUE(overlap.has_value());
  EXPECT_EQ(overlap->kept, early);
  EXPECT_EQ(overlap->written, late);
}

TEST_F(Sharing, AWriteInsideALongLifeIsFoundFromEitherSide) {
  const ContentsId kept = contents(a, 1);
  sharing.add_read(kept, OpId{9}, 0);
  for (const uint32_t op : {20u, 5u, 30u})
    contents(b, op);
  EXPECT_TRUE(sharing.find_overlap(a, b).has_value());
  EXPECT_TRUE(sharing.find_overlap(b, a).has_value());
}

TEST_F(Sharing, TwoResultsOfOneOpMayNotEvenIfOneStartsAsACopy) {
  sharing.set_defined(contents(a, 4), time_before(OpId{4}));
  contents(b, 4);
  EXPECT_TRUE(sharing.find_overlap(a, b).has_value());
}

TEST_F(Sharing, ACopyInTheSameBufferIsTheSameContents) {
  const ContentsId original = contents(a, 1), copy = contents(b, 3);
  sharing.add_read(original, OpId{5}, 0);
  sharing.add_read(copy, OpId{7}, 0);
  sharing.set_copied_from(copy, original);
  ASSERT_FALSE(sharing.find_overlap(a, b).has_value());
  sharing.unite(a, b);
  EXPECT_EQ(sharing.contents(copy).defined, time_of(OpId{1}));
  EXPECT_EQ(sharing.contents(original).last_read, time_of(OpId{7}));
}

TEST_F(Sharing, AGroupKeepsItsBufferAndWhatIsWanted) {
  sharing.set_buffer(b, 7);
  sharing.want(a, 1);
  sharing.want(b, 2);
  sharing.unite(a, b);
  EXPECT_EQ(sharing.buffer(a), 7u);
  EXPECT_EQ(sharing.take_wanted(a).size(), 2u);
  EXPECT_TRUE(sharing.take_wanted(b).empty());
}

} // namespace

} // namespace mo::testing

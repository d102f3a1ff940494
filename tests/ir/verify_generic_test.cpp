// What the verifier says of linalg.generic, one test per rule.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/ir/from_text.h"

namespace mo {
namespace {

/// One generic over %x and %e that copies, with everything that a test may want to get wrong.
struct Generic {
  std::string maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>";
  std::string iterators = R"("parallel")";
  std::string x = "tensor<4xf32>";
  std::string e = "tensor<4xf32>";
  std::string block_args = "%i: f32, %o: f32";
  std::string body = "linalg.yield %i : f32";
  std::string result = "tensor<4xf32>";
  std::string more_args = "%s: f32, %t: tensor<4xf32>";

  std::string text() const {
    return fmt::format(R"(
func.func @f(%x: {2}, %e: {3}, {7}) {{
  {8}linalg.generic {{indexing_maps = [{0}], iterator_types = [{1}]}} ins(%x : {2}) outs(%e : {3}) {{
  ^bb0({4}):
    {5}
  }}{6}
  return
}})",
                       maps, iterators, x, e, block_args, body,
                       result.empty() ? "" : " -> " + result, more_args,
                       result.empty() ? "" : "%r = ");
  }
};

std::string violations(const Generic& generic) {
  return violations_in(generic.text());
}

TEST(VerifyGeneric, AnElementwiseGenericIsValid) {
  EXPECT_EQ(violations({}), "");
}

TEST(VerifyGeneric, OneMapPerOperand) {
  EXPECT_EQ(violations({.maps = "affine_map<(d0) -> (d0)>"}),
            "map-count: generic has 2 operands but 1 indexing map\n");
  const std::string map = "affine_map<(d0) -> (d0)>";
  EXPECT_EQ(violations({.maps = map + ", " + map + ", " + map}),
            "map-count: generic has 2 operands but 3 indexing maps\n");
}

TEST(VerifyGeneric, MapsHaveAsManyDimsAsThereAreLoops) {
  EXPECT_EQ(violations({.iterators = R"("parallel", "parallel")"}),
            "map-dims: map #0 has 1 dim but the generic has 2 loops\n"
            "map-dims: map #1 has 1 dim but the generic has 2 loops\n");
}

TEST(VerifyGeneric, MapsHaveAsManyResultsAsTheOperandHasDimensions) {
  EXPECT_EQ(violations({.x = "tensor<4x4xf32>"}),
            "map-rank: map #0 gives 1 result where %x : tensor<4x4xf32> has rank 2\n");
}

TEST(VerifyGeneric, AScalarInputHasAMapWithoutResults) {
  EXPECT_EQ(violations({.maps = "affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>", .x = "f32"}),
            "");
  EXPECT_EQ(violations({.x = "f32"}),
            "map-rank: map #0 gives 1 result where %x : f32 has rank 0\n");
}

TEST(VerifyGeneric, OperandsAgreeOnTheExtentOfALoop) {
  EXPECT_EQ(violations({.e = "tensor<3xf32>", .result = "tensor<3xf32>"}),
            "extent-conflict: map #1 gives 4 where %e : tensor<3xf32> has 3 in dimension 0\n");
}

TEST(VerifyGeneric, AnExtentConflictPointsAtBothParties) {
  Diagnostics diagnostics;
  verify(module_from(Generic{.e = "tensor<3xf32>", .result = "tensor<3xf32>"}.text()), diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  const std::vector<Note>& notes = diagnostics.all()[0].notes;
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].message, "loop d0 has its extent from %x : tensor<4xf32>");
  EXPECT_EQ(notes[0].loc, (Loc{2, 14}));
  EXPECT_EQ(notes[1].message, "%e : tensor<3xf32> is defined here");
}

TEST(VerifyGeneric, ADimNamedTwiceNeedsASquareOperand) {
  const std::string maps = "affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>";
  EXPECT_EQ(violations({.maps = maps, .x = "tensor<4x4xf32>"}), "");
  EXPECT_EQ(violations({.maps = maps, .x = "tensor<4x5xf32>"}),
            "extent-conflict: map #0 gives 4 where %x : tensor<4x5xf32> has 5 in dimension 1\n");
}

TEST(VerifyGeneric, AnEmptyOperandTakesNoElements) {
  // mlir-opt does not look at dimensions of extent 0 and lets this write outside of the init.
  EXPECT_EQ(violations({.e = "tensor<0xf32>", .result = "tensor<0xf32>"}),
            "extent-conflict: map #1 gives 4 where %e : tensor<0xf32> has 0 in dimension 0\n");
}

TEST(VerifyGeneric, EveryLoopHasAnExtentFromAPlainDim) {
  EXPECT_EQ(violations({.maps = "affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>",
                        .iterators = R"("parallel", "reduction")"}),
            "loop-extent: loop d1 gets its extent from no operand: no map has a result that is d1 "
            "alone\n");
}

TEST(VerifyGeneric, ASumDeterminesNoExtent) {
  EXPECT_EQ(violations({.maps = "affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0 + 1)>"}),
            "loop-extent: loop d0 gets its extent from no operand: no map has a result that is d0 "
            "alone\n");
}

/// The verdict for reading %x of extent `extent` through `row` under loops of 4 x 4.
std::string read_through(const std::string& row, int64_t extent, const std::string& loops = "4x4") {
  const std::string init = "tensor<" + loops + "xf32>";
  return violations(
      {.maps = "affine_map<(d0, d1) -> (" + row + ")>, affine_map<(d0, d1) -> (d0, d1)>",
       .iterators = R"("parallel", "parallel")",
       .x = fmt::format("tensor<{}xf32>", extent),
       .e = init,
       .result = init});
}

TEST(VerifyGeneric, ASumHasToStayInsideTheOperandOnly) {
  EXPECT_EQ(read_through("d0 + d1", 7), "");
  EXPECT_EQ(read_through("d0 + d1", 9), "");
  EXPECT_EQ(read_through("d0 + d1", 6),
            "map-range: map #0, (d0, d1) -> (d0 + d1), reaches index 6 where %x : tensor<6xf32> "
            "has 6 in dimension 0\n");
}

TEST(VerifyGeneric, AReversedDimMayNotGoBelowZero) {
  EXPECT_EQ(read_through("-d0 + 3", 4), "");
  EXPECT_EQ(read_through("-d0 + 2", 4),
            "map-range: map #0, (d0, d1) -> (-d0 + 2), reaches index -1 where %x : tensor<4xf32> "
            "has 4 in dimension 0\n");
}

TEST(VerifyGeneric, ADifferenceIsCheckedInEveryCornerOfTheLoops) {
  // mlir-opt looks at the first and the last point only, where d0 - d1 is 0 both times.
  EXPECT_EQ(read_through("d0 - d1", 4),
            "map-range: map #0, (d0, d1) -> (d0 - d1), reaches index -3 where %x : tensor<4xf32> "
            "has 4 in dimension 0\n");
  EXPECT_EQ(read_through("d0 - d1 + 3", 7), "");
}

TEST(VerifyGeneric, AConstantIndexIsInsideTheOperand) {
  EXPECT_EQ(read_through("3", 4), "");
  EXPECT_EQ(read_through("4", 4),
            "map-range: map #0, (d0, d1) -> (4), reaches index 4 where %x : tensor<4xf32> has 4 in "
            "dimension 0\n");
  EXPECT_EQ(read_through("0", 0),
            "map-range: map #0, (d0, d1) -> (0), reaches index 0 where %x : tensor<0xf32> has 0 in "
            "dimension 0\n");
}

TEST(VerifyGeneric, AnIndexBeyondSixtyFourBitsIsOutside) {
  EXPECT_EQ(read_through("d0 * 9223372036854775807", 4),
            "map-range: map #0, (d0, d1) -> (d0 * 9223372036854775807), reaches an index beyond 64 "
            "bits where %x : tensor<4xf32> has 4 in dimension 0\n");
}

TEST(VerifyGeneric, ACoefficientOnALoopOfExtentOneMayBeAnything) {
  EXPECT_EQ(read_through("d0 * 9223372036854775807 + d1", 4, "1x4"), "");
}

TEST(VerifyGeneric, WhereALoopHasExtentZeroTheCornersAreChecked) {
  EXPECT_EQ(read_through("d0 + 3", 4, "4x0"),
            "map-range: map #0, (d0, d1) -> (d0 + 3), reaches index 6 where %x : tensor<4xf32> has "
            "4 in dimension 0\n");
  EXPECT_EQ(read_through("d0 + 3", 7, "4x0"), "");
  EXPECT_EQ(read_through("d1 * 2", 0, "4x0"), "");
}

TEST(VerifyGeneric, AWriteThatIsNotInjectiveIsAccepted) {
  EXPECT_EQ(violations({.maps = "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>",
                        .iterators = R"("parallel", "parallel")",
                        .x = "tensor<4x5xf32>"}),
            "");
}

TEST(VerifyGeneric, TensorsAndMemrefsDoNotMix) {
  EXPECT_EQ(violations({.x = "memref<4xf32>"}),
            "mixed-operands: one generic works on tensors or on memrefs, not on both "
            "%e : tensor<4xf32> and %x : memref<4xf32>\n");
}

TEST(VerifyGeneric, OutsAreNotScalars) {
  EXPECT_EQ(
      violations(
          {.maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>", .e = "f32", .result = ""}),
      "operand-kind: outs must be tensors or memrefs, but %e : f32 is none\n");
}

TEST(VerifyGeneric, ResultsHaveTheTypesOfTheInits) {
  EXPECT_EQ(violations({.result = "tensor<5xf32>"}),
            "result-type: result #0 of linalg.generic is tensor<5xf32>, but its init is "
            "%e : tensor<4xf32>\n");
}

TEST(VerifyGeneric, OnTensorsEveryInitGivesAResult) {
  EXPECT_EQ(violations({.result = ""}),
            "result-type: linalg.generic has 0 results for 1 tensor init\n");
}

TEST(VerifyGeneric, OnMemrefsThereAreNoResults) {
  EXPECT_EQ(
      violations({.x = "memref<4xf32>", .e = "memref<4xf32>", .more_args = "%s: f32"}),
      "mixed-levels: linalg.generic works on buffers here, but the function works on tensors\n"
      "result-type: linalg.generic has 1 result, but writing to memrefs gives none\n");
}

TEST(VerifyGeneric, OneBlockArgumentPerOperand) {
  EXPECT_EQ(
      violations({.block_args = "%i: f32"}),
      "block-argument-count: the body has 1 block argument where the generic has 2 operands\n");
}

TEST(VerifyGeneric, BlockArgumentsAreTheElements) {
  EXPECT_EQ(violations({.block_args = "%i: f32, %o: f64"}),
            "block-argument-type: block argument #1 is %o : f64 where %e : tensor<4xf32> holds "
            "f32\n");
}

TEST(VerifyGeneric, OneYieldedValuePerInit) {
  EXPECT_EQ(violations({.body = "linalg.yield %i, %o : f32, f32"}),
            "yield-count: linalg.yield has 2 values where the generic has 1 init\n");
}

TEST(VerifyGeneric, YieldedValuesAreTheInitsElements) {
  EXPECT_EQ(
      violations({.body = "%w = arith.extf %i : f32 to f64\nlinalg.yield %w : f64"}),
      "yield-type: value #0 of linalg.yield is %w : f64 where %e : tensor<4xf32> holds f32\n");
}

TEST(VerifyGeneric, LinalgIndexNamesALoopThatIsThere) {
  EXPECT_EQ(violations({.body = "%k = linalg.index 0 : index\nlinalg.yield %i : f32"}), "");
  EXPECT_EQ(violations({.body = "%k = linalg.index 1 : index\nlinalg.yield %i : f32"}),
            "index-dim: linalg.index asks for loop 1 where the generic has 1 loop\n");
}

TEST(VerifyGeneric, BodiesCaptureScalars) {
  EXPECT_EQ(violations({.body = "%m = arith.mulf %i, %s : f32\nlinalg.yield %m : f32"}), "");
  EXPECT_EQ(violations({.body = "linalg.yield %t : tensor<4xf32>"}),
            "capture-kind: a body can name scalars from outside, but %t : tensor<4xf32> is no "
            "scalar\nyield-type: value #0 of linalg.yield is %t : tensor<4xf32> where "
            "%e : tensor<4xf32> holds f32\n");
}

TEST(VerifyGeneric, AGenericWithoutLoopsIsValid) {
  EXPECT_EQ(violations({.maps = "affine_map<() -> ()>, affine_map<() -> ()>",
                        .iterators = "",
                        .x = "tensor<f32>",
                        .e = "tensor<f32>",
                        .result = "tensor<f32>"}),
            "");
}

TEST(VerifyGeneric, SeveralViolationsAreAllReported) {
  EXPECT_EQ(
      violations({.e = "tensor<3xf32>",
                  .block_args = "%i: f32, %o: f64",
                  .body = "%k = linalg.index 9 : index\nlinalg.yield %o : f64",
                  .result = "tensor<3xf64>"}),
      "extent-conflict: map #1 gives 4 where %e : tensor<3xf32> has 3 in dimension 0\n"
      "result-type: result #0 of linalg.generic is tensor<3xf64>, but its init is "
      "%e : tensor<3xf32>\n"
      "block-argument-type: block argument #1 is %o : f64 where %e : tensor<3xf32> holds "
      "f32\n"
      "index-dim: linalg.index asks for loop 9 where the generic has 1 loop\n"
      "yield-type: value #0 of linalg.yield is %o : f64 where %e : tensor<3xf32> holds f32\n");
}

} // namespace
} // namespace mo

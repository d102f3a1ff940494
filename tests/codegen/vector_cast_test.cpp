#include "tests/support/element_bits.h"
#include "vector_harness.h"

using namespace mo;
using namespace mo::test;
using mo::testing::kElementTypes;

namespace {

/// Between all types that the op takes.
void expect_on_its_types(ScalarOp op) {
  unsigned pairs = 0;
  for (ElementType from : kElementTypes)
    for (ElementType to : kElementTypes)
      if (types_agree(info(op).rule, from, to)) {
        expect_as_in_the_table({op, from, to}, 5000);
        ++pairs;
      }
  EXPECT_GT(pairs, 0u);
}

} // namespace

TEST(VectorCast, SitofpIsCorrectlyRounded) {
  expect_on_its_types(ScalarOp::SIToFP);
}
TEST(VectorCast, UitofpIsCorrectlyRounded) {
  expect_on_its_types(ScalarOp::UIToFP);
}
TEST(VectorCast, FptosiGivesTheFixedResultForNaNAndWhatDoesNotFit) {
  expect_on_its_types(ScalarOp::FPToSI);
}
TEST(VectorCast, FptouiGivesTheFixedResultForNaNAndWhatDoesNotFit) {
  expect_on_its_types(ScalarOp::FPToUI);
}
TEST(VectorCast, ExtfIsExact) {
  expect_on_its_types(ScalarOp::ExtF);
}
TEST(VectorCast, TruncfIsCorrectlyRounded) {
  expect_on_its_types(ScalarOp::TruncF);
}
TEST(VectorCast, ExtsiRepeatsTheSign) {
  expect_on_its_types(ScalarOp::ExtSI);
}
TEST(VectorCast, ExtuiFillsWithZeros) {
  expect_on_its_types(ScalarOp::ExtUI);
}
TEST(VectorCast, TrunciKeepsTheLowBits) {
  expect_on_its_types(ScalarOp::TruncI);
}
TEST(VectorCast, IndexCastExtendsTheSignOrCuts) {
  expect_on_its_types(ScalarOp::IndexCast);
}
TEST(VectorCast, BitcastKeepsEveryBit) {
  expect_on_its_types(ScalarOp::Bitcast);
}

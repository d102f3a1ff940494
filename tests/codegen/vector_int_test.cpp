#include "vector_harness.h"

using namespace mo;
using namespace mo::test;

namespace {

void expect_on_integers(ScalarOp op) {
  for (ElementType type : {ElementType::I1, ElementType::I32, ElementType::I64, ElementType::Index})
    expect_as_in_the_table({op, type, type});
}

} // namespace

TEST(VectorInt, AddiWraps) {
  expect_on_integers(ScalarOp::AddI);
}
TEST(VectorInt, SubiWraps) {
  expect_on_integers(ScalarOp::SubI);
}
TEST(VectorInt, MuliWraps) {
  expect_on_integers(ScalarOp::MulI);
}
TEST(VectorInt, AndiIsAsInTheTable) {
  expect_on_integers(ScalarOp::AndI);
}
TEST(VectorInt, OriIsAsInTheTable) {
  expect_on_integers(ScalarOp::OrI);
}
TEST(VectorInt, XoriIsAsInTheTable) {
  expect_on_integers(ScalarOp::XOrI);
}
TEST(VectorInt, ShliShiftsOutAllBitsAtTheWidth) {
  expect_on_integers(ScalarOp::ShLI);
}
TEST(VectorInt, ShrsiFillsWithTheSignAtTheWidth) {
  expect_on_integers(ScalarOp::ShRSI);
}
TEST(VectorInt, ShruiShiftsOutAllBitsAtTheWidth) {
  expect_on_integers(ScalarOp::ShRUI);
}
TEST(VectorInt, MaxsiIsAsInTheTable) {
  expect_on_integers(ScalarOp::MaxSI);
}
TEST(VectorInt, MinsiIsAsInTheTable) {
  expect_on_integers(ScalarOp::MinSI);
}
TEST(VectorInt, MaxuiIsAsInTheTable) {
  expect_on_integers(ScalarOp::MaxUI);
}
TEST(VectorInt, MinuiIsAsInTheTable) {
  expect_on_integers(ScalarOp::MinUI);
}

TEST(VectorInt, DivsiGivesZeroForDivisorZeroAndWrapsForMinOverMinusOne) {
  expect_on_integers(ScalarOp::DivSI);
}
TEST(VectorInt, DivuiGivesZeroForDivisorZero) {
  expect_on_integers(ScalarOp::DivUI);
}
TEST(VectorInt, CeildivsiRoundsUp) {
  expect_on_integers(ScalarOp::CeilDivSI);
}
TEST(VectorInt, FloordivsiRoundsDown) {
  expect_on_integers(ScalarOp::FloorDivSI);
}
TEST(VectorInt, RemsiGivesTheDividendForDivisorZero) {
  expect_on_integers(ScalarOp::RemSI);
}
TEST(VectorInt, RemuiGivesTheDividendForDivisorZero) {
  expect_on_integers(ScalarOp::RemUI);
}

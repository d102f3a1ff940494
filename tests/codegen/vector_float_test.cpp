#include <bit>
#include <cmath>

#include "vector_harness.h"

using namespace mo;
using namespace mo::test;

namespace {

void expect_on_floats(ScalarOp op) {
  expect_as_in_the_table({op, ElementType::F32, ElementType::F32});
  expect_as_in_the_table({op, ElementType::F64, ElementType::F64});
}

/// Products of which the sum with c lies on, or one bit beside, the middle between two results.
Operands halfway_fma(ElementType type) {
  Operands operands(3);
  auto add = [&](double a, double b, double c) {
    const double values[3] = {a, b, c};
    for (int k = 0; k < 3; ++k)
      operands[k].push_back(type == ElementType::F64
                                ? std::bit_cast<uint64_t>(values[k])
                                : std::bit_cast<uint32_t>(static_cast<float>(values[k])));
  };
  const double ulp = type == ElementType::F64 ? 0x1p-52 : 0x1p-23;
  for (double scale : {1.0, 0x1p-60, 0x1p60, type == ElementType::F64 ? 0x1p-1022 : 0x1p-126})
    for (double sign : {1.0, -1.0})
      for (int c = 0; c < 4; ++c)
        for (double tiny : {0.0, 1.0, -1.0})
          for (double small : {0x1p-20, 0x1p-40, 0x1p-100}) {
            // a * b = (1/2 + tiny small) ulp
            add(ulp * (1 + tiny * 2 * small), sign * scale / 2, sign * scale * (1 + c * ulp));
            add(ulp * (1 + tiny * ulp), sign * scale / 2, -sign * scale * (1 + c * ulp));
            add(1 + ulp, sign * scale * (1 + tiny * ulp), sign * small * scale);
          }
  return operands;
}

/// f32 products that with c = 1 or 1 + 2^-23 lie between one half and one unit of f64 away from the
/// middle of two f32: rounding to f64 first, or to the neighbour that is even, gives the tie.
Operands almost_halfway_fma() {
  Operands operands(3);
  auto bits = [](float v) { return uint64_t{std::bit_cast<uint32_t>(v)}; };
  for (int k = 1; k < 4000; ++k) {
    const float a = 1 + static_cast<float>(k) * 0x1p-23f;
    const float b = static_cast<float>(0x1p-24 / double{a});
    const double gap = std::fabs(double{a} * double{b} - 0x1p-24); // the product is exact
    if (gap <= 0x1p-53 || gap >= 0x1p-52)
      continue;
    for (float sign : {1.0f, -1.0f})
      for (float c : {1.0f, 1.0f + 0x1p-23f}) {
        operands[0].push_back(bits(a));
        operands[1].push_back(bits(sign * b));
        operands[2].push_back(bits(sign * c));
      }
  }
  return operands;
}

} // namespace

TEST(VectorFloat, AddfIsAsInTheTable) {
  expect_on_floats(ScalarOp::AddF);
}
TEST(VectorFloat, SubfIsAsInTheTable) {
  expect_on_floats(ScalarOp::SubF);
}
TEST(VectorFloat, MulfIsAsInTheTable) {
  expect_on_floats(ScalarOp::MulF);
}
TEST(VectorFloat, DivfIsAsInTheTable) {
  expect_on_floats(ScalarOp::DivF);
}
TEST(VectorFloat, RemfIsCsFmod) {
  expect_on_floats(ScalarOp::RemF);
}
TEST(VectorFloat, NegfFlipsTheSignBitOfNaNToo) {
  expect_on_floats(ScalarOp::NegF);
}
TEST(VectorFloat, AbsfClearsTheSignBitOfNaNToo) {
  expect_on_floats(ScalarOp::AbsF);
}
TEST(VectorFloat, CopysignTakesTheSignOfNaNToo) {
  expect_on_floats(ScalarOp::CopySign);
}
TEST(VectorFloat, SqrtIsCorrectlyRounded) {
  expect_on_floats(ScalarOp::Sqrt);
}
TEST(VectorFloat, RsqrtOfF64IsTwoRoundings) {
  expect_as_in_the_table({ScalarOp::Rsqrt, ElementType::F64, ElementType::F64}); // f32: tests/math
}

TEST(VectorFloat, MaximumfPropagatesNaNAndOrdersZeros) {
  expect_on_floats(ScalarOp::MaximumF);
}
TEST(VectorFloat, MinimumfPropagatesNaNAndOrdersZeros) {
  expect_on_floats(ScalarOp::MinimumF);
}
TEST(VectorFloat, MaxnumfIgnoresNaNAndOrdersZeros) {
  expect_on_floats(ScalarOp::MaxNumF);
}
TEST(VectorFloat, MinnumfIgnoresNaNAndOrdersZeros) {
  expect_on_floats(ScalarOp::MinNumF);
}

TEST(VectorFloat, FloorIsAsInTheTable) {
  expect_on_floats(ScalarOp::Floor);
}
TEST(VectorFloat, CeilIsAsInTheTable) {
  expect_on_floats(ScalarOp::Ceil);
}
TEST(VectorFloat, TruncIsAsInTheTable) {
  expect_on_floats(ScalarOp::Trunc);
}
TEST(VectorFloat, RoundevenTakesHalvesToEven) {
  expect_on_floats(ScalarOp::RoundEven);
}
TEST(VectorFloat, RoundTakesHalvesAwayFromZero) {
  expect_on_floats(ScalarOp::Round);
}

TEST(VectorFloat, FmaIsAsInTheTable) {
  expect_on_floats(ScalarOp::Fma);
}
TEST(VectorFloat, FmaRoundsOnceBesideHalfwayCases) {
  for (ElementType type : {ElementType::F32, ElementType::F64})
    expect_as_in_the_table({ScalarOp::Fma, type, type}, halfway_fma(type));
}

TEST(VectorFloat, FmaIsNotRoundedToF64OnTheWay) {
  const Operands operands = almost_halfway_fma();
  ASSERT_GT(operands[0].size(), 100u);
  expect_as_in_the_table({ScalarOp::Fma, ElementType::F32, ElementType::F32}, operands);
}

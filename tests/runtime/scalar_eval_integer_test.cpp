// What integer ops and casts give for the values where they could be misunderstood.
// Expectations are written out, not computed with what is tested.
#include "tests/runtime/scalar_eval_support.h"

namespace mo {
namespace {

using namespace mo::testing;

TEST(ScalarEval, IntegerArithmeticWraps) {
  using enum ScalarOp;
  EXPECT_EQ(same_type(AddI, {INT32_MAX, 1}), kMin32);
  EXPECT_EQ(same_type(SubI, {kMin32, 1}), INT32_MAX);
  EXPECT_EQ(same_type(MulI, {0x10001, 0x10001}), 0x20001);
  EXPECT_EQ(same_type(MulI, {-1, kMin32}), kMin32);
  EXPECT_EQ(same_type<int64_t>(AddI, {INT64_MAX, 1}), kMin64);
  EXPECT_EQ(same_type<int64_t>(MulI, {int64_t{1} << 32, int64_t{1} << 32}), 0);
}

TEST(ScalarEval, IntegerDivisionRoundsAsNamed) {
  using enum ScalarOp;
  EXPECT_EQ(same_type(DivSI, {-7, 2}), -3);
  EXPECT_EQ(same_type(CeilDivSI, {-7, 2}), -3);
  EXPECT_EQ(same_type(CeilDivSI, {7, 2}), 4);
  EXPECT_EQ(same_type(CeilDivSI, {-7, -2}), 4);
  EXPECT_EQ(same_type(CeilDivSI, {6, 2}), 3);
  EXPECT_EQ(same_type(CeilDivSI, {0, -2}), 0);
  EXPECT_EQ(same_type(FloorDivSI, {-7, 2}), -4);
  EXPECT_EQ(same_type(FloorDivSI, {7, -2}), -4);
  EXPECT_EQ(same_type(FloorDivSI, {-7, -2}), 3);
  EXPECT_EQ(same_type(FloorDivSI, {-6, 2}), -3);
  EXPECT_EQ(same_type(FloorDivSI, {0, -2}), 0);
  EXPECT_EQ(same_type(RemSI, {-7, 2}), -1);
  EXPECT_EQ(same_type(RemSI, {7, -2}), 1);
  EXPECT_EQ(same_type(DivUI, {-1, 2}), INT32_MAX);
  EXPECT_EQ(same_type(RemUI, {-1, 16}), 15);
}

TEST(ScalarEval, DivisionByZeroGivesZeroAndItsRemainderTheDividend) {
  using enum ScalarOp;
  for (ScalarOp op : {DivSI, DivUI, CeilDivSI, FloorDivSI}) {
    EXPECT_EQ(same_type(op, {7, 0}), 0) << info(op).spelling;
    EXPECT_EQ(same_type(op, {kMin32, 0}), 0) << info(op).spelling;
    EXPECT_EQ(same_type<int64_t>(op, {-7, 0}), 0) << info(op).spelling;
  }
  for (ScalarOp op : {RemSI, RemUI}) {
    EXPECT_EQ(same_type(op, {-7, 0}), -7) << info(op).spelling;
    EXPECT_EQ(same_type(op, {true, false}), true) << info(op).spelling;
  }
}

TEST(ScalarEval, TheSmallestNumberDividedByMinusOneIsItself) {
  using enum ScalarOp;
  for (ScalarOp op : {DivSI, CeilDivSI, FloorDivSI}) {
    EXPECT_EQ(same_type(op, {kMin32, -1}), kMin32) << info(op).spelling;
    EXPECT_EQ(same_type<int64_t>(op, {kMin64, -1}), kMin64) << info(op).spelling;
    EXPECT_EQ(same_type(op, {true, true}), true) << info(op).spelling; // -1 / -1 in one bit
  }
  EXPECT_EQ(same_type(RemSI, {kMin32, -1}), 0);
  EXPECT_EQ(same_type<int64_t>(RemSI, {kMin64, -1}), 0);
}

TEST(ScalarEval, ShiftsByTheWidthOrMoreShiftEveryBitOut) {
  using enum ScalarOp;
  EXPECT_EQ(same_type(ShLI, {1, 31}), kMin32);
  EXPECT_EQ(same_type(ShLI, {1, 32}), 0);
  EXPECT_EQ(same_type(ShLI, {1, -1}), 0);
  EXPECT_EQ(same_type(ShRSI, {kMin32, 31}), -1);
  EXPECT_EQ(same_type(ShRSI, {kMin32, 32}), -1);
  EXPECT_EQ(same_type(ShRSI, {INT32_MAX, 32}), 0);
  EXPECT_EQ(same_type(ShRUI, {kMin32, 31}), 1);
  EXPECT_EQ(same_type(ShRUI, {-1, 32}), 0);
  EXPECT_EQ(same_type<int64_t>(ShLI, {1, 63}), kMin64);
  EXPECT_EQ(same_type<int64_t>(ShRSI, {kMin64, 64}), -1);
  EXPECT_EQ(same_type<int64_t>(ShRUI, {-1, 64}), 0);
  EXPECT_EQ(same_type(ShLI, {true, true}), false);
  EXPECT_EQ(same_type(ShRSI, {true, true}), true);
  EXPECT_EQ(same_type(ShRUI, {true, true}), false);
  EXPECT_EQ(same_type(ShLI, {true, false}), true);
}

TEST(ScalarEval, SignednessDecidesTheOrderOfIntegers) {
  using enum ScalarOp;
  EXPECT_EQ(same_type(MaxSI, {-1, 1}), 1);
  EXPECT_EQ(same_type(MaxUI, {-1, 1}), -1);
  EXPECT_EQ(same_type(MinSI, {-1, 1}), -1);
  EXPECT_EQ(same_type(MinUI, {-1, 1}), 1);
  EXPECT_EQ(same_type(MaxSI, {true, false}), false); // -1 < 0
  EXPECT_EQ(same_type(MaxUI, {true, false}), true);
}

TEST(ScalarEval, BitwiseOpsWorkOnAllBits) {
  using enum ScalarOp;
  EXPECT_EQ(same_type(AndI, {0x0FF0, -1}), 0x0FF0);
  EXPECT_EQ(same_type(OrI, {kMin32, 1}), kMin32 + 1);
  EXPECT_EQ(same_type(XOrI, {-1, 0x0F}), ~0x0F);
  EXPECT_EQ(same_type(AddI, {true, true}), false); // one bit
}

TEST(ScalarEval, IntegersBecomeFloatsRoundedToNearestEven) {
  using enum ScalarOp;
  EXPECT_EQ((cast<float>(SIToFP, 0x1000001)), 0x1p24F);
  EXPECT_EQ((cast<float>(SIToFP, 0x1000003)), 0x1.000004p24F);
  EXPECT_EQ((cast<float>(SIToFP, kMin64)), -0x1p63F);
  EXPECT_EQ((cast<float>(UIToFP, int64_t{-1})), 0x1p64F);
  EXPECT_EQ((cast<float>(UIToFP, (int64_t{1} << 40) + (int64_t{1} << 16) + 1)), 0x1.000002p40F);
  EXPECT_EQ((cast<double>(UIToFP, -1)), 4294967295.0);
  EXPECT_EQ((cast<float>(SIToFP, true)), -1.0F);
  EXPECT_EQ((cast<float>(UIToFP, true)), 1.0F);
}

TEST(ScalarEval, FloatsBecomeSignedIntegersTowardZeroOrTheSmallestOne) {
  using enum ScalarOp;
  EXPECT_EQ((cast<int32_t>(FPToSI, -1.75F)), -1);
  EXPECT_EQ((cast<int32_t>(FPToSI, 0x1.fffffep30F)), 0x7FFFFF80);
  EXPECT_EQ((cast<int32_t>(FPToSI, 0x1p31F)), kMin32);
  EXPECT_EQ((cast<int32_t>(FPToSI, -0x1p31F)), kMin32);
  EXPECT_EQ((cast<int32_t>(FPToSI, kNaN)), kMin32);
  EXPECT_EQ((cast<int32_t>(FPToSI, kInf)), kMin32);
  EXPECT_EQ((cast<int32_t>(FPToSI, -2147483648.75)), kMin32); // fits once truncated
  EXPECT_EQ((cast<int32_t>(FPToSI, 2147483647.75)), INT32_MAX);
  EXPECT_EQ((cast<int64_t>(FPToSI, 0x1p63)), kMin64);
  EXPECT_EQ((cast<int64_t>(FPToSI, -5.5)), -5);
}

TEST(ScalarEval, FloatsBecomeUnsignedIntegersTowardZeroOrAllOnes) {
  using enum ScalarOp;
  EXPECT_EQ((cast<int32_t>(FPToUI, 0x1.fffffep31F)), static_cast<int32_t>(0xFFFFFF00));
  EXPECT_EQ((cast<int32_t>(FPToUI, 0x1p32F)), -1);
  EXPECT_EQ((cast<int32_t>(FPToUI, -0.75F)), 0);
  EXPECT_EQ((cast<int32_t>(FPToUI, -1.0F)), -1);
  EXPECT_EQ((cast<int32_t>(FPToUI, kNaN)), -1);
  EXPECT_EQ((cast<int64_t>(FPToUI, 0x1p63)), kMin64);
  EXPECT_EQ((cast<int64_t>(FPToUI, 0x1p64)), -1);
  EXPECT_EQ((cast<int64_t>(FPToUI, -0x1p-1074)), 0);
}

TEST(ScalarEval, FloatsBecomeTruthValuesByBit0OfTheI32) {
  using enum ScalarOp;
  EXPECT_EQ((cast<bool>(FPToSI, 1.0F)), true);
  EXPECT_EQ((cast<bool>(FPToSI, 2.0F)), false);
  EXPECT_EQ((cast<bool>(FPToSI, -1.0F)), true);
  EXPECT_EQ((cast<bool>(FPToSI, kNaN)), false); // 0x80000000
  EXPECT_EQ((cast<bool>(FPToUI, kNaN)), true);  // 0xFFFFFFFF
  EXPECT_EQ((cast<bool>(FPToUI, 3.5F)), true);
}

TEST(ScalarEval, WidthCastsExtendOrCut) {
  using enum ScalarOp;
  EXPECT_EQ((cast<int64_t>(ExtSI, -2)), -2);
  EXPECT_EQ((cast<int64_t>(ExtUI, -2)), 0xFFFFFFFE);
  EXPECT_EQ((cast<int32_t>(ExtSI, true)), -1);
  EXPECT_EQ((cast<int32_t>(ExtUI, true)), 1);
  EXPECT_EQ((cast<int32_t>(TruncI, int64_t{0x1'8000'0000})), kMin32);
  EXPECT_EQ((cast<bool>(TruncI, 2)), false);
  EXPECT_EQ((cast<bool>(TruncI, 3)), true);
  EXPECT_EQ((cast<double>(ExtF, 0.1F)), 0x1.99999ap-4);
  EXPECT_EQ((cast<float>(TruncF, 0x1.000001p0)), 1.0F); // a tie goes to even
  EXPECT_EQ((cast<float>(TruncF, 1e300)), kInf);
  EXPECT_EQ((cast<float>(TruncF, 0x1p-149)), kDenormal);
}

TEST(ScalarEval, IndexCastExtendsTheSignOrCuts) {
  auto index_cast = [](ElementType from, ElementType to, uint64_t bits) {
    return eval_scalar(ScalarOp::IndexCast, 0, from, to, &bits);
  };
  using enum ElementType;
  EXPECT_EQ(index_cast(I32, Index, 0xFFFFFFFF), UINT64_MAX);
  EXPECT_EQ(index_cast(I1, Index, 1), UINT64_MAX);
  EXPECT_EQ(index_cast(Index, I32, 0x1'0000'0005), 5U);
  EXPECT_EQ(index_cast(Index, I1, 3), 1U);
}

TEST(ScalarEval, BitcastKeepsTheBitsOfANaN) {
  const uint64_t nan = 0x7F812345; // a signalling one
  EXPECT_EQ(eval_scalar(ScalarOp::Bitcast, 0, ElementType::F32, ElementType::I32, &nan), nan);
  EXPECT_EQ(eval_scalar(ScalarOp::Bitcast, 0, ElementType::I32, ElementType::F32, &nan), nan);
  const uint64_t one = 1;
  EXPECT_EQ(eval_scalar(ScalarOp::Bitcast, 0, ElementType::I1, ElementType::I1, &one), 1U);
}

} // namespace
} // namespace mo

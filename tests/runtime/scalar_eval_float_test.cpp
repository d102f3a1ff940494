// What float ops give for the values where they could be misunderstood.
// Expectations are written out, not computed with what is tested.
#include "tests/runtime/scalar_eval_support.h"

namespace mo {
namespace {

using namespace mo::testing;

TEST(ScalarEval, FloatArithmeticIsIeee) {
  using enum ScalarOp;
  check({{AddF, {1.0F, 0x1p-24F}, 1.0F}, // a tie goes to even
         {AddF, {0x1.000002p0F, 0x1p-24F}, 0x1.000004p0F},
         {AddF, {-0.0F, -0.0F}, -0.0F},
         {AddF, {-0.0F, 0.0F}, 0.0F},
         {AddF, {kInf, -kInf}, kNaN},
         {SubF, {0.0F, 0.0F}, 0.0F},
         {SubF, {-0.0F, 0.0F}, -0.0F},
         {MulF, {kDenormal, 0.5F}, 0.0F},
         {MulF, {kDenormal, 0.75F}, kDenormal}, // denormals are not flushed
         {MulF, {0.0F, kInf}, kNaN},
         {MulF, {-0.0F, 3.0F}, -0.0F},
         {DivF, {1.0F, 0.0F}, kInf},
         {DivF, {1.0F, -0.0F}, -kInf},
         {DivF, {0.0F, 0.0F}, kNaN},
         {DivF, {1.0F, 3.0F}, 0x1.555556p-2F}});
}

TEST(ScalarEval, FloatRemainderHasTheSignOfTheDividend) {
  using enum ScalarOp;
  check({{RemF, {5.5F, 2.0F}, 1.5F},
         {RemF, {-5.5F, 2.0F}, -1.5F},
         {RemF, {5.5F, -2.0F}, 1.5F},
         {RemF, {-4.0F, 2.0F}, -0.0F},
         {RemF, {1.0F, 0.0F}, kNaN},
         {RemF, {kInf, 2.0F}, kNaN},
         {RemF, {3.0F, kInf}, 3.0F},
         {RemF, {0x1p127F, 3.0F}, 2.0F}});
}

TEST(ScalarEval, NegationFlipsTheSignBitOfANaNToo) {
  EXPECT_EQ(to_bits(same_type(ScalarOp::NegF, {0.0F})), 0x80000000U);
  const uint64_t nan = 0x7FC12345;
  EXPECT_EQ(eval_scalar(ScalarOp::NegF, 0, ElementType::F32, ElementType::F32, &nan), 0xFFC12345U);
}

TEST(ScalarEval, AbsClearsTheSignBitOfANaNToo) {
  const uint64_t nan = 0xFFC12345;
  EXPECT_EQ(eval_scalar(ScalarOp::AbsF, 0, ElementType::F32, ElementType::F32, &nan), 0x7FC12345U);
  expect_same(same_type(ScalarOp::AbsF, {-0.0F}), 0.0F);
  expect_same(same_type(ScalarOp::AbsF, {-kInf}), kInf);
}

TEST(ScalarEval, MaximumAndMinimumPropagateNaNAndOrderZeros) {
  using enum ScalarOp;
  check({{MaximumF, {1.0F, 2.0F}, 2.0F},
         {MaximumF, {2.0F, 1.0F}, 2.0F},
         {MaximumF, {kNaN, 1.0F}, kNaN},
         {MaximumF, {1.0F, kNaN}, kNaN},
         {MaximumF, {-0.0F, 0.0F}, 0.0F},
         {MaximumF, {0.0F, -0.0F}, 0.0F},
         {MaximumF, {-0.0F, -0.0F}, -0.0F},
         {MaximumF, {-kInf, 1.0F}, 1.0F},
         {MinimumF, {1.0F, 2.0F}, 1.0F},
         {MinimumF, {2.0F, 1.0F}, 1.0F},
         {MinimumF, {kNaN, 1.0F}, kNaN},
         {MinimumF, {1.0F, kNaN}, kNaN},
         {MinimumF, {-0.0F, 0.0F}, -0.0F},
         {MinimumF, {0.0F, -0.0F}, -0.0F},
         {MinimumF, {0.0F, 0.0F}, 0.0F},
         {MinimumF, {-kInf, 1.0F}, -kInf}});
}

TEST(ScalarEval, MaxNumAndMinNumIgnoreOneNaNAndOrderZeros) {
  using enum ScalarOp;
  check({{MaxNumF, {kNaN, 1.0F}, 1.0F},
         {MaxNumF, {1.0F, kNaN}, 1.0F},
         {MaxNumF, {kNaN, -kInf}, -kInf},
         {MaxNumF, {kNaN, kNaN}, kNaN},
         {MaxNumF, {-0.0F, 0.0F}, 0.0F},
         {MaxNumF, {0.0F, -0.0F}, 0.0F},
         {MaxNumF, {3.0F, 2.0F}, 3.0F},
         {MinNumF, {kNaN, 1.0F}, 1.0F},
         {MinNumF, {1.0F, kNaN}, 1.0F},
         {MinNumF, {kNaN, kNaN}, kNaN},
         {MinNumF, {-0.0F, 0.0F}, -0.0F},
         {MinNumF, {0.0F, -0.0F}, -0.0F},
         {MinNumF, {3.0F, 2.0F}, 2.0F}});
}

TEST(ScalarEval, RoundingOpsTreatHalfwayCasesAndZerosAsNamed) {
  using enum ScalarOp;
  check({{Floor, {-0.5F}, -1.0F},
         {Floor, {-0.0F}, -0.0F},
         {Ceil, {-0.5F}, -0.0F},
         {Ceil, {0.5F}, 1.0F},
         {Round, {0.5F}, 1.0F},
         {Round, {-0.5F}, -1.0F},
         {Round, {2.5F}, 3.0F},
         {Round, {-0.25F}, -0.0F},
         {Round, {0x1.fffffep-2F}, 0.0F},
         {RoundEven, {0.5F}, 0.0F},
         {RoundEven, {1.5F}, 2.0F},
         {RoundEven, {2.5F}, 2.0F},
         {RoundEven, {-0.5F}, -0.0F},
         {RoundEven, {-3.5F}, -4.0F},
         {Trunc, {-1.75F}, -1.0F},
         {Trunc, {-0.75F}, -0.0F},
         {Floor, {kInf}, kInf},
         {RoundEven, {kNaN}, kNaN}});
}

TEST(ScalarEval, MathFunctionsGiveLibmsSpecialValues) {
  using enum ScalarOp;
  check({{Exp, {0.0F}, 1.0F},          {Exp, {-kInf}, 0.0F},         {Exp, {100.0F}, kInf},
         {Exp, {1.0F}, 0x1.5bf0a8p1F}, {Exp2, {-149.0F}, kDenormal}, {Exp2, {10.0F}, 1024.0F},
         {ExpM1, {-0.0F}, -0.0F},      {ExpM1, {-kInf}, -1.0F},      {Log, {0.0F}, -kInf},
         {Log, {-1.0F}, kNaN},         {Log, {1.0F}, 0.0F},          {Log2, {8.0F}, 3.0F},
         {Log2, {kDenormal}, -149.0F}, {Log1p, {-0.0F}, -0.0F},      {Log1p, {-1.0F}, -kInf},
         {Sqrt, {-0.0F}, -0.0F},       {Sqrt, {-1.0F}, kNaN},        {Sqrt, {2.0F}, 0x1.6a09e6p0F},
         {Rsqrt, {4.0F}, 0.5F},        {Rsqrt, {0.0F}, kInf},        {Rsqrt, {-0.0F}, -kInf},
         {Tanh, {-0.0F}, -0.0F},       {Tanh, {kInf}, 1.0F},         {Erf, {-kInf}, -1.0F},
         {Erf, {-0.0F}, -0.0F},        {Sin, {-0.0F}, -0.0F},        {Sin, {kInf}, kNaN},
         {Cos, {0.0F}, 1.0F},          {Cos, {-kInf}, kNaN},         {PowF, {0.0F, 0.0F}, 1.0F},
         {PowF, {kNaN, 0.0F}, 1.0F},   {PowF, {1.0F, kNaN}, 1.0F},   {PowF, {-2.0F, 3.0F}, -8.0F},
         {PowF, {-8.0F, 0.5F}, kNaN},  {PowF, {2.0F, -1.0F}, 0.5F}});
}

TEST(ScalarEval, CopySignTakesTheSignOfANaNToo) {
  using enum ScalarOp;
  check({{CopySign, {1.0F, -0.0F}, -1.0F}, {CopySign, {-2.0F, 3.0F}, 2.0F}});
  expect_same(same_type(CopySign, {1.0F, std::bit_cast<float>(0xFFC00000U)}), -1.0F);
}

TEST(ScalarEval, FmaRoundsOnceAndSeparateOpsRoundTwice) {
  const float a = 0x1.000002p0F, c = -0x1.000004p0F;
  expect_same(same_type(ScalarOp::Fma, {a, a, c}), 0x1p-46F);
  const float product = same_type(ScalarOp::MulF, {a, a});
  expect_same(same_type(ScalarOp::AddF, {product, c}), 0.0F);
}

TEST(ScalarEval, DoublesAreComputedAsDoubles) {
  EXPECT_EQ(same_type(ScalarOp::DivF, {1.0, 3.0}), 0x1.5555555555555p-2);
  EXPECT_EQ(same_type(ScalarOp::Sqrt, {2.0}), 0x1.6a09e667f3bcdp0);
  EXPECT_EQ(same_type(ScalarOp::AddF, {1.0, 0x1p-30}), 1.0 + 0x1p-30);
  EXPECT_EQ(same_type(ScalarOp::Exp, {1.0}), 0x1.5bf0a8b145769p1);
}

} // namespace
} // namespace mo

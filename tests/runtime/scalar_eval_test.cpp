// Compares, select, and the table of scalar ops as a whole.
#include <vector>

#include "tests/runtime/scalar_eval_support.h"

namespace mo {
namespace {

using namespace mo::testing;

TEST(ScalarEval, OrderedComparesAreFalseAndUnorderedOnesTrueWithNaN) {
  using enum CmpFPredicate;
  for (auto p : {False, OEQ, OGT, OGE, OLT, OLE, ONE, ORD}) {
    EXPECT_FALSE(ask(p, kNaN, 1.0F)) << spelling(p);
    EXPECT_FALSE(ask(p, 1.0F, kNaN)) << spelling(p);
  }
  for (auto p : {UEQ, UGT, UGE, ULT, ULE, UNE, UNO, True}) {
    EXPECT_TRUE(ask(p, kNaN, 1.0F)) << spelling(p);
    EXPECT_TRUE(ask(p, kNaN, kNaN)) << spelling(p);
  }
}

TEST(ScalarEval, FloatComparesWithoutNaNFollowTheirNames) {
  using P = CmpFPredicate;
  struct Row {
    P predicate;
    bool less, equal, greater; // the answers for (1, 2), (-0, +0), (2, 1)
  };
  for (const Row& row : {Row{P::False, false, false, false}, Row{P::OEQ, false, true, false},
                         Row{P::OGT, false, false, true}, Row{P::OGE, false, true, true},
                         Row{P::OLT, true, false, false}, Row{P::OLE, true, true, false},
                         Row{P::ONE, true, false, true}, Row{P::ORD, true, true, true},
                         Row{P::UEQ, false, true, false}, Row{P::UGT, false, false, true},
                         Row{P::UGE, false, true, true}, Row{P::ULT, true, false, false},
                         Row{P::ULE, true, true, false}, Row{P::UNE, true, false, true},
                         Row{P::UNO, false, false, false}, Row{P::True, true, true, true}}) {
    SCOPED_TRACE(spelling(row.predicate));
    EXPECT_EQ(ask(row.predicate, 1.0F, 2.0F), row.less);
    EXPECT_EQ(ask(row.predicate, -0.0F, 0.0F), row.equal);
    EXPECT_EQ(ask(row.predicate, 2.0F, 1.0F), row.greater);
  }
}

TEST(ScalarEval, IntegerComparesFollowTheirNames) {
  using P = CmpIPredicate;
  struct Row {
    P predicate;
    bool minus_one_and_one, equal, one_and_minus_one;
  };
  for (const Row& row : {Row{P::EQ, false, true, false}, Row{P::NE, true, false, true},
                         Row{P::SLT, true, false, false}, Row{P::SLE, true, true, false},
                         Row{P::SGT, false, false, true}, Row{P::SGE, false, true, true},
                         Row{P::ULT, false, false, true}, Row{P::ULE, false, true, true},
                         Row{P::UGT, true, false, false}, Row{P::UGE, true, true, false}}) {
    SCOPED_TRACE(spelling(row.predicate));
    EXPECT_EQ(ask(row.predicate, -1, 1), row.minus_one_and_one);
    EXPECT_EQ(ask(row.predicate, 5, 5), row.equal);
    EXPECT_EQ(ask(row.predicate, int64_t{1}, int64_t{-1}), row.one_and_minus_one);
  }
  EXPECT_TRUE(ask(P::SLT, true, false)); // -1 < 0
  EXPECT_TRUE(ask(P::UGT, true, false));
}

TEST(ScalarEval, SelectTakesBitsAsTheyAre) {
  const uint64_t signalling = 0x7F812345;
  const uint64_t yes[] = {1, signalling, 0}, no[] = {0, 0, signalling};
  EXPECT_EQ(eval_scalar(ScalarOp::Select, 0, ElementType::F32, ElementType::F32, yes), signalling);
  EXPECT_EQ(eval_scalar(ScalarOp::Select, 0, ElementType::F32, ElementType::F32, no), signalling);
}

TEST(ScalarEval, TypesThatAnOpDoesNotTakeHaveNoKernel) {
  using enum ElementType;
  EXPECT_EQ(block_kernel(ScalarOp::AddF, 0, I32, I32), nullptr);
  EXPECT_EQ(block_kernel(ScalarOp::AddI, 0, F32, F32), nullptr);
  EXPECT_EQ(block_kernel(ScalarOp::AddF, 0, F32, F64), nullptr);
  EXPECT_EQ(block_kernel(ScalarOp::SIToFP, 0, F32, F32), nullptr);
  EXPECT_EQ(block_kernel(ScalarOp::ExtF, 0, F64, F32), nullptr);
  EXPECT_EQ(block_kernel(ScalarOp::Constant, 0, F32, F32), nullptr);
}

TEST(ScalarEval, EveryOpOfTheTableHasAKernelForEveryTypeItsRuleAllows) {
  constexpr ElementType kTypes[] = {ElementType::F32, ElementType::F64, ElementType::I1,
                                    ElementType::I32, ElementType::I64, ElementType::Index};
  for (unsigned number = 0; number < num_scalar_ops(); ++number) {
    const ScalarOpInfo& op = info(static_cast<ScalarOp>(number));
    if (op.arity == 0)
      continue;
    for (ElementType from : kTypes)
      for (ElementType to : kTypes) {
        const bool compares = op.rule == TypeRule::CompareFloat || op.rule == TypeRule::CompareInt;
        if (!is_cast(op.rule) && to != (compares ? ElementType::I1 : from))
          continue;
        const bool allowed = types_agree(op.rule, from, is_cast(op.rule) ? to : from);
        EXPECT_EQ(block_kernel(op.op, 0, from, to) != nullptr, allowed)
            << op.spelling << " " << spelling(from) << " to " << spelling(to);
      }
  }
}

TEST(ScalarEval, ABlockGivesWhatEachElementGives) {
  constexpr size_t kCount = 67; // not a multiple of any vector's length
  std::vector<float> a(kCount), b(kCount), result(kCount);
  const float special[] = {0.0F, -0.0F, 1.5F, -2.5F, kInf, -kInf, kNaN, kDenormal, 0x1p31F};
  for (size_t i = 0; i < kCount; ++i) {
    a[i] = special[i % 9];
    b[i] = special[i / 9 % 9];
  }
  const std::byte* operands[] = {reinterpret_cast<const std::byte*>(a.data()),
                                 reinterpret_cast<const std::byte*>(b.data())};
  using enum ScalarOp;
  for (ScalarOp op : {AddF, SubF, MulF, DivF, RemF, MaximumF, MinimumF, MaxNumF, MinNumF}) {
    SCOPED_TRACE(info(op).spelling);
    block_kernel(op, 0, ElementType::F32,
                 ElementType::F32)(reinterpret_cast<std::byte*>(result.data()), operands, kCount);
    for (size_t i = 0; i < kCount; ++i)
      expect_same(result[i], same_type(op, {a[i], b[i]}));
  }
}

} // namespace
} // namespace mo

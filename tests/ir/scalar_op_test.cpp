#include "ir/scalar_op.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

#include "tests/support/element_bits.h"

namespace mo {
namespace {

using testing::kElementTypes;

/// "i1->f32 i1->f64": every pair that the rule allows, from-types in the order of the enumerators.
std::string allowed(TypeRule rule) {
  std::string text;
  for (ElementType from : kElementTypes)
    for (ElementType to : kElementTypes)
      if (types_agree(rule, from, to))
        text += (text.empty() ? "" : " ") + std::string(spelling(from)) + "->" +
                std::string(spelling(to));
  return text;
}

TEST(ScalarOp, TheTableHoldsEveryOpOfTheLanguageAndNoOther) {
  const std::set<std::string_view> language = {
      "arith.constant",  "linalg.index",     "arith.cmpf",    "arith.cmpi",       "arith.select",
      "arith.addf",      "arith.subf",       "arith.mulf",    "arith.divf",       "arith.remf",
      "arith.maximumf",  "arith.minimumf",   "arith.maxnumf", "arith.minnumf",    "arith.negf",
      "arith.addi",      "arith.subi",       "arith.muli",    "arith.divsi",      "arith.divui",
      "arith.ceildivsi", "arith.floordivsi", "arith.remsi",   "arith.remui",      "arith.andi",
      "arith.ori",       "arith.xori",       "arith.shli",    "arith.shrsi",      "arith.shrui",
      "arith.maxsi",     "arith.minsi",      "arith.maxui",   "arith.minui",      "arith.sitofp",
      "arith.uitofp",    "arith.fptosi",     "arith.fptoui",  "arith.extf",       "arith.truncf",
      "arith.extsi",     "arith.extui",      "arith.trunci",  "arith.index_cast", "arith.bitcast",
      "math.exp",        "math.exp2",        "math.expm1",    "math.log",         "math.log2",
      "math.log1p",      "math.sqrt",        "math.rsqrt",    "math.tanh",        "math.erf",
      "math.absf",       "math.sin",         "math.cos",      "math.floor",       "math.ceil",
      "math.round",      "math.roundeven",   "math.trunc",    "math.copysign",    "math.powf",
      "math.fma"};
  std::set<std::string_view> table;
  for (unsigned i = 0; i < num_scalar_ops(); ++i)
    table.insert(info(static_cast<ScalarOp>(i)).spelling);
  EXPECT_EQ(table, language);
  EXPECT_EQ(table.size(), num_scalar_ops()) << "a spelling occurs twice";
}

TEST(ScalarOp, EveryOpIsFoundByItsSpelling) {
  for (unsigned i = 0; i < num_scalar_ops(); ++i) {
    const ScalarOpInfo& row = info(static_cast<ScalarOp>(i));
    EXPECT_EQ(scalar_op_from(row.spelling), row.op) << row.spelling;
  }
  EXPECT_EQ(scalar_op_from("arith.maxf"), std::nullopt);
  EXPECT_EQ(scalar_op_from("addf"), std::nullopt);
  EXPECT_EQ(scalar_op_from(""), std::nullopt);
}

TEST(ScalarOp, ArityIsThatOfTheRow) {
  EXPECT_EQ(info(ScalarOp::Constant).arity, 0u);
  EXPECT_EQ(info(ScalarOp::LoopIndex).arity, 0u);
  EXPECT_EQ(info(ScalarOp::NegF).arity, 1u);
  EXPECT_EQ(info(ScalarOp::TruncI).arity, 1u);
  EXPECT_EQ(info(ScalarOp::CmpF).arity, 2u);
  EXPECT_EQ(info(ScalarOp::PowF).arity, 2u);
  EXPECT_EQ(info(ScalarOp::Select).arity, 3u);
  EXPECT_EQ(info(ScalarOp::Fma).arity, 3u);
}

TEST(ScalarOp, DivisionAndMathFunctionsAreExpensiveAndCastsAreCheap) {
  EXPECT_EQ(info(ScalarOp::DivF).cost, Cost::Expensive);
  EXPECT_EQ(info(ScalarOp::RemUI).cost, Cost::Expensive);
  EXPECT_EQ(info(ScalarOp::Exp).cost, Cost::Expensive);
  EXPECT_EQ(info(ScalarOp::MulF).cost, Cost::Cheap);
  EXPECT_EQ(info(ScalarOp::SIToFP).cost, Cost::Cheap);
}

// The pairs are those that mlir-opt 22 accepts.
TEST(TypeRule, CastsGoBetweenTheTypesThatMlirAllows) {
  EXPECT_EQ(allowed(TypeRule::IntToFloat), "i1->f32 i1->f64 i32->f32 i32->f64 i64->f32 i64->f64");
  EXPECT_EQ(allowed(TypeRule::FloatToInt), "f32->i1 f32->i32 f32->i64 f64->i1 f64->i32 f64->i64");
  EXPECT_EQ(allowed(TypeRule::FloatWiden), "f32->f64");
  EXPECT_EQ(allowed(TypeRule::FloatNarrow), "f64->f32");
  EXPECT_EQ(allowed(TypeRule::IntWiden), "i1->i32 i1->i64 i32->i64");
  EXPECT_EQ(allowed(TypeRule::IntNarrow), "i32->i1 i64->i1 i64->i32");
  EXPECT_EQ(allowed(TypeRule::IndexToInt),
            "i1->index i32->index i64->index index->i1 index->i32 index->i64");
  EXPECT_EQ(allowed(TypeRule::SameWidth),
            "f32->f32 f32->i32 f64->f64 f64->i64 i1->i1 i32->f32 i32->i32 i64->f64 i64->i64");
}

TEST(TypeRule, RulesOfOneTypeAllowThatTypeAlone) {
  EXPECT_EQ(allowed(TypeRule::FloatSame), "f32->f32 f64->f64");
  EXPECT_EQ(allowed(TypeRule::CompareFloat), "f32->f32 f64->f64");
  EXPECT_EQ(allowed(TypeRule::IntSame), "i1->i1 i32->i32 i64->i64 index->index");
  EXPECT_EQ(allowed(TypeRule::CompareInt), "i1->i1 i32->i32 i64->i64 index->index");
  EXPECT_EQ(allowed(TypeRule::LoopIndex), "index->index");
  const std::string any = "f32->f32 f64->f64 i1->i1 i32->i32 i64->i64 index->index";
  EXPECT_EQ(allowed(TypeRule::Constant), any);
  EXPECT_EQ(allowed(TypeRule::Select), any);
}

TEST(TypeRule, OnlyRulesThatWriteTwoTypesAreCasts) {
  EXPECT_TRUE(is_cast(info(ScalarOp::Bitcast).rule));
  EXPECT_TRUE(is_cast(info(ScalarOp::SIToFP).rule));
  EXPECT_FALSE(is_cast(info(ScalarOp::AddI).rule));
  EXPECT_FALSE(is_cast(info(ScalarOp::Select).rule));
}

TEST(Predicate, EveryPredicateIsReadBackFromItsSpelling) {
  for (unsigned i = 0; i <= static_cast<unsigned>(CmpFPredicate::True); ++i) {
    const auto p = static_cast<CmpFPredicate>(i);
    EXPECT_EQ(cmpf_predicate_from(spelling(p)), p) << spelling(p);
  }
  for (unsigned i = 0; i <= static_cast<unsigned>(CmpIPredicate::UGE); ++i) {
    const auto p = static_cast<CmpIPredicate>(i);
    EXPECT_EQ(cmpi_predicate_from(spelling(p)), p) << spelling(p);
  }
}

TEST(Predicate, FloatAndIntegerPredicatesAreApart) {
  EXPECT_EQ(cmpf_predicate_from("slt"), std::nullopt);
  EXPECT_EQ(cmpi_predicate_from("olt"), std::nullopt);
  EXPECT_EQ(spelling(CmpFPredicate::UNE), "une");
  EXPECT_EQ(spelling(CmpIPredicate::ULT), "ult");
}

TEST(Predicate, NumbersOutsideTheTableAreSafeToPrint) {
  EXPECT_EQ(spelling(static_cast<CmpFPredicate>(200)), "<bad predicate>");
  EXPECT_EQ(spelling(static_cast<CmpIPredicate>(200)), "<bad predicate>");
}

} // namespace
} // namespace mo

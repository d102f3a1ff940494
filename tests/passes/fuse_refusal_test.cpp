// Why an edge does not fuse: one program per reason, and the facts in its message.
#include <set>

#include "tests/passes/pass_support.h"

namespace mo {
namespace {

struct Refused {
  FusionReason reason;
  PassKind pass;
  std::string text;
  const char* message;
};

std::string function(const std::string& signature, const std::string& ops) {
  return "func.func @f" + signature + " {\n" + ops + "}\n";
}

const char* const k8 = "tensor<8xf32>";
const char* const kNegate = "^bb0(%x: f32, %o: f32):\n    %r = arith.negf %x : f32\n"
                            "    linalg.yield %r : f32";
const char* const kExp = "^bb0(%x: f32, %o: f32):\n    %r = math.exp %x : f32\n"
                         "    linalg.yield %r : f32";
const char* const kAdd = "^bb0(%x: f32, %o: f32):\n    %r = arith.addf %x, %o : f32\n"
                         "    linalg.yield %r : f32";

std::string negate8(const std::string& result, const std::string& in, const std::string& out) {
  return generic(result, {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", in + " : " + k8, out + " : " + k8,
                 kNegate);
}

const std::vector<Refused>& refused() {
  static const std::vector<Refused> list = {
      {FusionReason::ProducerNotGeneric, PassKind::Fuse,
       function("(%s: f32, %e: tensor<8xf32>) -> tensor<8xf32>",
                "  %0 = linalg.fill ins(%s : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>\n" +
                    negate8("%1", "%0", "%e") + "  return %1 : tensor<8xf32>\n"),
       "%0, read through (d0) -> (d0), comes from linalg.fill, and only a linalg.generic has a "
       "body to fuse\n"},

      {FusionReason::ProducerHasReduction, PassKind::Fuse,
       function("(%a: tensor<8x4xf32>, %e: tensor<8xf32>) -> tensor<8xf32>",
                generic("%0", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"}, "pr",
                        "%a : tensor<8x4xf32>", "%e : tensor<8xf32>", kAdd) +
                    negate8("%1", "%0", "%e") + "  return %1 : tensor<8xf32>\n"),
       "%0 is written through (d0, d1) -> (d0) and read through (d0) -> (d0): it is complete only "
       "after reduction loop d1 of its producer, and %1 reads it in every iteration\n"},

      {FusionReason::ProducerReadsInit, PassKind::Fuse,
       function("(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32>",
                generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%a : tensor<8xf32>",
                        "%e : tensor<8xf32>", kAdd) +
                    negate8("%1", "%0", "%e") + "  return %1 : tensor<8xf32>\n"),
       "%0 is written through (d0) -> (d0) and read through (d0) -> (d0): its producer updates the "
       "init %e (through (d0) -> (d0)), which the body reads\n"},

      // mlir-opt fuses this one, and the four visits of each element of %e add up.
      {FusionReason::ProducerReadsInit, PassKind::FuseMlir,
       function("(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8x4xf32>",
                generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%a : tensor<8xf32>",
                        "%e : tensor<8xf32>", kAdd) +
                    "  %t = tensor.empty() : tensor<8x4xf32>\n" +
                    generic("%1", {"(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)"}, "pp",
                            "%0 : tensor<8xf32>", "%t : tensor<8x4xf32>", kNegate) +
                    "  return %1 : tensor<8x4xf32>\n"),
       "%0 is written through (d0) -> (d0) and read through (d0, d1) -> (d0): its producer updates "
       "the init %e (through (d0) -> (d0)), which the body reads\n"},

      {FusionReason::InitOperand, PassKind::Fuse,
       function("(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32>",
                negate8("%0", "%a", "%e") +
                    generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%a : tensor<8xf32>",
                            "%0 : tensor<8xf32>", kAdd) +
                    "  return %1 : tensor<8xf32>\n"),
       "%0 is written through (d0) -> (d0) and is an init of %1, through (d0) -> (d0): it is "
       "updated, not read as an input\n"},

      {FusionReason::OtherUse, PassKind::Fuse,
       function("(%a: tensor<8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)",
                negate8("%0", "%a", "%e") + negate8("%1", "%0", "%e") +
                    "  return %1, %0 : tensor<8xf32>, tensor<8xf32>\n"),
       "%0 is written through (d0) -> (d0) and read through (d0) -> (d0) by %1, but %0 is used by "
       "return too and must be computed anyway\n"},

      {FusionReason::OtherUse, PassKind::Fuse,
       function(
           "(%a: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32>",
           generic("%0", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                   "%a : tensor<4x4xf32>", "%e : tensor<4x4xf32>", kNegate) +
               generic("%1",
                       {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"},
                       "pp", "%0, %0 : tensor<4x4xf32>, tensor<4x4xf32>", "%e : tensor<4x4xf32>",
                       "^bb0(%x: f32, %y: f32, %o: f32):\n    %r = arith.addf %x, %y : f32\n"
                       "    linalg.yield %r : f32") +
               "  return %1 : tensor<4x4xf32>\n"),
       "%0 is written through (d0, d1) -> (d0, d1) and read through (d0, d1) -> (d0, d1) by %1, "
       "which uses %0 through (d0, d1) -> (d1, d0) too, as operand 1\n"
       "%0 is written through (d0, d1) -> (d0, d1) and read through (d0, d1) -> (d1, d0) by %1, "
       "which uses %0 through (d0, d1) -> (d0, d1) too, as operand 0\n"},

      {FusionReason::WriteNotPermutation, PassKind::Fuse,
       function("(%a: tensor<8xf32>, %e: tensor<8x2xf32>, %u: tensor<8x2xf32>) -> tensor<8x2xf32>",
                generic("%0", {"(d0) -> (d0)", "(d0) -> (d0, 1)"}, "p", "%a : tensor<8xf32>",
                        "%e : tensor<8x2xf32>", kNegate) +
                    generic("%1", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                            "%0 : tensor<8x2xf32>", "%u : tensor<8x2xf32>", kNegate) +
                    "  return %1 : tensor<8x2xf32>\n"),
       "%0 is written through (d0) -> (d0, 1) and read through (d0, d1) -> (d0, d1): the write is "
       "not a permutation of the producer's loops\n"},

      {FusionReason::NonPlainRead, PassKind::Fuse,
       function("(%a: tensor<8xf32>, %e: tensor<8xf32>, %u: tensor<4x5xf32>) -> tensor<4x5xf32>",
                negate8("%0", "%a", "%e") +
                    generic("%1", {"(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                            "%0 : tensor<8xf32>", "%u : tensor<4x5xf32>", kNegate) +
                    "  return %1 : tensor<4x5xf32>\n"),
       "%0 is written through (d0) -> (d0) and read through (d0, d1) -> (d0 + d1): producer loop "
       "d0 would be no plain loop of the consumer, (d0, d1) -> (d0 + d1)\n"},

      {FusionReason::DiagonalRead, PassKind::Fuse,
       function("(%a: tensor<8x8xf32>, %e: tensor<8x8xf32>, %u: tensor<8xf32>) -> tensor<8xf32>",
                generic("%0", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                        "%a : tensor<8x8xf32>", "%e : tensor<8x8xf32>", kNegate) +
                    generic("%1", {"(d0) -> (d0, d0)", "(d0) -> (d0)"}, "p", "%0 : tensor<8x8xf32>",
                            "%u : tensor<8xf32>", kNegate) +
                    "  return %1 : tensor<8xf32>\n"),
       "%0 is written through (d0, d1) -> (d0, d1) and read through (d0) -> (d0, d0): one loop of "
       "the consumer would run two of the producer's, (d0) -> (d0, d0)\n"},

      {FusionReason::TransposedRead, PassKind::Fuse,
       function("(%a: tensor<8x4xf32>, %e: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> "
                "tensor<4x8xf32>",
                generic("%0", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1, d0)"}, "pp",
                        "%a : tensor<8x4xf32>", "%e : tensor<4x8xf32>", kNegate) +
                    generic("%1", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                            "%0 : tensor<4x8xf32>", "%u : tensor<4x8xf32>", kNegate) +
                    "  return %1 : tensor<4x8xf32>\n"),
       "%0 is written through (d0, d1) -> (d1, d0) and read through (d0, d1) -> (d0, d1): the "
       "consumer's loops would run the producer's out of order, (d0, d1) -> (d1, d0)\n"},

      {FusionReason::LoopLosesExtent, PassKind::Fuse,
       function("(%z: tensor<f32>, %s: tensor<4xf32>) -> tensor<4xf32>",
                "  %e = tensor.empty() : tensor<4x8xf32>\n" +
                    generic("%0", {"(d0, d1) -> ()", "(d0, d1) -> (d0, d1)"}, "pp",
                            "%z : tensor<f32>", "%e : tensor<4x8xf32>", kNegate) +
                    generic("%1", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"}, "pr",
                            "%0 : tensor<4x8xf32>", "%s : tensor<4xf32>", kAdd) +
                    "  return %1 : tensor<4xf32>\n"),
       "%0 is written through (d0, d1) -> (d0, d1) and read through (d0, d1) -> (d0, d1): no other "
       "operand of the fused op would give loop d1 its extent\n"},

      {FusionReason::ExpensiveRecompute, PassKind::Fuse,
       function("(%v: tensor<4xf32>, %e: tensor<4xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32>",
                generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%v : tensor<4xf32>",
                        "%e : tensor<4xf32>", kExp) +
                    generic("%1", {"(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)"}, "pp",
                            "%0 : tensor<4xf32>", "%u : tensor<4x8xf32>", kNegate) +
                    "  return %1 : tensor<4x8xf32>\n"),
       "%0 is written through (d0) -> (d0) and read through (d0, d1) -> (d0): the producer's body "
       "holds a division or a math function and would compute each element 8 times, (d0, d1) -> "
       "(d0)\n"},
  };
  return list;
}

TEST(FuseRefusal, NamesTheOneReasonAndBothFacts) {
  for (const Refused& r : refused()) {
    const Passed p = run_passes(r.text, {r.pass});
    EXPECT_EQ(p.messages(spelling(r.reason)), r.message) << r.text;
    for (const Remark& remark : p.remarks)
      if (remark.kind == Remark::Kind::Missed && remark.pass == "fuse") {
        EXPECT_EQ(remark.reason, spelling(r.reason)) << r.text;
      }
  }
}

TEST(FuseRefusal, EveryReasonIsCovered) {
  std::set<FusionReason> covered;
  for (const Refused& r : refused())
    covered.insert(r.reason);
  EXPECT_EQ(covered.size(), kNumFusionReasons);
}

TEST(FuseRefusal, EveryReasonHasItsOwnId) {
  std::set<std::string_view> ids;
  for (unsigned i = 0; i < kNumFusionReasons; ++i)
    ids.insert(spelling(static_cast<FusionReason>(i)));
  EXPECT_EQ(ids.size(), kNumFusionReasons);
}

TEST(FuseRefusal, LeavesTheProgramAsItWas) {
  for (const Refused& r : refused())
    if (r.pass == PassKind::Fuse) {
      EXPECT_EQ(run_passes(r.text, {PassKind::Fuse}).text(), run_passes(r.text, {}).text());
    }
}

TEST(FuseRefusal, PointsAtTheProducerAndTheOtherUser) {
  for (const Refused& r : refused())
    if (r.reason == FusionReason::OtherUse) {
      const Passed p = run_passes(r.text, {r.pass});
      const Remark& remark = p.remarks.at(0);
      ASSERT_EQ(remark.notes.size(), 2u);
      EXPECT_EQ(remark.notes[0].message, "the producer is here");
      EXPECT_EQ(remark.notes[0].loc.line, 2u);
      EXPECT_EQ(remark.notes[1].message, "the other user is here");
      EXPECT_EQ(remark.notes[1].loc.line, 12u);
      return;
    }
}

TEST(FuseRefusal, OfABroadcastDoesNotCountLoopsOfOneIteration) {
  const Passed p = run_passes(
      function("(%v: tensor<4xf32>, %e: tensor<4xf32>, %u: tensor<4x1xf32>) -> tensor<4x1xf32>",
               generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%v : tensor<4xf32>",
                       "%e : tensor<4xf32>", kExp) +
                   generic("%1", {"(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)"}, "pp",
                           "%0 : tensor<4xf32>", "%u : tensor<4x1xf32>", kNegate) +
                   "  return %1 : tensor<4x1xf32>\n"),
      {PassKind::Fuse});
  EXPECT_EQ(count(p.function).generics, 1u);
}

TEST(FuseRefusal, OfAnInitOutranksTheOtherUseThatItIs) {
  // %0 is both input and init of %1: as an input it has another use, as an init it is one.
  const Passed p = run_passes(function("(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32>",
                                       negate8("%0", "%a", "%e") + negate8("%1", "%0", "%0") +
                                           "  return %1 : tensor<8xf32>\n"),
                              {PassKind::Fuse});
  EXPECT_EQ(p.messages("other-use"), "%0 is written through (d0) -> (d0) and read through (d0) -> "
                                     "(d0) by %1, which uses %0 through "
                                     "(d0) -> (d0) too, as operand 1\n");
  EXPECT_TRUE(p.has("init-operand"));
}

TEST(PlanFusion, CanBeAskedAboutOneEdgeByHand) {
  const Function f = function_from(refused()[10].text);
  const Uses uses(f);
  const FusionVerdict verdict = plan_fusion(f, uses, OpId{1}, 0, FusionMode::Strict);
  ASSERT_TRUE(std::holds_alternative<FusionRefusal>(verdict));
  EXPECT_EQ(std::get<FusionRefusal>(verdict).reason, FusionReason::TransposedRead);
  EXPECT_TRUE(
      std::holds_alternative<FusionPlan>(plan_fusion(f, uses, OpId{1}, 0, FusionMode::Mlir)));
}

} // namespace
} // namespace mo

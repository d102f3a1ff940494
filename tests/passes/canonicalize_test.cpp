// Each clean-up: a program to which it applies, what the program becomes, what is said.
#include <set>

#include "tests/passes/pass_support.h"

namespace mo {
namespace {

struct Cleaned {
  CleanupReason reason;
  std::string text;
  const char* message;
  std::vector<std::string> then;    // the result holds these
  std::vector<std::string> no_more; // and none of these
};

const char* const kNegate = "^bb0(%x: f32, %o: f32):\n    %r = arith.negf %x : f32\n"
                            "    linalg.yield %r : f32";
const char* const kAddInputs = "^bb0(%x: f32, %y: f32, %o: f32):\n"
                               "    %r = arith.addf %x, %y : f32\n    linalg.yield %r : f32";

std::string function(const std::string& signature, const std::string& ops) {
  return "func.func @f" + signature + " {\n" + ops + "}\n";
}

const std::string kSignature = "(%a: tensor<8xf32>, %s: f32) -> tensor<8xf32>";
const std::string kEmpty = "  %e = tensor.empty() : tensor<8xf32>\n";
const std::string kReturn = "  return %1 : tensor<8xf32>\n";

std::string add8(const std::string& result, const std::string& in0, const std::string& in1) {
  return generic(result, {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                 in0 + ", " + in1 + " : tensor<8xf32>, tensor<8xf32>", "%e : tensor<8xf32>",
                 kAddInputs);
}

const std::vector<Cleaned>& cleaned() {
  static const std::vector<Cleaned> list = {
      {CleanupReason::FillInlined,
       function(kSignature, kEmpty +
                                "  %f = linalg.fill ins(%s : f32) outs(%e : tensor<8xf32>) -> "
                                "tensor<8xf32>\n" +
                                add8("%1", "%a", "%f") + kReturn),
       "%f at operand 1: every element is the filled scalar, which the body names now\n",
       {"ins(%a : tensor<8xf32>)", "%r = arith.addf %x, %s : f32"},
       {"linalg.fill"}},

      {CleanupReason::SplatInlined,
       function(kSignature, kEmpty + "  %two = arith.constant dense<2.0> : tensor<8xf32>\n" +
                                add8("%1", "%two", "%a") + kReturn),
       "%two at operand 0: every element is one constant, which the body names now\n",
       {"= arith.constant 2.000000e+00 : f32\n", "ins(%a : tensor<8xf32>)"},
       {"dense"}},

      {CleanupReason::ConstantHoisted,
       function(kSignature,
                kEmpty +
                    generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%a : tensor<8xf32>",
                            "%e : tensor<8xf32>",
                            "^bb0(%x: f32, %o: f32):\n    %k = arith.constant 3.0 : f32\n"
                            "    %r = arith.mulf %x, %k : f32\n    linalg.yield %r : f32") +
                    kReturn),
       "1 constant in the body of %1: the same in every iteration\n",
       {"  %k = arith.constant 3.000000e+00 : f32\n  %e = tensor.empty()",
        "%r = arith.mulf %x, %k : f32"},
       {"    %k = arith.constant"}},

      {CleanupReason::DuplicateInputMerged,
       function(kSignature, kEmpty + add8("%1", "%a", "%a") + kReturn),
       "%1 reads %a through (d0) -> (d0) as operands 0 and 1: merged\n",
       {"ins(%a : tensor<8xf32>)", "%r = arith.addf %x, %x : f32"},
       {}},

      {CleanupReason::IdentityCopyErased,
       function(kSignature, kEmpty +
                                generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                                        "%a : tensor<8xf32>", "%e : tensor<8xf32>",
                                        "^bb0(%x: f32, %o: f32):\n    linalg.yield %x : f32") +
                                generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                                        "%0 : tensor<8xf32>", "%e : tensor<8xf32>", kNegate) +
                                kReturn),
       "%0 is %a unchanged: read and written through (d0) -> (d0), yielded as it is\n",
       {"ins(%a : tensor<8xf32>)"},
       {"%0"}},

      {CleanupReason::UnreadInitForgotten,
       function("(%a: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32>",
                generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%a : tensor<8xf32>",
                        "%d : tensor<8xf32>", kNegate) +
                    kReturn),
       "%d is an init of %1 that is not read and wholly overwritten: any tensor will do\n",
       {"  %empty = tensor.empty() : tensor<8xf32>\n  %1 = linalg.generic", "outs(%empty :"},
       {}},

      {CleanupReason::DeadOpErased,
       function(kSignature, kEmpty + add8("%dead", "%a", "%a") + "  return %a : tensor<8xf32>\n"),
       "nobody uses %dead (linalg.generic)\nnobody uses %e (tensor.empty)\n",
       {"{\n  return %a"},
       {"linalg.generic"}},

      {CleanupReason::DeadResultDropped,
       function("(%a: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32>",
                kEmpty +
                    generic("%1:2", {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                            "%a : tensor<8xf32>", "%d, %e : tensor<8xf32>, tensor<8xf32>",
                            // The first result reads its own init: dead together with it.
                            "^bb0(%x: f32, %o: f32, %q: f32):\n    %r = arith.addf %x, %o : f32\n"
                            "    %w = arith.negf %x : f32\n    linalg.yield %r, %w : f32, f32") +
                    "  return %1#1 : tensor<8xf32>\n"),
       "nobody uses result #0 of %1, nor what its init held\n",
       {"%1 = linalg.generic", "outs(%e : tensor<8xf32>)", "linalg.yield %w : f32"},
       {"arith.addf", "%1#"}},

      {CleanupReason::DuplicateResultMerged,
       function("(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)",
                kEmpty +
                    generic("%1:2", {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                            "%a : tensor<8xf32>", "%e, %e : tensor<8xf32>, tensor<8xf32>",
                            "^bb0(%x: f32, %o: f32, %q: f32):\n    %r = arith.negf %x : f32\n"
                            "    linalg.yield %r, %r : f32, f32") +
                    "  return %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>\n"),
       "results 0 and 1 of %1 have the same init, map and yield\n",
       {"%1 = linalg.generic", "return %1, %1 :"},
       {}},

      {CleanupReason::DeadScalarDropped,
       function(kSignature,
                kEmpty +
                    generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%a : tensor<8xf32>",
                            "%e : tensor<8xf32>",
                            "^bb0(%x: f32, %o: f32):\n    %d = math.exp %x : f32\n"
                            "    %dd = arith.negf %d : f32\n    %r = math.absf %x : f32\n"
                            "    linalg.yield %r : f32") +
                    kReturn),
       "2 scalar ops in the body of %1, math.exp first, which no yield depends on\n",
       {"%r = math.absf %x : f32"},
       {"math.exp", "negf"}},

      {CleanupReason::DeadInputDropped,
       function("(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32>",
                kEmpty +
                    generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                            "%a, %b : tensor<8xf32>, tensor<8xf32>", "%e : tensor<8xf32>",
                            "^bb0(%x: f32, %y: f32, %o: f32):\n    %r = arith.negf %y : f32\n"
                            "    linalg.yield %r : f32") +
                    kReturn),
       "the body of %1 does not read %a (operand 0)\n",
       {"ins(%b : tensor<8xf32>)"},
       {}},

      // What stays.
      {CleanupReason::InputGivesExtent,
       function("(%s: tensor<f32>) -> tensor<f32>",
                "  %two = arith.constant dense<2.0> : tensor<8xf32>\n" +
                    generic("%1", {"(d0) -> (d0)", "(d0) -> ()"}, "r", "%two : tensor<8xf32>",
                            "%s : tensor<f32>",
                            "^bb0(%x: f32, %o: f32):\n    %r = arith.addf %x, %o : f32\n"
                            "    linalg.yield %r : f32") +
                    "  return %1 : tensor<f32>\n"),
       "operand 0 of %1, %two, is one constant throughout, but no other operand gives loop d0 its "
       "extent\n",
       {"ins(%two : tensor<8xf32>)"},
       {}},

      {CleanupReason::ResultGivesExtent,
       function(
           "(%d: tensor<f32>) -> tensor<f32>",
           "  %e = tensor.empty() : tensor<8xf32>\n" +
               generic("%1:2", {"(d0) -> (d0)", "(d0) -> ()"}, "r", "",
                       "%e, %d : tensor<8xf32>, tensor<f32>",
                       "^bb0(%q: f32, %o: f32):\n    %c = arith.constant 1.0 : f32\n"
                       "    %r = arith.addf %c, %o : f32\n    linalg.yield %c, %r : f32, f32") +
               "  return %1#1 : tensor<f32>\n"),
       "nobody uses result #0 of %1, but only its init, %e, gives loop d0 its extent\n",
       {"%1:2 = linalg.generic"},
       {}},

      {CleanupReason::PartialWrite,
       function("(%a: tensor<8xf32>, %d: tensor<8x2xf32>) -> tensor<8x2xf32>",
                generic("%1", {"(d0) -> (d0)", "(d0) -> (d0, 1)"}, "p", "%a : tensor<8xf32>",
                        "%d : tensor<8x2xf32>", kNegate) +
                    "  return %1 : tensor<8x2xf32>\n"),
       "%1 does not read its init %d, but writes it through (d0) -> (d0, 1) only, so some elements "
       "may keep their values\n",
       {"outs(%d : tensor<8x2xf32>)"},
       {}},

      {CleanupReason::NothingToClean,
       function(kSignature, "  return %a : tensor<8xf32>\n"),
       "no clean-up applies: nothing is dead, equal, constant or a copy\n",
       {"return %a"},
       {}},
  };
  return list;
}

TEST(Canonicalize, DoesEachCleanUpAndSaysSo) {
  for (const Cleaned& c : cleaned()) {
    const Passed p = run_passes(c.text, {PassKind::Canonicalize});
    EXPECT_EQ(p.messages(spelling(c.reason)), c.message) << c.text;
    for (const std::string& part : c.then)
      EXPECT_NE(p.text().find(part), std::string::npos) << part << "\n" << p.text();
    for (const std::string& part : c.no_more)
      EXPECT_EQ(p.text().find(part), std::string::npos) << part << "\n" << p.text();
  }
}

TEST(Canonicalize, EveryCleanUpKeepsEveryBit) {
  for (const Cleaned& c : cleaned()) {
    const Passed p = run_passes(c.text, {PassKind::Canonicalize});
    for (unsigned seed = 0; seed < 5; ++seed)
      EXPECT_EQ(difference(function_from(c.text), p.function, seed), "") << c.text;
  }
}

TEST(Canonicalize, AgainChangesNothing) {
  for (const Cleaned& c : cleaned()) {
    const std::string once = run_passes(c.text, {PassKind::Canonicalize}).text();
    EXPECT_EQ(run_passes(once, {PassKind::Canonicalize}).text(), once);
  }
}

TEST(Canonicalize, EveryReasonIsCoveredAndHasItsOwnId) {
  std::set<CleanupReason> covered{CleanupReason::LeftOut}; // the next test
  std::set<std::string_view> ids;
  for (const Cleaned& c : cleaned())
    covered.insert(c.reason);
  for (unsigned i = 0; i < kNumCleanupReasons; ++i)
    ids.insert(spelling(static_cast<CleanupReason>(i)));
  EXPECT_EQ(covered.size(), kNumCleanupReasons);
  EXPECT_EQ(ids.size(), kNumCleanupReasons);
}

TEST(Canonicalize, LeavesOutWhatTheObserverDoesNotAllow) {
  for (const Cleaned& c : cleaned()) {
    Function f = function_from(c.text);
    const std::string before = Passed{f, {}}.text();
    Limit none(0);
    canonicalize(f, none);
    EXPECT_EQ((Passed{f, {}}).text(), before);
    if (none.asked() > 0) {
      EXPECT_TRUE((Passed{f, none.remarks}).has("left-out"));
    }
  }
}

TEST(Canonicalize, MergesEqualConstantsOfManyBodiesIntoOne) {
  std::string ops = kEmpty;
  const char* const kTimesThree = "^bb0(%x: f32, %o: f32):\n    %k = arith.constant 3.0 : f32\n"
                                  "    %r = arith.mulf %x, %k : f32\n    linalg.yield %r : f32";
  for (const char* result : {"%0", "%1"})
    ops += generic(result, {"(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                   std::string(result[1] == '0' ? "%a" : "%0") + " : tensor<8xf32>",
                   "%e : tensor<8xf32>", kTimesThree);
  const Passed p = run_passes(function(kSignature, ops + kReturn), {PassKind::Canonicalize});
  const std::string text = p.text();
  EXPECT_NE(text.find("arith.constant"), std::string::npos);
  EXPECT_EQ(text.find("arith.constant"), text.rfind("arith.constant")) << text;
}

TEST(Canonicalize, DoesNotTakeANameThatTheFunctionUses) {
  const Passed p = run_passes(
      function("(%a: tensor<8xf32>, %k: f32) -> tensor<8xf32>",
               kEmpty +
                   generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%a : tensor<8xf32>",
                           "%e : tensor<8xf32>",
                           "^bb0(%x: f32, %o: f32):\n    %k_0 = arith.constant 3.0 : f32\n"
                           "    %r = arith.mulf %x, %k_0 : f32\n"
                           "    %q = arith.addf %r, %k : f32\n    linalg.yield %q : f32") +
                   kReturn),
      {PassKind::Canonicalize});
  EXPECT_NE(p.text().find("%q = arith.addf %r, %k : f32"), std::string::npos) << p.text();
}

TEST(Canonicalize, KeepsTheInitOfAReductionOverNothing) {
  // No iteration writes: the result is what the init held.
  const std::string text =
      function("(%a: tensor<4x0xf32>, %d: tensor<4xf32>) -> tensor<4xf32>",
               generic("%1", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"}, "pr",
                       "%a : tensor<4x0xf32>", "%d : tensor<4xf32>", kNegate) +
                   "  return %1 : tensor<4xf32>\n");
  const Passed p = run_passes(text, {PassKind::Canonicalize});
  EXPECT_EQ(count(p.function).empties, 0u);
  EXPECT_EQ(difference(function_from(text), p.function, 1), "");
}

TEST(Canonicalize, ACopyThatIsReturnedBecomesItsSource) {
  const Passed p = run_passes(
      function(kSignature, kEmpty +
                               generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                                       "%a : tensor<8xf32>", "%e : tensor<8xf32>",
                                       "^bb0(%x: f32, %o: f32):\n    linalg.yield %x : f32") +
                               kReturn),
      {PassKind::Canonicalize});
  EXPECT_EQ(p.text(), "func.func @f(%a: tensor<8xf32>, %s: f32) -> tensor<8xf32> {\n"
                      "  return %a : tensor<8xf32>\n}\n");
}

TEST(Canonicalize, ATransposedCopyIsNoCopy) {
  const Passed p =
      run_passes(function("(%a: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32>",
                          generic("%1", {"(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"}, "pp",
                                  "%a : tensor<4x4xf32>", "%e : tensor<4x4xf32>",
                                  "^bb0(%x: f32, %o: f32):\n    linalg.yield %x : f32") +
                              "  return %1 : tensor<4x4xf32>\n"),
                 {PassKind::Canonicalize});
  EXPECT_EQ(count(p.function).generics, 1u);
}

// Nobody uses #0 and #1. #1 gives d0 its extent and stays; so does #0, whose init it reads.
TEST(Canonicalize, AResultThatAnotherNeedsStaysWhereThatOneGivesALoopItsExtent) {
  const std::string text = function(
      "(%p: tensor<8xf32>, %q: tensor<8xf32>, %r: tensor<16xf32>) -> tensor<16xf32>",
      generic("%1:3", {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0 * 2)"}, "p", "",
              "%p, %q, %r : tensor<8xf32>, tensor<8xf32>, tensor<16xf32>",
              "^bb0(%a: f32, %b: f32, %c: f32):\n    %m = arith.minimumf %a, %b : f32\n"
              "    %n = arith.negf %c : f32\n    linalg.yield %c, %m, %n : f32, f32, f32") +
          "  return %1#2 : tensor<16xf32>\n");
  const Passed p = run_passes(text, {PassKind::Canonicalize});
  EXPECT_EQ(difference(function_from(text), p.function, 1), "");
}

} // namespace
} // namespace mo

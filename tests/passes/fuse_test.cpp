// Fusion, strict: what it makes of programs, to the letter.
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

Passed fuse(const std::string& text) {
  return run_passes(text, {PassKind::Fuse});
}

// A chain of two: %0 = %a * %s, %1 = %0 + %b.
const char* const kScaleThenAdd = R"(
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.mulf %x, %s : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%0, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
)";

TEST(Fuse, PutsTheProducersBodyFirstAndKeepsEveryName) {
  EXPECT_EQ(fuse(kScaleThenAdd).text(),
            R"(func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %s : f32
    %r = arith.addf %m, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
)");
}

TEST(Fuse, SaysWhatItFusedAndThroughWhichMaps) {
  EXPECT_EQ(fuse(kScaleThenAdd).messages("fused"),
            "%0 fused into %1 at operand 0: %0 is written through (d0) -> (d0) and read through "
            "(d0) -> (d0), so the loops are the same\n");
}

TEST(Fuse, ReportsNoMissedFusionWhereNothingWasMissed) {
  EXPECT_EQ(fuse(kScaleThenAdd).count_remarks(Remark::Kind::Missed), 0u);
}

TEST(Fuse, KeepsTheSourceLocationOfEveryInstruction) {
  const Function f = fuse(kScaleThenAdd).function;
  const GenericOp& op = *f.ops[1].as<GenericOp>();
  EXPECT_EQ(op.body.insts[0].loc.line, 7u);
  EXPECT_EQ(op.body.insts[1].loc.line, 13u);
}

TEST(Fuse, OrdersInputsBeforeTheOperandThenTheProducersThenAfter) {
  const Passed p = fuse(R"(
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %d: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {)" +
                        maps({"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}) +
                        R"(, iterator_types = ["parallel"]}
      ins(%b, %c : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.subf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {)" +
                        maps({"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}) +
                        R"(, iterator_types = ["parallel"]}
      ins(%a, %0, %d : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %r = math.fma %x, %y, %z : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
})");
  EXPECT_NE(p.text().find("ins(%a, %b, %c, %d : "), std::string::npos) << p.text();
  EXPECT_NE(p.text().find("math.fma %x, %r, %z : f32"), std::string::npos) << p.text();
}

TEST(Fuse, MergesEqualReadsFirstSoThatTheyCountAsOneUse) {
  const Passed p = fuse(R"(
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {)" +
                        maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
                        R"(, iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %p = math.exp %x : f32
    linalg.yield %p : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {)" +
                        maps({"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}) +
                        R"(, iterator_types = ["parallel"]}
      ins(%0, %0 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
})");
  EXPECT_NE(p.text().find("%p = math.exp %x : f32\n    %r = arith.mulf %p, %p : f32"),
            std::string::npos)
      << p.text();
  EXPECT_EQ(p.messages("duplicate-merged"),
            "%1 reads %0 through (d0) -> (d0) as operands 0 and 1: merged\n");
}

TEST(Fuse, ErasesTheEmptyThatOnlyTheProducerUsed) {
  const Passed p = fuse(R"(
func.func @f(%a: tensor<8xf32>, %out: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {)" +
                        maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
                        R"(, iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {)" +
                        maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
                        R"(, iterator_types = ["parallel"]}
      ins(%0 : tensor<8xf32>) outs(%out : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.absf %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
})");
  EXPECT_EQ(count(p.function).empties, 0u);
}

TEST(Fuse, LeavesDeadCodeThatItDidNotMake) {
  const Passed p = fuse(R"(
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %unused = tensor.empty() : tensor<8xf32>
  %dead = linalg.generic {)" +
                        maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
                        R"(, iterator_types = ["parallel"]}
      ins(%a : tensor<8xf32>) outs(%unused : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    linalg.yield %x : f32
  } -> tensor<8xf32>
  return %a : tensor<8xf32>
})");
  EXPECT_EQ(count(p.function).generics, 1u);
  EXPECT_EQ(count(p.function).empties, 1u);
}

TEST(Fuse, LooksAgainWhenTheOtherUserDies) {
  // %z is only %p's init, which %p does not read: once %p is in %c, %z is dead, and %v has one
  // user.
  const Passed p =
      fuse(R"(
func.func @f(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {)" +
           maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
           R"(, iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %y = linalg.generic {)" +
           maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
           R"(, iterator_types = ["parallel"]} ins(%v : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.absf %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %z = linalg.generic {)" +
           maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
           R"(, iterator_types = ["reduction"]} ins(%v : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %p = linalg.generic {)" +
           maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
           R"(, iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.floor %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %c = linalg.generic {)" +
           maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
           R"(, iterator_types = ["parallel"]} ins(%p : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.ceil %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y, %c : tensor<8xf32>, tensor<8xf32>
})");
  EXPECT_EQ(count(p.function).generics, 2u) << p.text();
  EXPECT_EQ(p.count_remarks(Remark::Kind::Missed), 0u);
}

TEST(Fuse, LooksAgainWhenAnInitThatNobodyReadIsForgotten) {
  // %v is %p's unread init and %y's input; once %p is in %c, %y is its one user.
  const char* const kNegate = "^bb0(%x: f32, %o: f32):\n    %r = arith.negf %x : f32\n"
                              "    linalg.yield %r : f32";
  auto negate = [&](const char* result, const std::string& in, const std::string& out) {
    return generic(result, {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", in + " : tensor<8xf32>",
                   out + " : tensor<8xf32>", kNegate);
  };
  const Passed p = fuse(
      "func.func @f(%a: tensor<8xf32>, %e: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {\n" +
      negate("%v", "%a", "%e") + negate("%y", "%v", "%e") + negate("%p", "%a", "%v") +
      negate("%c", "%p", "%e") + "  return %y, %c : tensor<8xf32>, tensor<8xf32>\n}");
  EXPECT_EQ(count(p.function).generics, 2u) << p.text();
}

TEST(Fuse, TakesABroadcastOfACheapBody) {
  const Passed p =
      fuse(R"(
func.func @f(%v: tensor<4xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %ev = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {)" +
           maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
           R"(, iterator_types = ["parallel"]} ins(%v : tensor<4xf32>) outs(%ev : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %r = arith.addf %x, %k : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {)" +
           maps({"(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}) +
           R"(, iterator_types = ["parallel", "parallel"]}
      ins(%0, %b : tensor<4xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
})");
  EXPECT_EQ(p.messages("fused"),
            "%0 fused into %1 at operand 0: %0 is written through (d0) -> (d0) and read through "
            "(d0, d1) -> (d0), so its loops run as (d0, d1) -> (d0), computed again along d1\n");
}

TEST(Fuse, TakesAProducerThatBothWritesAndIsReadTransposed) {
  // Written through (d1, d0), read through (d1, d0): the loops are the same.
  const Passed p = fuse(
      R"(
func.func @f(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %t = tensor.empty() : tensor<8x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {)" +
      maps({"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d1, d0)"}) +
      R"(, iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%t : tensor<8x4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.exp %x : f32
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %1 = linalg.generic {)" +
      maps({"(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"}) +
      R"(, iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
})");
  EXPECT_EQ(count(p.function).generics, 1u);
  EXPECT_TRUE(p.has("fused"));
}

TEST(Fuse, FusesIntoAReduction) {
  const Passed p = fuse(
      R"(
func.func @f(%a: tensor<4x8xf32>, %s: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {)" +
      maps({"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}) +
      R"(, iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.mulf %x, %x : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {)" +
      maps({"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)"}) +
      R"(, iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %o, %x : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
})");
  EXPECT_EQ(count(p.function).generics, 1u);
  EXPECT_EQ(count(p.function).empties, 0u);
}

TEST(Fuse, TakesOneOfTwoResultsWhereNobodyUsesTheOther) {
  const Passed p = fuse(
      R"(
func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0:2 = linalg.generic {)" +
      maps({"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}) +
      R"(, iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32, %p: f32):
    %n = arith.negf %x : f32
    %m = math.absf %x : f32
    linalg.yield %n, %m : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %1 = linalg.generic {)" +
      maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
      R"(, iterator_types = ["parallel"]} ins(%0#1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.floor %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
})");
  EXPECT_EQ(count(p.function).generics, 1u);
  EXPECT_NE(p.text().find("%r = math.floor %m : f32"), std::string::npos) << p.text();
}

TEST(Fuse, PutsAllOfAGenericWithScalarInputsInside) {
  const Passed p = fuse(
      R"(
func.func @f(%a: tensor<8xf32>, %s: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {)" +
      maps({"(d0) -> (d0)", "(d0) -> ()", "(d0) -> (d0)"}) +
      R"(, iterator_types = ["parallel"]} ins(%a, %s : tensor<8xf32>, f32) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {)" +
      maps({"(d0) -> ()", "(d0) -> (d0)", "(d0) -> (d0)"}) +
      R"(, iterator_types = ["parallel"]} ins(%s, %0 : f32, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
})");
  EXPECT_NE(p.text().find("ins(%s, %a : f32, tensor<8xf32>)"), std::string::npos) << p.text();
}

TEST(Fuse, SaysWhyThereWasNothingToFuse) {
  EXPECT_EQ(fuse("func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
                 "  return %a : tensor<8xf32>\n}")
                .messages("nothing-to-fuse"),
            "there is no linalg.generic\n");
}

TEST(Fuse, DoesNotTellWhatTheArgumentsAreAsMissedFusions) {
  const Passed p =
      fuse(R"(
func.func @f(%m: memref<8xf32>, %a: tensor<8xf32>) -> tensor<8xf32> {
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %1 = linalg.generic {)" +
           maps({"(d0) -> (d0)", "(d0) -> (d0)"}) +
           R"(, iterator_types = ["parallel"]} ins(%t : tensor<8xf32>) outs(%a : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = math.floor %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
})");
  EXPECT_EQ(p.count_remarks(Remark::Kind::Missed), 0u);
  EXPECT_EQ(p.messages("nothing-to-fuse"), "no linalg.generic uses what another op computes\n");
}

TEST(Fuse, ALimitOfNoRewritesChangesNothingAndSaysWhatItLeftOut) {
  Function f = function_from(kScaleThenAdd);
  const std::string before = Passed{f, {}}.text();
  Limit none(0);
  fuse_elementwise(f, FusionMode::Strict, none);
  EXPECT_EQ((Passed{f, {}}).text(), before);
  EXPECT_EQ(
      (Passed{f, none.remarks}).messages("left-out"),
      "%0 is written through (d0) -> (d0) and read through (d0) -> (d0): it could be fused into "
      "%1 at operand 0, but was left out on request\n");
}

} // namespace
} // namespace mo

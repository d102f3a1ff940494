// Several errors in one file: all are reported, and nothing that only follows from them.
#include <gtest/gtest.h>

#include "ir/parse.h"
#include "tests/ir/bad_inputs.h"

namespace mo {
namespace {

/// "3:7 unknown-op" per error.
std::vector<std::string> errors_in(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parse({"test.tir", text}, diagnostics).has_value());
  std::vector<std::string> out;
  for (const Diagnostic& d : diagnostics.all())
    out.push_back(std::to_string(d.loc.line) + ":" + std::to_string(d.loc.col) + " " +
                  std::string(spelling(d.id)));
  return out;
}

using Errors = std::vector<std::string>;

TEST(ParseRecovery, EveryStatementIsLookedAt) {
  EXPECT_EQ(errors_in(in_function("  %p = arith.adff %a, %b : f32\n"
                                  "  %q = arith.addf %a, %b f32\n"
                                  "  %r = arith.addf %a, %nothing : f32\n"
                                  "  %s = tensor.empty() : tensor<?xf32>")),
            (Errors{"2:8 unknown-op", "3:26 unexpected-token", "4:23 undefined-value",
                    "5:32 dynamic-shape"}));
}

TEST(ParseRecovery, AValueWhoseDefinitionFailedMakesNoMoreErrors) {
  EXPECT_EQ(errors_in(in_function("  %p = arith.adff %a, %b : f32\n"
                                  "  %q = arith.addf %p, %p : f64\n"
                                  "  %r:2 = arith.addf %q, %b : f64\n"
                                  "  %s = arith.addf %r#1, %p : f32")),
            (Errors{"2:8 unknown-op", "4:3 result-count", "4:25 written-type"}));
}

TEST(ParseRecovery, EachWrongOperandIsReported) {
  EXPECT_EQ(errors_in(in_function("  %r = arith.addf %a, %b : f64")),
            (Errors{"2:19 written-type", "2:23 written-type"}));
}

TEST(ParseRecovery, AnUndefinedNameIsReportedOnce) {
  EXPECT_EQ(errors_in(in_function("  %p = arith.addf %x, %x : f32\n"
                                  "  %q = arith.addf %x, %y : f32")),
            (Errors{"2:19 undefined-value", "3:23 undefined-value"}));
}

TEST(ParseRecovery, ErrorsComeInTheOrderOfTheText) {
  EXPECT_EQ(errors_in(in_function("  %p = arith.addf %x, %a : f32\n" // known at the end only
                                  "  %q = arith.adff %a, %a : f32")),
            (Errors{"2:19 undefined-value", "3:8 unknown-op"}));
}

TEST(ParseRecovery, AWrongHeaderDoesNotHideTheBody) {
  EXPECT_EQ(errors_in(R"(func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %g = linalg.generic {indexing_maps = [#nope, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %s = arith.addff %in, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %g : tensor<4xf32>
})"),
            (Errors{"2:41 unknown-alias", "5:10 unknown-op"}));
}

TEST(ParseRecovery, ABodyGoesOnBehindAWrongStatement) {
  EXPECT_EQ(errors_in(in_body("    %p = arith.mulf %in %o : f32\n"
                              "    %q = arith.mulf %p, %zz : f32\n"
                              "    linalg.yield %q : f32")),
            (Errors{"5:25 unexpected-token", "6:25 undefined-value"}));
}

TEST(ParseRecovery, AMissingBraceCostsOneError) {
  EXPECT_EQ(errors_in(R"(func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
  %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%t : tensor<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  %h = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%g : tensor<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  } -> tensor<4xf32>
  return %h : tensor<4xf32>
})"),
            (Errors{"5:3 unexpected-token"}));
}

TEST(ParseRecovery, AFunctionWithoutItsBraceDoesNotHideTheNext) {
  EXPECT_EQ(errors_in("func.func @f() {\n  return\nfunc.func @g() {\n  frob\n  return\n}\n"),
            (Errors{"3:1 unexpected-token", "4:3 unknown-op"}));
}

TEST(ParseRecovery, AWrongSignatureCostsOneError) {
  EXPECT_EQ(errors_in("func.func @f(%x f32) {\n  return\n}\nfunc.func @g(%x: f32) {\n  frob\n  "
                      "return\n}\n"),
            (Errors{"1:17 unexpected-token", "5:3 unknown-op"}));
}

TEST(ParseRecovery, AFileFullOfErrorsIsGivenUp) {
  std::string ops;
  for (int i = 0; i < 100000; ++i)
    ops += "  math.frob\n";
  Diagnostics diagnostics;
  parse({"test.tir", in_function(ops)}, diagnostics);
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxErrors);
  EXPECT_LE(diagnostics.count(), 10 * Diagnostics::kMaxErrors);
}

TEST(ParseRecovery, ARedefinitionPointsAtTheFirstOne) {
  Diagnostics diagnostics;
  parse({"test.tir", in_function("  %r = arith.negf %a : f32\n  %r = arith.negf %b : f32")},
        diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  ASSERT_EQ(diagnostics.all()[0].notes.size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].notes[0].loc, (Loc{2, 3}));
}

TEST(ParseRecovery, WhatParsesIsThereEvenWhereOtherFunctionsDoNot) {
  Diagnostics diagnostics;
  const Module module = parse_what_parses(
      {"test.tir", "func.func @bad() { oops }\nfunc.func @good() { return }\n"}, diagnostics);
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(module.find("bad"), nullptr);
  EXPECT_NE(module.find("good"), nullptr);
}

} // namespace
} // namespace mo

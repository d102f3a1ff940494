// Printed texts that know what each line is there for, and which values it names.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ir/print.h"
#include "tests/ir/from_text.h"

namespace mo {
namespace {

constexpr const char* kTwoGenerics = R"(func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %in : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.addf %in, %in : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
)";

LocatedText snapshot(const Function& function) {
  return SnapshotPrinter().print(function);
}

/// Where the first line that holds `what` is from.
Loc place_of(const LocatedText& located, const std::string& what) {
  const size_t at = located.text.find(what);
  Loc loc;
  for (const LocatedText::Place& place : located.places)
    if (place.at <= at)
      loc = place.loc;
  return loc;
}

std::vector<LocatedText::Mention> mentions_of(const LocatedText& located, const std::string& name) {
  std::vector<LocatedText::Mention> found;
  for (const LocatedText::Mention& m : located.mentions)
    if (located.text.substr(m.at, m.size) == name)
      found.push_back(m);
  return found;
}

TEST(SnapshotPrinter, WritesWhatPrintWritesOfTheModule) {
  const Module module = module_from(kTwoGenerics);
  EXPECT_EQ(snapshot(module.functions[0]).text, print(module));
}

TEST(SnapshotPrinter, KnowsTheSourceOfEachLine) {
  const Function f = function_from(kTwoGenerics);
  const LocatedText located = snapshot(f);
  EXPECT_EQ(place_of(located, "#map"), (Loc{0, 0}));
  EXPECT_EQ(place_of(located, "@f"), f.loc);
  EXPECT_EQ(place_of(located, "%e = "), f.ops[0].loc);
  EXPECT_EQ(place_of(located, "%0 = "), f.ops[1].loc);
  EXPECT_EQ(place_of(located, "arith.mulf"), f.ops[1].as<GenericOp>()->body.insts[0].loc);
  EXPECT_EQ(place_of(located, "linalg.yield"), f.ops[1].loc);
  EXPECT_EQ(place_of(located, "arith.addf"), f.ops[2].as<GenericOp>()->body.insts[0].loc);
  EXPECT_EQ(place_of(located, "return"), f.ops[3].loc);
}

TEST(SnapshotPrinter, FindsEveryMentionOfAValue) {
  const LocatedText located = snapshot(function_from(kTwoGenerics));
  EXPECT_EQ(mentions_of(located, "%e").size(), 3u);
  EXPECT_EQ(mentions_of(located, "%0").size(), 2u);
  EXPECT_TRUE(std::is_sorted(located.mentions.begin(), located.mentions.end(),
                             [](const auto& a, const auto& b) { return a.at < b.at; }));
}

TEST(SnapshotPrinter, TellsTwoValuesOfOneNameApart) {
  const auto m = mentions_of(snapshot(function_from(kTwoGenerics)), "%m");
  ASSERT_EQ(m.size(), 4u); // defined and yielded in each body
  EXPECT_EQ(m[0].defined, m[1].defined);
  EXPECT_NE(m[1].defined, m[2].defined);
}

TEST(SnapshotPrinter, ResultsThatShareANameAreMentionedEach) {
  const Function f = function_from(R"(func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
                         iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e, %e : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %o: f32, %p: f32):
    linalg.yield %in, %in : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#1 : tensor<4xf32>
})");
  const LocatedText located = snapshot(f);
  EXPECT_EQ(mentions_of(located, "%r:2").size(), 1u);
  EXPECT_EQ(mentions_of(located, "%r#1").size(), 1u);
}

TEST(SnapshotPrinter, AMapKeepsItsAliasWhenAnotherOneGoes) {
  Function f = function_from(kTwoGenerics);
  SnapshotPrinter printer;
  EXPECT_TRUE(printer.print(f).text.starts_with("#map = affine_map<(d0, d1) -> (d1, d0)>\n"
                                                "#map1 = affine_map<(d0, d1) -> (d0, d1)>\n"));
  f.ops[1].as<GenericOp>()->maps[0] = f.ops[1].as<GenericOp>()->maps[1];
  EXPECT_TRUE(printer.print(f).text.starts_with("#map1 = affine_map<(d0, d1) -> (d0, d1)>\n"
                                                "func.func"));
}

TEST(SnapshotPrinter, WhatItWritesParses) {
  SnapshotPrinter printer;
  const std::string text = printer.print(function_from(kTwoGenerics)).text;
  EXPECT_EQ(printer.print(function_from(text)).text, text);
}

} // namespace
} // namespace mo

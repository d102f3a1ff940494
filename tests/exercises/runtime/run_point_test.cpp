// Exercise: one point of a generic, after the points before it.
#include "tests/exercises/cases.h"
#include "tests/runtime/support.h"

namespace mo::exercise {
namespace {

using Floats = std::vector<float>;

std::string text_of(const Floats& floats) {
  std::string text;
  for (float f : floats)
    text += (text.empty() ? "[" : ", ") + std::to_string(f);
  return text + "]";
}

struct BufferRun {
  std::string text;            // a function on memref<nxf32>s
  std::vector<Floats> buffers; // its arguments
  size_t shown = 0;            // which of them is looked at
  Floats expected;
};

void expect_runs(const char* rule, const std::vector<BufferRun>& table) {
  for (const BufferRun& c : table) {
    const Function function = testing::parse_function(c.text);
    std::vector<RuntimeValue> arguments;
    std::string input = c.text;
    for (size_t k = 0; k < c.buffers.size(); ++k) {
      const Value& argument = function.value(function.args[k].value);
      arguments.emplace_back(testing::array_of<float>(argument.type.shape, c.buffers[k]));
      input += "\n%" + argument.name + " = " + text_of(c.buffers[k]);
    }
    testing::results_of(function, arguments);
    expect_case(rule, input, text_of(c.expected),
                text_of(testing::elements_of<float>(arguments[c.shown])));
  }
}

const std::string kSum = R"(func.func @f(%x: memref<4xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<4xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %r = arith.addf %acc, %a : f32
    linalg.yield %r : f32
  }
  return
})";

TEST(RunPoint, APointGoesOnFromWhatThePointBeforeItWrote) {
  expect_runs("an ordered block argument is read from memory at this point, after the point before "
              "has written",
              {
                  {kSum, {{1, 2, 3, 4}, {0}}, 1, {10}},
                  {kSum, {{1, 2, 3, 4}, {100}}, 1, {110}},
                  {R"(func.func @f(%a: memref<4xf32>, %x: memref<6xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0 + 2)>], iterator_types = ["parallel"]}
      ins(%a, %x : memref<4xf32>, memref<6xf32>) outs(%x : memref<6xf32>) {
  ^bb0(%in: f32, %before: f32, %old: f32):
    %r = arith.addf %before, %in : f32
    linalg.yield %r : f32
  }
  return
})",
                   {{1, 2, 3, 4}, {0, 10, 0, 0, 0, 0}},
                   1,
                   {0, 10, 11, 13, 16, 20}},
              });
}

TEST(RunPoint, WhatTheBlockHasComputedIsTakenFromItsLane) {
  expect_runs("a value that does not depend on earlier points stands in its block already: this "
              "point's is element `lane` of it",
              {
                  {R"(func.func @f(%x: memref<4xf32>, %y: memref<4xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %y : memref<4xf32>, memref<4xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  }
  return
})",
                   {{1, 2, 3, 4}, {10, 100, 1000, 10000}, {0}},
                   2,
                   {43210}},
              });
}

TEST(RunPoint, OneOpAfterTheOther) {
  expect_runs("the ordered steps run in the order of the body, each from the values before it: "
              "float sums too are in the order of the points",
              {
                  {kSum, {{1e8F, 1, -1e8F, 1}, {0}}, 1, {1}},
                  {R"(func.func @f(%x: memref<3xf32>, %s: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%x : memref<3xf32>) outs(%s : memref<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %p = arith.mulf %acc, %acc : f32
    %q = arith.addf %p, %a : f32
    %r = arith.negf %q : f32
    linalg.yield %r : f32
  }
  return
})",
                   {{1, 2, 3}, {1}},
                   1,
                   {-39}},
              });
}

TEST(RunPoint, EveryYieldIsWrittenAtItsOwnElement) {
  const std::string sum_and_maximum =
      R"(func.func @f(%x: memref<2x3xf32>, %s: memref<2xf32>, %m: memref<2xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<2x3xf32>) outs(%s, %m : memref<2xf32>, memref<2xf32>) {
  ^bb0(%a: f32, %acc: f32, %max: f32):
    %r = arith.addf %acc, %a : f32
    %n = arith.maximumf %max, %a : f32
    linalg.yield %r, %n : f32, f32
  }
  return
})";
  const std::vector<Floats> buffers = {{1, 5, 3, -4, -6, -5}, {0, 0}, {-100, -100}};
  expect_runs("yield k goes to init k, at the element that its map gives for this point",
              {
                  {sum_and_maximum, buffers, 1, {9, -15}},
                  {sum_and_maximum, buffers, 2, {5, -4}},
              });
}

} // namespace
} // namespace mo::exercise

// Exercise: which neighbouring loops are one loop?
#include "codegen/simplify.h"
#include "tests/exercises/cases.h"
#include "tests/ir/from_text.h"

namespace mo::exercise {
namespace {

struct Nest {
  const char* loops;  // "d0, d1"
  const char* x_map;  // right-hand sides
  const char* x_type; // memref
  const char* o_map;
  const char* o_type;
  const char* expected;
  const char* body = "    linalg.yield %a : f32\n";
};

std::string text_of(const Nest& nest) {
  std::string iterators;
  for (const char* c = nest.loops; *c != '\0'; ++c)
    if (*c == 'd')
      iterators += iterators.empty() ? "\"parallel\"" : ", \"parallel\"";
  const auto map = [&](const char* rows) {
    return std::string("affine_map<(") + nest.loops + ") -> (" + rows + ")>";
  };
  const std::string x = nest.x_type, o = nest.o_type;
  return "func.func @f(%x: " + x + ", %o: " + o + ") {\n  linalg.generic {indexing_maps = [" +
         map(nest.x_map) + ", " + map(nest.o_map) + "],\n      iterator_types = [" + iterators +
         "]} ins(%x : " + x + ") outs(%o : " + o + ") {\n  ^bb0(%a: f32, %b: f32):\n" + nest.body +
         "  }\n  return\n}";
}

/// "d0_d1 runs 12 times, in it d2 runs 5 times"
std::string loops_of(const std::vector<Node>& block) {
  for (const Node& node : block)
    if (const Loop* loop = node.as<Loop>()) {
      const std::string inner = loops_of(loop->body);
      return loop->name + " runs " + std::to_string(loop->extent) + " times" +
             (inner.empty() ? "" : ", in it " + inner);
    }
  return "";
}

void expect_merged(const char* rule, const std::vector<Nest>& table) {
  for (const Nest& nest : table) {
    Kernel kernel = lower_to_loops(function_from(text_of(nest)));
    const std::string before = print(kernel);
    merge_contiguous_loops(kernel);
    expect_case(rule, before, nest.expected, loops_of(kernel.body));
  }
}

TEST(MergeLoops, WhereTheOuterStepIsTheInnerWalkTheTwoAreOneLoop) {
  expect_merged(
      "two neighbours merge where every access's outer stride is its inner stride times "
      "the inner extent",
      {
          {"d0, d1", "d0, d1", "memref<3x4xf32>", "d0, d1", "memref<3x4xf32>",
           "d0_d1 runs 12 times"},
          {"d0, d1, d2", "d0, d1, d2", "memref<2x3x4xf32>", "d0, d1, d2", "memref<2x3x4xf32>",
           "d0_d1_d2 runs 24 times"},
          {"d0, d1", "d0, d1", "memref<3x4xf32>", "", "memref<f32>", "d0_d1 runs 12 times"},
          {"d0, d1", "d1, d0", "memref<4x3xf32>", "d0, d1", "memref<3x4xf32>",
           "d0 runs 3 times, in it d1 runs 4 times"},
      });
}

TEST(MergeLoops, EveryAccessOfTheNestHasToAgree) {
  expect_merged("one access that walks otherwise, a load or a store, keeps the two loops apart",
                {
                    {"d0, d1, d2", "d1, d2", "memref<3x4xf32>", "d0, d1, d2", "memref<2x3x4xf32>",
                     "d0 runs 2 times, in it d1_d2 runs 12 times"},
                    {"d0, d1, d2", "d0, d1, d2", "memref<2x3x4xf32>", "d0, d1, d2 + 1",
                     "memref<2x3x9xf32>", "d0_d1 runs 6 times, in it d2 runs 4 times"},
                    {"d0, d1, d2", "d0, d1", "memref<2x3xf32>", "d0, d1, d2", "memref<2x3x4xf32>",
                     "d0_d1 runs 6 times, in it d2 runs 4 times"},
                });
}

TEST(MergeLoops, ACounterThatIsAskedForKeepsItsLoop) {
  const auto index = [](const char* number) {
    static std::vector<std::string> bodies;
    bodies.reserve(8);
    bodies.push_back(std::string("    %i = linalg.index ") + number +
                     " : index\n    %j = arith.index_cast %i : index to i32\n    %k = "
                     "arith.sitofp %j : i32 to f32\n    %s = arith.addf %a, %k : f32\n    "
                     "linalg.yield %s : f32\n");
    return bodies.back().c_str();
  };
  const char *const loops = "d0, d1, d2", *const type = "memref<2x3x4xf32>";
  expect_merged("linalg.index of a loop keeps it apart from the one outside and the one inside",
                {
                    {loops, loops, type, loops, type, "d0 runs 2 times, in it d1_d2 runs 12 times",
                     index("0")},
                    {loops, loops, type, loops, type, "d0_d1 runs 6 times, in it d2 runs 4 times",
                     index("2")},
                    {loops, loops, type, loops, type,
                     "d0 runs 2 times, in it d1 runs 3 times, in it d2 runs 4 times", index("1")},
                });
}

} // namespace
} // namespace mo::exercise

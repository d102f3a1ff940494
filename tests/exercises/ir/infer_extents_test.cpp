// Exercise: the extents of a generic's loops, from the shapes of its operands.
#include "ir/walk.h"
#include "tests/exercises/cases.h"
#include "tests/exercises/ir/map_text.h"

namespace mo::exercise {
namespace {

struct Generic {
  std::vector<const char*> dims; // loops: "d0", "d1"
  std::vector<const char*> maps; // right-hand sides, inputs first, the one init last
  std::vector<const char*> types;
  const char* expected;
};

std::string joined(const std::vector<const char*>& parts) {
  std::string text;
  for (const char* part : parts)
    text += (text.empty() ? "" : ", ") + std::string(part);
  return text;
}

std::string text_of(const Generic& generic) {
  std::string maps, iterators, args, types, names, block;
  for (size_t k = 0; k < generic.maps.size(); ++k) {
    const std::string comma = k == 0 ? "" : ", ", name = "%x" + std::to_string(k);
    maps += comma + "affine_map<(" + joined(generic.dims) + ") -> (" + generic.maps[k] + ")>";
    args += comma + name + ": " + generic.types[k];
    block += comma + "%b" + std::to_string(k) + ": f32";
    if (k + 1 < generic.maps.size()) {
      names += comma + name;
      types += comma + generic.types[k];
    }
  }
  for (size_t d = 0; d < generic.dims.size(); ++d)
    iterators += d == 0 ? "\"parallel\"" : ", \"parallel\"";
  const std::string init = "%x" + std::to_string(generic.maps.size() - 1);
  return "func.func @f(" + args + ") {\n  linalg.generic {indexing_maps = [" + maps +
         "],\n      iterator_types = [" + iterators + "]}" +
         (names.empty() ? "" : " ins(" + names + " : " + types + ")") + " outs(" + init + " : " +
         generic.types.back() + ") {\n  ^bb0(" + block + "):\n    linalg.yield %b0 : f32\n  }\n" +
         "  return\n}";
}

void expect_extents(const char* rule, const std::vector<Generic>& table) {
  for (const Generic& c : table) {
    const std::string text = text_of(c);
    const Function function = function_from(text);
    const auto extents = inferred_extents(function, *function.ops[0].as<GenericOp>());
    std::string got;
    for (size_t d = 0; d < extents.size(); ++d)
      got += (d == 0 ? "d" : ", d") + std::to_string(d) + " = " +
             (extents[d] ? std::to_string(*extents[d]) : "?");
    expect_case(rule, text, c.expected, got);
  }
}

TEST(InferExtents, ALoopHasTheExtentOfTheDimensionThatItIndexesAlone) {
  expect_extents("where row r of an operand's map is the plain dim d, loop d runs over dimension r "
                 "of that operand",
                 {
                     {{"d0"}, {"d0", "d0"}, {"memref<4xf32>", "memref<4xf32>"}, "d0 = 4"},
                     {{"d0", "d1"},
                      {"d1, d0", "d0, d1"},
                      {"memref<8x4xf32>", "memref<4x8xf32>"},
                      "d0 = 4, d1 = 8"},
                     {{"d0", "d1", "d2"},
                      {"d0, d2", "d2, d1", "d0, d1"},
                      {"memref<2x5xf32>", "memref<5x3xf32>", "memref<2x3xf32>"},
                      "d0 = 2, d1 = 3, d2 = 5"},
                 });
}

TEST(InferExtents, ASumOrAMultipleTellsNothing) {
  expect_extents(
      "only a plain dim tells an extent: d0 * 2, d0 + d1 and d0 + 1 do not",
      {
          {{"d0", "d1"}, {"d0 + d1", "d0"}, {"memref<9xf32>", "memref<4xf32>"}, "d0 = 4, d1 = ?"},
          {{"d0", "d1"},
           {"d0 * 2, d1", "d1"},
           {"memref<9x3xf32>", "memref<3xf32>"},
           "d0 = ?, d1 = 3"},
          {{"d0"}, {"d0 + 1", "d0"}, {"memref<9xf32>", "memref<8xf32>"}, "d0 = 8"},
      });
}

TEST(InferExtents, InitsTellAsInputsDo) {
  expect_extents(
      "operands are the inputs, then the inits; map k belongs to operand k",
      {
          {{"d0"}, {"d0"}, {"memref<7xf32>"}, "d0 = 7"},
          {{"d0", "d1"}, {"d0", "d0, d1"}, {"memref<3xf32>", "memref<3x6xf32>"}, "d0 = 3, d1 = 6"},
      });
}

TEST(InferExtents, WhereOperandsDisagreeTheFirstIsTaken) {
  // The verifier compares the others with it, and says who disagrees.
  expect_extents("the first operand whose map names the loop as a plain dim gives the extent",
                 {
                     {{"d0"}, {"d0", "d0"}, {"memref<4xf32>", "memref<5xf32>"}, "d0 = 4"},
                     {{"d0"}, {"d0, d0", "d0"}, {"memref<6x7xf32>", "memref<8xf32>"}, "d0 = 6"},
                 });
}

} // namespace
} // namespace mo::exercise

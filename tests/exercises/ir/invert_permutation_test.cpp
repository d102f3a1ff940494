// Exercise: invert a permutation.
#include <algorithm>
#include <numeric>

#include "tests/exercises/cases.h"
#include "tests/exercises/ir/map_text.h"

namespace mo::exercise {
namespace {

struct Inversion {
  const char* map;
  const char* expected;
};

void expect_inversions(const char* rule, const std::vector<Inversion>& table) {
  for (const Inversion& c : table)
    expect_case(rule, c.map, c.expected, to_string(inverse_permutation(map_of(c.map))));
}

TEST(InvertPermutation, ASwapIsItsOwnInverse) {
  expect_inversions("where row r of the map is dim d, row d of the inverse is dim r",
                    {
                        {"(d0) -> (d0)", "(d0) -> (d0)"},
                        {"(d0, d1) -> (d1, d0)", "(d0, d1) -> (d1, d0)"},
                        {"(d0, d1, d2) -> (d2, d1, d0)", "(d0, d1, d2) -> (d2, d1, d0)"},
                    });
}

TEST(InvertPermutation, ACycleTurnsTheOtherWay) {
  expect_inversions(
      "where row r of the map is dim d, row d of the inverse is dim r; a cycle of three or more is "
      "not its own inverse",
      {
          {"(d0, d1, d2) -> (d1, d2, d0)", "(d0, d1, d2) -> (d2, d0, d1)"},
          {"(d0, d1, d2) -> (d2, d0, d1)", "(d0, d1, d2) -> (d1, d2, d0)"},
          {"(d0, d1, d2, d3) -> (d1, d2, d3, d0)", "(d0, d1, d2, d3) -> (d3, d0, d1, d2)"},
          {"(d0, d1, d2, d3) -> (d2, d0, d3, d1)", "(d0, d1, d2, d3) -> (d1, d3, d0, d2)"},
      });
}

TEST(InvertPermutation, EveryPointComesBack) {
  for (unsigned n = 1; n <= 5; ++n) {
    std::vector<unsigned> dims(n);
    std::iota(dims.begin(), dims.end(), 0u);
    std::vector<int64_t> point(n);
    std::iota(point.begin(), point.end(), 10);
    do {
      const AffineMap map = AffineMap::select(n, dims);
      expect_case("inverse(map(point)) is point, for every permutation",
                  to_string(map) + "\npoint " + text_of(point), text_of(point),
                  text_of(inverse_permutation(map).apply(map.apply(point))));
    } while (std::next_permutation(dims.begin(), dims.end()));
  }
}

} // namespace
} // namespace mo::exercise

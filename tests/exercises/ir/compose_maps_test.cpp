// Exercise: compose two maps.
#include "tests/exercises/cases.h"
#include "tests/exercises/ir/map_text.h"

namespace mo::exercise {
namespace {

struct Composition {
  const char* outer;
  const char* inner;
  const char* expected;
};

void expect_compositions(const char* rule, const std::vector<Composition>& table) {
  for (const Composition& c : table)
    expect_case(rule, std::string("outer ") + c.outer + "\ninner " + c.inner, c.expected,
                to_string(compose(map_of(c.outer), map_of(c.inner))));
}

TEST(ComposeMaps, TheInnerMapRunsFirst) {
  expect_compositions(
      "compose(outer, inner)(x) is outer(inner(x)): the dims of the result are "
      "those of inner, its rows those of outer",
      {
          {"(d0, d1) -> (d1, d0)", "(d0, d1, d2) -> (d0, d2)", "(d0, d1, d2) -> (d2, d0)"},
          {"(d0, d1) -> (d1)", "(d0) -> (d0 * 2, d0 * 3)", "(d0) -> (d0 * 3)"},
          {"(d0, d1) -> (d0, d1, d0)", "(d0, d1) -> (d1, d0)", "(d0, d1) -> (d1, d0, d1)"},
      });
}

TEST(ComposeMaps, CoefficientsMultiplyAndAddUp) {
  expect_compositions("the coefficient of a dim is the sum, over the results of inner, of outer's "
                      "coefficient times inner's: a matrix product",
                      {
                          {"(d0) -> (d0 * 4)", "(d0) -> (d0 * 8)", "(d0) -> (d0 * 32)"},
                          {"(d0, d1) -> (d0 + d1)", "(d0) -> (d0, d0)", "(d0) -> (d0 * 2)"},
                          {"(d0, d1) -> (d0 * 3 + d1)", "(d0, d1) -> (d0 + d1, d1 * 5)",
                           "(d0, d1) -> (d0 * 3 + d1 * 8)"},
                          {"(d0, d1) -> (d0 - d1, d0)", "(d0) -> (d0, d0)", "(d0) -> (0, d0)"},
                      });
}

TEST(ComposeMaps, ConstantsOfBothMapsCount) {
  expect_compositions(
      "the constant is outer's, plus inner's constants times outer's coefficients",
      {
          {"(d0) -> (d0 + 1)", "(d0) -> (d0)", "(d0) -> (d0 + 1)"},
          {"(d0) -> (d0 * 4)", "(d0) -> (d0 + 2)", "(d0) -> (d0 * 4 + 8)"},
          {"(d0, d1) -> (d0 * 2 + d1 * 3 + 1)", "(d0) -> (d0 + 5, 7)", "(d0) -> (d0 * 2 + 32)"},
          {"(d0) -> (d0 * 2 + 1)", "() -> (4)", "() -> (9)"},
      });
}

TEST(ComposeMaps, AtEveryPointItIsOneMapAfterTheOther) {
  const std::vector<const char*> outers = {"(d0, d1) -> (d0 * 3 - d1 + 2, d1)",
                                           "(d0, d1) -> (d1 * 7, d0 + d1, 5)"};
  const std::vector<const char*> inners = {"(d0, d1) -> (d1 * 2 - 1, d0 + d1)",
                                           "(d0, d1) -> (d0, d0 * -4 + d1 * 2 + 9)"};
  for (const char* outer : outers)
    for (const char* inner : inners)
      for (const std::vector<int64_t>& point :
           std::vector<std::vector<int64_t>>{{0, 0}, {1, 0}, {0, 1}, {-3, 11}, {INT64_MAX, 2}})
        expect_case("compose(outer, inner) takes every point to where outer takes inner(point); "
                    "arithmetic wraps (wrapping_add, wrapping_mul)",
                    std::string("outer ") + outer + "\ninner " + inner + "\npoint " +
                        text_of(point),
                    text_of(map_of(outer).apply(map_of(inner).apply(point))),
                    text_of(compose(map_of(outer), map_of(inner)).apply(point)));
}

} // namespace
} // namespace mo::exercise

#include "runtime/point_space.h"

#include <gtest/gtest.h>

namespace mo {
namespace {

/// The values of the forms at each point, as blocks of at most `max_length` points give them.
std::vector<std::vector<int64_t>> walk(const PointSpace& space, size_t max_length, size_t level) {
  std::vector<std::vector<int64_t>> points;
  BlockWalker block(space, max_length, level);
  while (block.next()) {
    EXPECT_LE(block.length(), max_length);
    for (size_t s = 0; s < block.num_segments(); ++s)
      for (size_t i = 0; i < block.segment_length(s); ++i) {
        points.emplace_back();
        for (size_t form = 0; form < space.forms.size(); ++form)
          points.back().push_back(block.position(s, form) +
                                  static_cast<int64_t>(i) * block.stride(form));
      }
  }
  return points;
}

std::vector<size_t> block_lengths(const PointSpace& space, size_t max_length, size_t level) {
  std::vector<size_t> lengths;
  BlockWalker block(space, max_length, level);
  while (block.next())
    lengths.push_back(block.length());
  return lengths;
}

TEST(PointSpace, TheElementPositionOfATransposeHasSwappedStrides) {
  const unsigned dims[] = {1, 0};
  EXPECT_EQ(element_position(AffineMap::select(2, dims), {5, 7}), (LinearForm{0, {1, 7}}));
}

TEST(PointSpace, TheElementPositionOfASumAddsStridesAndConstants) {
  AffineMap map(2, 2); // (d0, d1) -> (d0 * 2 + d1 + 1, 3)
  map.set_coefficient(0, 0, 2);
  map.set_coefficient(0, 1, 1);
  map.set_constant(0, 1);
  map.set_constant(1, 3);
  EXPECT_EQ(element_position(map, {100, 10}), (LinearForm{13, {20, 10}}));
}

TEST(PointSpace, SimplifyMergesLoopsThatEveryFormWalksAsOne) {
  PointSpace space{{2, 1, 3, 4}, {{0, {12, 99, 4, 1}}, {5, {24, 0, 8, 2}}}};
  simplify(space);
  EXPECT_EQ(space.extents, (std::vector<int64_t>{24}));
  EXPECT_EQ(space.forms[1], (LinearForm{5, {2}}));
}

TEST(PointSpace, SimplifyKeepsLoopsApartThatOneFormWalksOtherwise) {
  PointSpace space{{2, 3, 4}, {{0, {12, 4, 1}}, {0, {0, 4, 1}}}};
  simplify(space);
  EXPECT_EQ(space.extents, (std::vector<int64_t>{2, 12}));
}

TEST(PointSpace, AFormIsDistinctFromTheLevelWhereItsOuterLoopsRepeat) {
  const PointSpace columns{{8, 5}, {{0, {0, 1}}}};
  EXPECT_EQ(distinct_from_level(columns, columns.forms[0]), 1U);
  const PointSpace rows{{8, 5}, {{0, {1, 0}}}};
  EXPECT_EQ(distinct_from_level(rows, rows.forms[0]), 2U);
  const PointSpace reversed{{8, 5}, {{39, {-5, -1}}}};
  EXPECT_EQ(distinct_from_level(reversed, reversed.forms[0]), 0U);
  const PointSpace overlapping{{8, 5}, {{0, {4, 1}}}}; // d0 * 4 + d1: 4 comes twice
  EXPECT_EQ(distinct_from_level(overlapping, overlapping.forms[0]), 1U);
  const PointSpace huge{{8, 5}, {{0, {INT64_MAX, INT64_MIN}}}};
  EXPECT_EQ(distinct_from_level(huge, huge.forms[0]), 2U);
}

TEST(PointSpace, BlocksHoldThePointsInRowMajorOrder) {
  const PointSpace space{{2, 3}, {{10, {-3, 1}}, {0, {0, 5}}}};
  const std::vector<std::vector<int64_t>> expected{{10, 0}, {11, 5}, {12, 10},
                                                   {7, 0},  {8, 5},  {9, 10}};
  for (size_t max_length = 1; max_length <= 7; ++max_length)
    for (size_t level = 0; level <= 1; ++level)
      EXPECT_EQ(walk(space, max_length, level), expected) << max_length << " from " << level;
}

TEST(PointSpace, ABlockDoesNotCrossItsLevel) {
  const PointSpace space{{2, 2, 3}, {{0, {6, 3, 1}}}};
  EXPECT_EQ(block_lengths(space, 100, 0), (std::vector<size_t>{12}));
  EXPECT_EQ(block_lengths(space, 100, 1), (std::vector<size_t>{6, 6}));
  EXPECT_EQ(block_lengths(space, 100, 2), (std::vector<size_t>{3, 3, 3, 3}));
  EXPECT_EQ(block_lengths(space, 4, 1), (std::vector<size_t>{4, 2, 4, 2}));
}

TEST(PointSpace, NoLoopsAreOnePoint) {
  const PointSpace space{{}, {{3, {}}}};
  EXPECT_EQ(walk(space, 8, 0), (std::vector<std::vector<int64_t>>{{3}}));
}

} // namespace
} // namespace mo

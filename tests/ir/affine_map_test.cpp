#include "ir/affine_map.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace mo {
namespace {

constexpr int64_t kSmallest = INT64_MIN;
constexpr int64_t kLargest = INT64_MAX;

/// {coefficients..., constant} per row.
AffineMap map_of(unsigned num_dims, const std::vector<std::vector<int64_t>>& rows) {
  AffineMap map(num_dims, static_cast<unsigned>(rows.size()));
  for (unsigned r = 0; r < rows.size(); ++r) {
    for (unsigned d = 0; d < num_dims; ++d)
      map.set_coefficient(r, d, rows[r][d]);
    map.set_constant(r, rows[r][num_dims]);
  }
  return map;
}

/// Small coefficients mostly, and now and then any 64 bits, so that wrapping is met too.
AffineMap random_map(std::mt19937_64& random, unsigned num_dims, unsigned num_results) {
  AffineMap map(num_dims, num_results);
  const auto number = [&]() -> int64_t {
    return random() % 8 == 0 ? static_cast<int64_t>(random())
                             : static_cast<int64_t>(random() % 9) - 4;
  };
  for (unsigned r = 0; r < num_results; ++r) {
    for (unsigned d = 0; d < num_dims; ++d)
      map.set_coefficient(r, d, number());
    map.set_constant(r, number());
  }
  return map;
}

std::vector<int64_t> random_point(std::mt19937_64& random, unsigned num_dims) {
  std::vector<int64_t> point(num_dims);
  for (int64_t& p : point)
    p = static_cast<int64_t>(random());
  return point;
}

AffineMap random_permutation(std::mt19937_64& random, unsigned num_dims) {
  std::vector<unsigned> dims(num_dims);
  std::iota(dims.begin(), dims.end(), 0u);
  std::shuffle(dims.begin(), dims.end(), random);
  return AffineMap::select(num_dims, dims);
}

TEST(AffineMap, TextIsWhatMlirOptPrints) {
  // Right-hand sides taken from mlir-opt 22.
  EXPECT_EQ(to_string(map_of(2, {{2, 1, 0}, {0, 0, 0}})), "(d0, d1) -> (d0 * 2 + d1, 0)");
  EXPECT_EQ(to_string(map_of(2, {{-1, 0, 7}, {1, -1, 0}})), "(d0, d1) -> (-d0 + 7, d0 - d1)");
  EXPECT_EQ(to_string(map_of(2, {{-1, -1, -3}, {-1, -2, 0}})),
            "(d0, d1) -> (-d0 - d1 - 3, -d0 - d1 * 2)");
  EXPECT_EQ(to_string(map_of(3, {{0, -2, -1, 7}, {0, 0, 0, -3}})),
            "(d0, d1, d2) -> (d1 * -2 - d2 + 7, -3)");
  EXPECT_EQ(to_string(map_of(1, {{0, 5}})), "(d0) -> (5)");
  EXPECT_EQ(to_string(map_of(2, {})), "(d0, d1) -> ()");
  EXPECT_EQ(to_string(AffineMap()), "() -> ()");
}

TEST(AffineMap, TheSmallestIntegerIsWrittenWithLiteralsThatMlirReads) {
  EXPECT_EQ(to_string(map_of(1, {{0, kSmallest}})), "(d0) -> (-9223372036854775807 - 1)");
  EXPECT_EQ(to_string(map_of(1, {{1, kSmallest}})), "(d0) -> (d0 - 9223372036854775807 - 1)");
  EXPECT_EQ(to_string(map_of(2, {{1, kSmallest, 0}})),
            "(d0, d1) -> (d0 - d1 * 9223372036854775807 - d1)");
}

TEST(AffineMap, ApplyEvaluatesEveryRow) {
  const AffineMap map = map_of(2, {{2, 1, 3}, {-1, 0, 7}});
  EXPECT_EQ(map.apply(std::vector<int64_t>{10, 4}), (std::vector<int64_t>{27, -3}));
}

TEST(AffineMap, ArithmeticWrapsAtSixtyFourBits) {
  const AffineMap map = map_of(1, {{kLargest, 2}});
  EXPECT_EQ(map.apply(std::vector<int64_t>{2}), (std::vector<int64_t>{0}));
  EXPECT_EQ(compose(map, map).coefficient(0, 0), 1);
}

TEST(AffineMap, WritingToACopyLeavesTheOriginalAlone) {
  const AffineMap original = AffineMap::identity(2);
  AffineMap copy = original;
  EXPECT_EQ(copy, original);
  copy.set_constant(0, 5);
  EXPECT_EQ(to_string(copy), "(d0, d1) -> (d0 + 5, d1)");
  EXPECT_EQ(to_string(original), "(d0, d1) -> (d0, d1)");
  EXPECT_NE(copy, original);
}

TEST(AffineMap, MapsAreEqualByTheirRowsAndDims) {
  EXPECT_EQ(map_of(1, {{1, 0}}), AffineMap::identity(1));
  EXPECT_NE(map_of(1, {{1, 1}}), AffineMap::identity(1));
  EXPECT_NE(map_of(2, {}), map_of(1, {}));
  EXPECT_EQ(map_of(2, {}), AffineMap(2, 0));
}

TEST(AffineMap, PlainDimIsOneDimAndNothingElse) {
  const AffineMap map =
      map_of(2, {{0, 1, 0}, {1, 1, 0}, {2, 0, 0}, {1, 0, 1}, {0, 0, 0}, {0, -1, 0}});
  EXPECT_EQ(map.plain_dim(0), 1u);
  for (unsigned row = 1; row < map.num_results(); ++row)
    EXPECT_EQ(map.plain_dim(row), std::nullopt) << row;
}

TEST(AffineMap, UsesDimSeesEveryRow) {
  const AffineMap map = map_of(3, {{0, 0, 0, 4}, {1, 0, -2, 0}});
  EXPECT_TRUE(map.uses_dim(0));
  EXPECT_FALSE(map.uses_dim(1));
  EXPECT_TRUE(map.uses_dim(2));
}

TEST(AffineMap, IdentityIsEveryDimInItsPlace) {
  EXPECT_TRUE(AffineMap().is_identity());
  EXPECT_TRUE(AffineMap::identity(3).is_identity());
  EXPECT_FALSE(AffineMap::select(2, std::vector<unsigned>{1, 0}).is_identity());
  EXPECT_FALSE(AffineMap::select(2, std::vector<unsigned>{0}).is_identity());
  EXPECT_FALSE(map_of(1, {{1, 1}}).is_identity());
}

TEST(AffineMap, APermutationHasEveryDimOnce) {
  EXPECT_TRUE(AffineMap::select(3, std::vector<unsigned>{2, 0, 1}).is_permutation());
  EXPECT_FALSE(AffineMap::select(2, std::vector<unsigned>{0, 0}).is_permutation());
  EXPECT_FALSE(AffineMap::select(2, std::vector<unsigned>{0}).is_permutation());
}

TEST(AffineMap, AProjectedPermutationMayLeaveDimsOutButRepeatsNone) {
  EXPECT_TRUE(AffineMap::select(3, std::vector<unsigned>{2, 0}).is_projected_permutation());
  EXPECT_TRUE(map_of(3, {}).is_projected_permutation());
  EXPECT_FALSE(AffineMap::select(3, std::vector<unsigned>{2, 2}).is_projected_permutation());
  EXPECT_FALSE(map_of(2, {{1, 0, 0}, {0, 0, 0}}).is_projected_permutation());
}

TEST(AffineMap, SelectPicksTheNamedDims) {
  EXPECT_EQ(to_string(AffineMap::select(3, std::vector<unsigned>{2, 0})),
            "(d0, d1, d2) -> (d2, d0)");
}

TEST(AffineMap, ComposeIsApplyAfterApply) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const auto n = static_cast<unsigned>(random() % 5), m = static_cast<unsigned>(random() % 5),
               k = static_cast<unsigned>(random() % 5);
    const AffineMap inner = random_map(random, n, m), outer = random_map(random, m, k);
    const std::vector<int64_t> x = random_point(random, n);
    EXPECT_EQ(compose(outer, inner).apply(x), outer.apply(inner.apply(x))) << "seed " << seed;
  }
}

TEST(AffineMap, ComposeIsAssociative) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    const AffineMap a = random_map(random, 3, 2), b = random_map(random, 4, 3),
                    c = random_map(random, 2, 4);
    EXPECT_EQ(compose(compose(a, b), c), compose(a, compose(b, c))) << "seed " << seed;
  }
}

TEST(AffineMap, TheIdentityChangesNothing) {
  std::mt19937_64 random(7);
  const AffineMap map = random_map(random, 3, 4);
  EXPECT_EQ(compose(map, AffineMap::identity(3)), map);
  EXPECT_EQ(compose(AffineMap::identity(4), map), map);
}

TEST(AffineMap, APermutationAndItsInverseCancelOnBothSides) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    const AffineMap map = random_permutation(random, static_cast<unsigned>(random() % 7));
    EXPECT_TRUE(compose(inverse_permutation(map), map).is_identity()) << to_string(map);
    EXPECT_TRUE(compose(map, inverse_permutation(map)).is_identity()) << to_string(map);
  }
}

TEST(AffineMap, TheInverseOfARotationRotatesBack) {
  const AffineMap map = AffineMap::select(3, std::vector<unsigned>{1, 2, 0});
  EXPECT_EQ(to_string(inverse_permutation(map)), "(d0, d1, d2) -> (d2, d0, d1)");
}

TEST(RowRange, AgreesWithWalkingTheBox) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::mt19937_64 random(seed);
    const AffineMap map =
        map_of(2, {{static_cast<int64_t>(random() % 9) - 4, static_cast<int64_t>(random() % 9) - 4,
                    static_cast<int64_t>(random() % 9) - 4}});
    const std::vector<int64_t> extents{static_cast<int64_t>(random() % 4) + 1,
                                       static_cast<int64_t>(random() % 4) + 1};
    int64_t min = kLargest, max = kSmallest;
    for (int64_t i = 0; i < extents[0]; ++i)
      for (int64_t j = 0; j < extents[1]; ++j) {
        const int64_t index = map.apply(std::vector<int64_t>{i, j})[0];
        min = std::min(min, index);
        max = std::max(max, index);
      }
    const std::optional<Range> range = row_range(map, 0, extents);
    ASSERT_TRUE(range) << "seed " << seed;
    EXPECT_EQ(range->min, min) << "seed " << seed;
    EXPECT_EQ(range->max, max) << "seed " << seed;
  }
}

TEST(RowRange, ADimOfExtentOneAddsNothingWhateverItsCoefficient) {
  const std::optional<Range> range =
      row_range(map_of(2, {{kSmallest, 1, 0}}), 0, std::vector<int64_t>{1, 4});
  ASSERT_TRUE(range);
  EXPECT_EQ(range->min, 0);
  EXPECT_EQ(range->max, 3);
}

TEST(RowRange, AValueBeyondSixtyFourBitsIsNone) {
  const auto range = [](std::vector<int64_t> row, std::vector<int64_t> extents) {
    return row_range(map_of(static_cast<unsigned>(extents.size()), {row}), 0, extents);
  };
  EXPECT_FALSE(range({kLargest, 1}, {2}));
  EXPECT_FALSE(range({-1, kSmallest}, {2}));
  EXPECT_FALSE(range({kSmallest, 0}, {kLargest}));
  EXPECT_TRUE(range({kLargest, 0}, {2}));
  // At the corners the two terms do not cancel.
  EXPECT_FALSE(range({kLargest, kSmallest, 0}, {kLargest, kLargest}));
}

TEST(RowRange, ManyLargeTermsDoNotOverflowOnTheWay) {
  const unsigned dims = AffineMap::kMaxDims;
  std::vector<int64_t> row(dims + 1, kSmallest);
  EXPECT_FALSE(row_range(map_of(dims, {row}), 0, std::vector<int64_t>(dims, kLargest)));
}

} // namespace
} // namespace mo

// When two points of a loop space touch the same element.
#include "codegen/dependence.h"

#include <gtest/gtest.h>

namespace mo {
namespace {

bool injective(std::vector<int64_t> strides, std::vector<int64_t> extents) {
  return injective_over_used_loops(strides, extents);
}

TEST(Injective, RowMajorStridesAre) {
  EXPECT_TRUE(injective({12, 4, 1}, {2, 3, 4}));
}

TEST(Injective, TransposedAndBackwardsStridesAre) {
  EXPECT_TRUE(injective({1, 4}, {4, 2}));
  EXPECT_TRUE(injective({-4, 1}, {2, 4}));
}

TEST(Injective, AStrideThatTheInnerLoopsReachIsNot) {
  EXPECT_FALSE(injective({2, 1}, {2, 3})); // 0 + 2 == 2 + 0
  EXPECT_TRUE(injective({3, 1}, {2, 3}));
}

TEST(Injective, ASumOfTwoCountersIsNot) {
  EXPECT_FALSE(injective({1, 1}, {2, 2}));
}

TEST(Injective, LoopsThatAreNotUsedOrDoNotMoveDoNotCount) {
  EXPECT_TRUE(injective({0, 1}, {5, 3}));
  EXPECT_TRUE(injective({1, 1}, {1, 3}));
}

TEST(Injective, StridesBeyondSixtyFourBitsAreNotTrusted) {
  EXPECT_FALSE(injective({INT64_MIN, INT64_MAX}, {3, 3}));
}

} // namespace
} // namespace mo

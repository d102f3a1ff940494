#include "ir/edit_distance.h"

#include <gtest/gtest.h>

namespace mo {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndReplacements) {
  EXPECT_EQ(edit_distance("--fuse", "--fuse"), 0u);
  EXPECT_EQ(edit_distance("--fues", "--fuse"), 2u); // a swap is two replacements
  EXPECT_EQ(edit_distance("addf", "adf"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(EditDistance, IsTheSameBothWays) {
  EXPECT_EQ(edit_distance("arith.addf", "arith.maxsi"), edit_distance("arith.maxsi", "arith.addf"));
}

} // namespace
} // namespace mo

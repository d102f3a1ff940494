#include "runtime/array.h"

#include <cstring>

#include <gtest/gtest.h>

namespace mo {
namespace {

TEST(Array, AFreshArrayIsZeroAndAligned) {
  const Array array = Array::allocate({3, 5}, ElementType::F64).value();
  EXPECT_EQ(array.count(), 15);
  EXPECT_EQ(array.bytes(), 120U);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64, 0U);
  for (int64_t i = 0; i < array.count(); ++i)
    EXPECT_EQ(array.bits(i), 0U);
}

TEST(Array, ElementsAreAsWideAsTheirType) {
  for (ElementType type : {ElementType::F32, ElementType::F64, ElementType::I1, ElementType::I32,
                           ElementType::I64, ElementType::Index}) {
    Array array = Array::allocate({3}, type).value();
    array.set_bits(0, UINT64_MAX);
    array.set_bits(2, UINT64_MAX);
    const uint64_t all_ones = UINT64_MAX >> (64 - bit_width(type));
    EXPECT_EQ(array.bits(0), all_ones) << spelling(type);
    EXPECT_EQ(array.bits(1), 0U) << spelling(type);
    EXPECT_EQ(array.bits(2), all_ones) << spelling(type);
    EXPECT_EQ(array.bytes(), 3 * byte_size(type)) << spelling(type);
  }
}

TEST(Array, ATruthValueIsStoredAsAByteOf0Or1) {
  Array array = Array::allocate({1}, ElementType::I1).value();
  array.set_bits(0, 0xFF);
  EXPECT_EQ(array.data()[0], std::byte{1});
}

TEST(Array, RankZeroHoldsOneElementAndAZeroExtentNone) {
  EXPECT_EQ(Array::allocate({}, ElementType::F32)->count(), 1);
  const Array none = Array::allocate({4, 0}, ElementType::F32).value();
  EXPECT_EQ(none.count(), 0);
  EXPECT_NE(none.data(), nullptr);
}

TEST(Array, MemoryThatIsNotToBeHadIsNoArray) {
  EXPECT_FALSE(Array::allocate({int64_t{1} << 58}, ElementType::F32));
  EXPECT_FALSE(Array::allocate({int64_t{1} << 61}, ElementType::F32));
  EXPECT_FALSE(Array::allocate({int64_t{1} << 40, int64_t{1} << 40}, ElementType::F32));
  EXPECT_FALSE(Array::allocate_guarded({int64_t{1} << 58}, ElementType::F32));
}

TEST(Array, AGuardedArrayStartsAsFarFromABoundaryAsAsked) {
  for (size_t misalign : {0, 1, 4, 17, 63}) {
    const Array array = Array::allocate_guarded({100}, ElementType::F32, misalign).value();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.data()) % 64, misalign);
    EXPECT_EQ(array.bits(99), 0U);
    EXPECT_TRUE(array.guard_intact());
  }
}

TEST(Array, AWriteOnEitherSideSpoilsTheGuard) {
  for (size_t misalign = 0; misalign < 64; ++misalign) {
    Array array = Array::allocate_guarded({7}, ElementType::I32, misalign).value();
    std::memset(array.data(), 0xFF, array.bytes());
    EXPECT_TRUE(array.guard_intact()) << misalign;
    array.data()[-1] ^= std::byte{1};
    EXPECT_FALSE(array.guard_intact()) << misalign;
    array.data()[-1] ^= std::byte{1};
    if ((misalign + array.bytes()) % 64 == 0)
      continue; // what lies behind cannot be written at all
    array.data()[array.bytes()] ^= std::byte{1};
    EXPECT_FALSE(array.guard_intact()) << misalign;
  }
}

TEST(ArrayDeathTest, AnAccessFarBehindAGuardedArrayFaults) {
  Array array = Array::allocate_guarded({16}, ElementType::F32).value(); // ends on a boundary
  volatile std::byte* end = array.data() + array.bytes();
  EXPECT_DEATH(static_cast<void>(*end), "");
}

TEST(Array, ACloneIsAnArrayOfItsOwn) {
  Array array = Array::allocate_guarded({2}, ElementType::I64, 3).value();
  array.set_bits(1, 42);
  const Array copy = array.clone().value();
  array.set_bits(1, 7);
  EXPECT_EQ(copy.bits(1), 42U);
  EXPECT_EQ(copy.shape(), array.shape());
}

TEST(Array, AMovedArrayKeepsItsMemory) {
  Array array = Array::allocate({2}, ElementType::I64).value();
  array.set_bits(0, 5);
  const std::byte* data = array.data();
  const Array moved = std::move(array);
  EXPECT_EQ(moved.data(), data);
  EXPECT_EQ(moved.bits(0), 5U);
}

} // namespace
} // namespace mo

#include "ir/type.h"

#include <gtest/gtest.h>

namespace mo {
namespace {

constexpr int64_t kLargest = INT64_MAX;

TEST(Type, EveryElementTypeIsReadBackFromItsSpelling) {
  for (ElementType t : {ElementType::F32, ElementType::F64, ElementType::I1, ElementType::I32,
                        ElementType::I64, ElementType::Index})
    EXPECT_EQ(element_type_from(spelling(t)), t) << spelling(t);
}

TEST(Type, ElementTypesOutsideTheLanguageAreNotRead) {
  for (std::string_view text : {"", "f16", "bf16", "i8", "i32 ", "F32", "f", "indexx"})
    EXPECT_EQ(element_type_from(text), std::nullopt) << text;
}

TEST(Type, WidthsAreThoseOfMemoryAndOfTheValue) {
  EXPECT_EQ(byte_size(ElementType::I1), 1u);
  EXPECT_EQ(bit_width(ElementType::I1), 1u);
  EXPECT_EQ(byte_size(ElementType::F32), 4u);
  EXPECT_EQ(bit_width(ElementType::I32), 32u);
  EXPECT_EQ(byte_size(ElementType::Index), 8u);
  EXPECT_EQ(bit_width(ElementType::F64), 64u);
}

TEST(Type, TypesAreWrittenAsMlirWritesThem) {
  EXPECT_EQ(to_string(scalar_type(ElementType::Index)), "index");
  EXPECT_EQ(to_string(tensor_type({4, 8}, ElementType::F32)), "tensor<4x8xf32>");
  EXPECT_EQ(to_string(memref_type({0}, ElementType::I64)), "memref<0xi64>");
}

TEST(Type, RankZeroHasNoExtentsInItsText) {
  EXPECT_EQ(to_string(tensor_type({}, ElementType::F64)), "tensor<f64>");
  EXPECT_EQ(to_string(memref_type({}, ElementType::I1)), "memref<i1>");
}

TEST(Type, TheElementCountIsTheProductOfTheExtents) {
  EXPECT_EQ(element_count(tensor_type({3, 5, 7}, ElementType::F32)), 105);
  EXPECT_EQ(byte_count(tensor_type({3, 5, 7}, ElementType::F64)), 840);
  EXPECT_EQ(element_count(tensor_type({}, ElementType::F32)), 1);
  EXPECT_EQ(element_count(tensor_type({4, 0}, ElementType::F32)), 0);
}

TEST(Type, ACountWhoseBytesOverflowIsNone) {
  EXPECT_EQ(checked_element_count({kLargest}, ElementType::I1), kLargest);
  EXPECT_EQ(checked_element_count({kLargest}, ElementType::F32), std::nullopt);
  EXPECT_EQ(checked_element_count({int64_t{1} << 32, int64_t{1} << 31}, ElementType::I1),
            std::nullopt);
  EXPECT_EQ(checked_element_count({int64_t{1} << 60}, ElementType::F64), std::nullopt);
  EXPECT_EQ(checked_element_count({(int64_t{1} << 60) - 1}, ElementType::F64),
            (int64_t{1} << 60) - 1);
}

TEST(Type, AnExtentOfZeroDoesNotHideAnOverflowOfTheOthers) {
  EXPECT_EQ(checked_element_count({0, kLargest, kLargest}, ElementType::F32), std::nullopt);
  EXPECT_EQ(checked_element_count({kLargest, kLargest, 0}, ElementType::F32), std::nullopt);
}

TEST(Type, NegativeExtentsHaveNoCount) {
  EXPECT_EQ(checked_element_count({-1}, ElementType::F32), std::nullopt);
  EXPECT_EQ(checked_element_count({-2, -3}, ElementType::F32), std::nullopt);
}

TEST(Type, TypesOfDifferentKindElementOrShapeDiffer) {
  const Type type = tensor_type({4}, ElementType::F32);
  EXPECT_NE(type, memref_type({4}, ElementType::F32));
  EXPECT_NE(type, tensor_type({4}, ElementType::I32));
  EXPECT_NE(type, tensor_type({5}, ElementType::F32));
  EXPECT_NE(type, tensor_type({4, 1}, ElementType::F32));
  EXPECT_EQ(type, tensor_type({4}, ElementType::F32));
}

} // namespace
} // namespace mo

#include "ir/type.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mo {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 6> kElementSpellings = {"f32", "f64", "i1",
                                                               "i32", "i64", "index"};

} // namespace

std::string_view spelling(ElementType t) {
  const auto number = static_cast<size_t>(t);
  return number < kElementSpellings.size() ? kElementSpellings[number] : "<bad element type>";
}

std::optional<ElementType> element_type_from(std::string_view spelling) {
  for (size_t i = 0; i < kElementSpellings.size(); ++i)
    if (kElementSpellings[i] == spelling)
      return static_cast<ElementType>(i);
  return std::nullopt;
}

Type scalar_type(ElementType element) {
  return {Type::Kind::Scalar, element, {}};
}

Type tensor_type(Shape shape, ElementType element) {
  return {Type::Kind::Tensor, element, std::move(shape)};
}

Type memref_type(Shape shape, ElementType element) {
  return {Type::Kind::MemRef, element, std::move(shape)};
}

std::optional<int64_t> checked_element_count(const Shape& shape, ElementType element) {
  // A 0 counts as 1 here, so that strides fit as well as sizes.
  int64_t bytes = byte_size(element);
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(bytes, std::max<int64_t>(extent, 1), &bytes))
      return std::nullopt;
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  return empty ? 0 : bytes / byte_size(element);
}

int64_t element_count(const Type& type) {
  return checked_element_count(type.shape, type.element).value();
}

int64_t byte_count(const Type& type) {
  return element_count(type) * byte_size(type.element);
}

std::string to_string(const Type& type) {
  if (type.is_scalar())
    return std::string(spelling(type.element));
  std::string text = type.is_tensor() ? "tensor<" : "memref<";
  for (int64_t extent : type.shape)
    text += std::to_string(extent) + "x";
  text += spelling(type.element);
  text += ">";
  return text;
}

} // namespace mo

// Types: what an element is, and how many of them a value holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mo {

/// The six element types. In memory every element is little-endian and as wide as `byte_size` says.
enum class ElementType : uint8_t {
  F32,   // IEEE binary32
  F64,   // IEEE binary64
  I1,    // a truth value; one byte in memory, 0 or 1. As a signed number 1 means -1.
  I32,   // signless: the operation decides whether the bits are read as signed
  I64,   // signless
  Index, // 64 bits, signless; counts loop iterations
};

constexpr bool is_float(ElementType t) {
  return t == ElementType::F32 || t == ElementType::F64;
}
constexpr bool is_integer(ElementType t) {
  return !is_float(t);
} // index included

/// Bytes that one element takes in memory: 1, 4 or 8.
constexpr unsigned byte_size(ElementType t) {
  switch (t) {
  case ElementType::I1: return 1;
  case ElementType::F32:
  case ElementType::I32: return 4;
  default: return 8;
  }
}

/// Bits that count in a value: 1, 32 or 64.
constexpr unsigned bit_width(ElementType t) {
  return t == ElementType::I1 ? 1 : 8 * byte_size(t);
}

/// "f32", "index", ...
std::string_view spelling(ElementType t);
std::optional<ElementType> element_type_from(std::string_view spelling);

/// Extents, outermost first. Rank 0 (one element) is the empty shape. Extents are static and >= 0.
using Shape = std::vector<int64_t>;

struct Type {
  enum class Kind : uint8_t {
    Scalar, // one element, in a register
    Tensor, // an immutable value
    MemRef, // a buffer in memory, row-major, contiguous (identity layout)
  };
  Kind kind = Kind::Scalar;
  ElementType element = ElementType::F32;
  Shape shape; // empty for a scalar

  bool operator==(const Type&) const = default;
  bool is_scalar() const { return kind == Kind::Scalar; }
  bool is_tensor() const { return kind == Kind::Tensor; }
  bool is_memref() const { return kind == Kind::MemRef; }
  size_t rank() const { return shape.size(); }
};

Type scalar_type(ElementType element);
Type tensor_type(Shape shape, ElementType element);
Type memref_type(Shape shape, ElementType element);

/// Product of the extents, or nothing where an extent is negative or the bytes of such a value
/// would not fit in an int64_t, extents of 0 taken as 1 (its strides then fit too). The parser
/// refuses those types, so that everything behind it may use `element_count`.
std::optional<int64_t> checked_element_count(const Shape& shape, ElementType element);
int64_t element_count(const Type& type);
int64_t byte_count(const Type& type);

/// As MLIR spells it: "f32", "tensor<4x8xf32>", "memref<i1>".
std::string to_string(const Type& type);

} // namespace mo

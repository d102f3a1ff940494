// Element types and the bits of their elements, for tests that go through all of them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "ir/type.h"

namespace mo::testing {

inline constexpr ElementType kElementTypes[] = {ElementType::F32, ElementType::F64,
                                                ElementType::I1,  ElementType::I32,
                                                ElementType::I64, ElementType::Index};

/// The bits of one element; false for types that have no NaN.
inline bool is_nan(uint64_t bits, ElementType type) {
  if (type == ElementType::F32)
    return std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return type == ElementType::F64 && std::isnan(std::bit_cast<double>(bits));
}

} // namespace mo::testing

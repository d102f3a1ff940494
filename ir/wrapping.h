// Two's complement arithmetic that wraps at 64 bits: signed overflow is undefined in C++, unsigned
// is not. What maps, and the addresses that are made of them, are computed with (affine_map.h says
// why).
#pragma once

#include <cstdint>

namespace mo {

constexpr int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

constexpr int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

} // namespace mo

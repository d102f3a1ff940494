#include "runtime/strided_copy.h"

#include <cstring>

namespace mo {

namespace {

template <size_t kSize>
void gather_as(std::byte* block, const std::byte* memory, int64_t stride, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(block + i * kSize,
                memory + static_cast<int64_t>(i) * stride * static_cast<int64_t>(kSize), kSize);
}

template <size_t kSize>
void scatter_as(std::byte* memory, const std::byte* block, int64_t stride, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(memory + static_cast<int64_t>(i) * stride * static_cast<int64_t>(kSize),
                block + i * kSize, kSize);
}

template <size_t kSize> void fill_as(std::byte* memory, uint64_t bits, size_t n) {
  for (size_t i = 0; i < n; ++i)
    std::memcpy(memory + i * kSize, &bits, kSize); // little-endian: the low bytes
}

} // namespace

void gather(std::byte* block, const std::byte* memory, int64_t stride, size_t n, unsigned size) {
  if (stride == 1)
    std::memcpy(block, memory, n * size);
  else if (size == 1)
    gather_as<1>(block, memory, stride, n);
  else if (size == 4)
    gather_as<4>(block, memory, stride, n);
  else
    gather_as<8>(block, memory, stride, n);
}

void scatter(std::byte* memory, const std::byte* block, int64_t stride, size_t n, unsigned size) {
  if (stride == 1)
    std::memcpy(memory, block, n * size);
  else if (size == 1)
    scatter_as<1>(memory, block, stride, n);
  else if (size == 4)
    scatter_as<4>(memory, block, stride, n);
  else
    scatter_as<8>(memory, block, stride, n);
}

void fill_elements(std::byte* memory, uint64_t bits, size_t n, unsigned size) {
  if (size == 1)
    fill_as<1>(memory, bits, n);
  else if (size == 4)
    fill_as<4>(memory, bits, n);
  else
    fill_as<8>(memory, bits, n);
}

} // namespace mo

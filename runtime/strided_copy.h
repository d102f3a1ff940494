// Elements between arrays, which may lie anywhere, and the dense aligned blocks that are computed
// on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mo {

/// block[i] = memory[i * stride] for 0 <= i < n. Strides count elements of `size` (1, 4 or 8)
/// bytes; 0 and negative ones are fine. `memory` need not be aligned.
void gather(std::byte* block, const std::byte* memory, int64_t stride, size_t n, unsigned size);

/// memory[i * stride] = block[i] for i = 0, 1, ..., n - 1 in this order: with stride 0 the last
/// stays.
void scatter(std::byte* memory, const std::byte* block, int64_t stride, size_t n, unsigned size);

/// n elements of the same bits, one behind the other; `memory` need not be aligned.
void fill_elements(std::byte* memory, uint64_t bits, size_t n, unsigned size);

} // namespace mo

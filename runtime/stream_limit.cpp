#include "runtime/stream_limit.h"

#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace mo {
namespace {

// Several arrays are walked in slices of about this size, in step; one source and one target in one
// go.
constexpr size_t kSliceBytes = 16384;

// Each copies whole cache lines; `to` is aligned to one. Stores of a full line leave the
// write-combining buffers soonest, so the widest vectors of the CPU make the fastest copy.
using CopyLines = void (*)(std::byte* to, const std::byte* from, size_t lines);

void copy_lines_sse2(std::byte* to, const std::byte* from, size_t lines) {
  for (size_t i = 0; i < 64 * lines; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
}

__attribute__((target("avx"))) void copy_lines_avx(std::byte* to, const std::byte* from,
                                                   size_t lines) {
  for (size_t i = 0; i < 64 * lines; i += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i)));
}

__attribute__((target("avx512f"))) void copy_lines_avx512(std::byte* to, const std::byte* from,
                                                          size_t lines) {
  for (size_t i = 0; i < 64 * lines; i += 64)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i), _mm512_loadu_si512(from + i));
}

CopyLines fastest_copy() {
  if (__builtin_cpu_supports("avx512f"))
    return copy_lines_avx512;
  return __builtin_cpu_supports("avx") ? copy_lines_avx : copy_lines_sse2;
}

void stream_copy(std::byte* to, const std::byte* from, size_t bytes) {
  static const CopyLines copy_lines = fastest_copy();
  const size_t head = std::min(bytes, (64 - reinterpret_cast<uintptr_t>(to) % 64) % 64);
  const size_t lines = (bytes - head) / 64;
  std::memcpy(to, from, head);
  copy_lines(to + head, from + head, lines);
  const size_t done = head + 64 * lines;
  std::memcpy(to + done, from + done, bytes - done);
}

// Loads every byte; the sum keeps the loads from being dropped.
__m128i read_all(const std::byte* from, size_t bytes, __m128i sum) {
  size_t i = 0;
  for (; i + 16 <= bytes; i += 16)
    sum = _mm_add_epi64(sum, _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  if (i == bytes)
    return sum;
  __m128i rest = _mm_setzero_si128(); // fewer than 16 bytes
  std::memcpy(&rest, from + i, bytes - i);
  return _mm_add_epi64(sum, rest);
}

// The part of `total` bytes that slice k of n covers.
struct Part {
  size_t begin, end;
};
Part part(size_t total, size_t k, size_t n) {
  const auto at = [&](size_t i) {
    return static_cast<size_t>(static_cast<unsigned __int128>(total) * i / n);
  };
  return {at(k), at(k + 1)};
}

} // namespace

void stream_through(std::span<const std::span<const std::byte>> sources,
                    std::span<const std::span<std::byte>> targets) {
  size_t longest = 0;
  for (const auto& s : sources)
    longest = std::max(longest, s.size());
  for (const auto& t : targets)
    longest = std::max(longest, t.size());
  const bool one_go =
      sources.size() == 1 &&
      (targets.empty() || (targets.size() == 1 && targets[0].size() == sources[0].size()));
  const size_t slices = one_go ? 1 : std::max<size_t>(1, longest / kSliceBytes);
  alignas(64) static constexpr std::byte kBlank[2 * kSliceBytes] = {};

  __m128i sum = _mm_setzero_si128();
  for (size_t k = 0; k < slices; ++k) {
    for (size_t t = 0; t < std::max(sources.size(), targets.size()); ++t) {
      if (t >= targets.size()) {
        const Part p = part(sources[t].size(), k, slices);
        sum = read_all(sources[t].data() + p.begin, p.end - p.begin, sum);
        continue;
      }
      const Part p = part(targets[t].size(), k, slices);
      const std::byte* from = kBlank;
      if (t < sources.size()) {
        const Part q = part(sources[t].size(), k, slices);
        if (q.end - q.begin >= p.end - p.begin)
          from = sources[t].data() + q.begin;
        if (q.end - q.begin != p.end - p.begin)
          sum = read_all(sources[t].data() + q.begin, q.end - q.begin, sum);
      }
      stream_copy(targets[t].data() + p.begin, from, p.end - p.begin);
    }
  }
  _mm_sfence();
  asm volatile("" : : "x"(sum));
}

} // namespace mo

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

// Each writes whole cache lines, of `a` or, where there is a `b`, of both mixed; `to` is aligned to
// one. Stores of a full line leave the write-combining buffers soonest, so the widest vectors of
// the CPU make the fastest copy.
using StreamLines = void (*)(std::byte* to, const std::byte* a, const std::byte* b, size_t lines);

__m128i load_128(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
}

void stream_lines_sse2(std::byte* to, const std::byte* a, const std::byte* b, size_t lines) {
  auto* out = reinterpret_cast<__m128i*>(to);
  for (size_t i = 0; i < 64 * lines; i += 16)
    _mm_stream_si128(out++, b ? _mm_xor_si128(load_128(a + i), load_128(b + i)) : load_128(a + i));
}

__attribute__((target("avx2"))) __m256i load_256(const std::byte* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) void stream_lines_avx2(std::byte* to, const std::byte* a,
                                                       const std::byte* b, size_t lines) {
  auto* out = reinterpret_cast<__m256i*>(to);
  for (size_t i = 0; i < 64 * lines; i += 32)
    _mm256_stream_si256(out++,
                        b ? _mm256_xor_si256(load_256(a + i), load_256(b + i)) : load_256(a + i));
}

__attribute__((target("avx512f"))) void stream_lines_avx512(std::byte* to, const std::byte* a,
                                                            const std::byte* b, size_t lines) {
  auto* out = reinterpret_cast<__m512i*>(to);
  for (size_t i = 0; i < 64 * lines; i += 64)
    _mm512_stream_si512(out++,
                        b ? _mm512_xor_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i))
                          : _mm512_loadu_si512(a + i));
}

StreamLines fastest() {
  if (__builtin_cpu_supports("avx512f"))
    return stream_lines_avx512;
  return __builtin_cpu_supports("avx2") ? stream_lines_avx2 : stream_lines_sse2;
}

// `b` may be null.
void stream(std::byte* to, const std::byte* a, const std::byte* b, size_t bytes) {
  static const StreamLines stream_lines = fastest();
  const size_t head = std::min(bytes, (64 - reinterpret_cast<uintptr_t>(to) % 64) % 64);
  const size_t lines = (bytes - head) / 64;
  const auto plain = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      to[i] = b ? a[i] ^ b[i] : a[i];
  };
  plain(0, head);
  stream_lines(to + head, a + head, b ? b + head : nullptr, lines);
  plain(head + 64 * lines, bytes);
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

// One call of stream_through.
struct Streams {
  std::span<const std::span<const std::byte>> sources;
  std::span<const std::span<std::byte>> targets;

  // Target t is made of the sources t and t + targets.size(), those of its size.
  bool goes_into(size_t source, size_t target) const {
    return source < sources.size() && source < 2 * targets.size() &&
           source % targets.size() == target && sources[source].size() == targets[target].size();
  }
  bool is_only_read(size_t source) const {
    return targets.empty() || !goes_into(source, source % targets.size());
  }

  // All in step: slices of about kSliceBytes of the longest. What one loop does needs none.
  size_t slices() const {
    size_t longest = 0, only_read = 0;
    for (size_t s = 0; s < sources.size(); ++s) {
      longest = std::max(longest, sources[s].size());
      only_read += is_only_read(s);
    }
    for (const auto& target : targets)
      longest = std::max(longest, target.size());
    const bool one_loop = only_read + targets.size() == 1 && !sources.empty();
    return one_loop ? 1 : std::max<size_t>(1, longest / kSliceBytes);
  }

  void write_slice(size_t t, Part p) const {
    alignas(64) static constexpr std::byte kBlank[2 * kSliceBytes] = {};
    const std::byte *a = nullptr, *b = nullptr;
    for (const size_t source : {t, t + targets.size()})
      if (goes_into(source, t))
        (a ? b : a) = sources[source].data() + p.begin;
    stream(targets[t].data() + p.begin, a ? a : kBlank, b, p.end - p.begin);
  }
};

} // namespace

void stream_through(std::span<const std::span<const std::byte>> sources,
                    std::span<const std::span<std::byte>> targets) {
  const Streams streams{sources, targets};
  const size_t slices = streams.slices();
  __m128i sum = _mm_setzero_si128();
  for (size_t k = 0; k < slices; ++k) {
    for (size_t t = 0; t < targets.size(); ++t)
      streams.write_slice(t, part(targets[t].size(), k, slices));
    for (size_t s = 0; s < sources.size(); ++s)
      if (streams.is_only_read(s)) {
        const Part p = part(sources[s].size(), k, slices);
        sum = read_all(sources[s].data() + p.begin, p.end - p.begin, sum);
      }
  }
  _mm_sfence();
  asm volatile("" : : "x"(sum));
}

} // namespace mo

// compare_strided.sh compiles it twice: with STRIDED_PEER as the scalar loops to compare with, and
// without as the clock. strided.inc, which the script writes, has one STRIDED(name, type, from, to,
// count, body) for each loop to[i * to] = body(from[i * from]); negative strides walk backwards
// from the end.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#ifdef STRIDED_PEER

template <class T> T copy(T x) {
  return x;
}
template <class T> T compute(T x) {
  if constexpr (std::is_same_v<T, uint8_t>) // i1
    return x ^ 1;
  else if constexpr (std::is_integral_v<T>) // wraps
    return static_cast<T>((static_cast<uint32_t>(x) + 1) * 3);
  else
    return (x + 1) * 3;
}

/// Where iteration 0 is.
constexpr int64_t first(int64_t stride, int64_t count) {
  return stride < 0 ? -stride * (count - 1) : 0;
}

// Restrict, as the C header of mini-opt's kernels asks for.
#define STRIDED(name, type, from_stride, to_stride, count, body)                                   \
  extern "C" void peer_##name(const type* __restrict from, type* __restrict to) {                  \
    from += first(from_stride, count);                                                             \
    to += first(to_stride, count);                                                                 \
    for (int64_t i = 0; i < count; ++i)                                                            \
      to[i * to_stride] = body(from[i * from_stride]);                                             \
  }
#include "strided.inc"

#else

#define STRIDED(name, type, from_stride, to_stride, count, body)                                   \
  extern "C" int name(const type* from, type* to);                                                 \
  extern "C" void peer_##name(const type* from, type* to);
#include "strided.inc"
#undef STRIDED

namespace {

using Clock = std::chrono::steady_clock;

struct StridedLoop {
  const char* name;
  int64_t from_bytes, to_bytes, count;
  void (*ours)(const void*, void*);
  void (*peer)(const void*, void*);
};

#define STRIDED(name, type, from_stride, to_stride, count, body)                                   \
  {#name,                                                                                          \
   (std::abs(from_stride) * (int64_t{count} - 1) + 1) * int64_t{sizeof(type)},                     \
   (std::abs(to_stride) * (int64_t{count} - 1) + 1) * int64_t{sizeof(type)},                       \
   count,                                                                                          \
   [](const void* from, void* to) {                                                                \
     name(static_cast<const type*>(from), static_cast<type*>(to));                                 \
   },                                                                                              \
   [](const void* from, void* to) {                                                                \
     peer_##name(static_cast<const type*>(from), static_cast<type*>(to));                          \
   }},
const StridedLoop kLoops[] = {
#include "strided.inc"
};

/// Bytes at the start of a page. 0 and 1 only: every type takes them, i1 no others.
struct Pages {
  explicit Pages(int64_t bytes)
      : size(static_cast<size_t>(bytes)),
        data(static_cast<uint8_t*>(std::aligned_alloc(4096, (size + 4095) / 4096 * 4096))) {
    if (!data)
      std::exit((std::fprintf(stderr, "compare_strided: out of memory\n"), 1));
    std::minstd_rand random(7);
    for (size_t i = 0; i < size; ++i)
      data[i] = random() >> 16 & 1;
  }
  ~Pages() { std::free(data); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  size_t size;
  uint8_t* data;
};

/// Nanoseconds per element of one call, from as many as take about 2 ms.
double time_of(void (*kernel)(const void*, void*), const StridedLoop& loop, const Pages& from,
               Pages& to) {
  const int64_t calls = std::max<int64_t>(1, (4 << 20) / loop.count);
  const auto start = Clock::now();
  for (int64_t c = 0; c < calls; ++c)
    kernel(from.data, to.data);
  const double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  return ns / static_cast<double>(calls * loop.count);
}

bool compare(const StridedLoop& loop, int reps) {
  const Pages from(loop.from_bytes);
  Pages ours(loop.to_bytes), peer(loop.to_bytes);
  loop.ours(from.data, ours.data);
  loop.peer(from.data, peer.data);
  if (std::memcmp(ours.data, peer.data, ours.size) != 0) {
    std::printf("%-32s WRONG: the two differ\n", loop.name);
    return false;
  }
  double best_ours = 1e300, best_peer = 1e300;
  for (int r = 0; r < reps; ++r) {
    best_ours = std::min(best_ours, time_of(loop.ours, loop, from, ours));
    best_peer = std::min(best_peer, time_of(loop.peer, loop, from, ours));
  }
  std::printf("%-32s clang %7.3f ns   mini-opt %7.3f ns   clang/mini-opt %5.2f\n", loop.name,
              best_peer, best_ours, best_peer / best_ours);
  std::fflush(stdout);
  return true;
}

} // namespace

int main(int argc, char** argv) {
  const int reps = argc > 1 ? std::atoi(argv[1]) : 15;
  bool all_agree = true;
  for (const StridedLoop& loop : kLoops)
    all_agree &= compare(loop, reps);
  return all_agree ? 0 : 1;
}

#endif

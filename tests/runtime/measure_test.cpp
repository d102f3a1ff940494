#include "runtime/measure.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "runtime/environment.h"
#include "runtime/stream_limit.h"

namespace mo {
namespace {

TEST(Median, IsTheMiddleOrTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
}

TEST(MeasureInterleaved, CallsEveryContenderOncePerRoundInAnOrderThatRotates) {
  std::string order;
  const std::vector<Contender> contenders = {{"a", [&] { order += 'a'; }},
                                             {"b", [&] { order += 'b'; }}};
  const auto figures = measure_interleaved(contenders, 2);
  EXPECT_EQ(order, "abbaab"); // a round of warm-up, then two
  EXPECT_EQ(figures.size(), 2u);
}

TEST(MeasureInterleaved, CountsThePagesThatACallTouchesFirst) {
  const size_t page = static_cast<size_t>(environment().page_bytes);
  constexpr size_t kPages = 64;
  const auto touch = [&] {
    void* memory =
        mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory, kPages * page, MADV_NOHUGEPAGE);
    for (size_t k = 0; k < kPages; ++k)
      static_cast<volatile char*>(memory)[k * page] = 1;
    munmap(memory, kPages * page);
  };
  const auto figures = measure_interleaved({{"touch", touch}, {"idle", [] {}}}, 5);
  EXPECT_GE(figures[0].faults_per_call, kPages);
  EXPECT_LE(figures[0].faults_per_call, kPages + 2);
  EXPECT_EQ(figures[1].faults_per_call, 0u);
  EXPECT_LE(figures[1].min_ms, figures[1].p50_ms);
}

TEST(PredictedFaults, FollowTheThresholdOfMalloc) {
  EXPECT_EQ(predicted_faults(64 << 20, 4096), 16384);
  EXPECT_EQ(predicted_faults(16 << 20, 4096), 0); // kept by malloc, and so faulted in once
  EXPECT_EQ(predicted_faults((32 << 20) + 1, 4096), 8193);
  setenv("MALLOC_MMAP_THRESHOLD_", "16777216", 1);
  EXPECT_EQ(predicted_faults(16 << 20, 4096), 4096);
  unsetenv("MALLOC_MMAP_THRESHOLD_");
}

TEST(PredictedFaults, ComeOfTrimmingWhereTheThresholdsAreFixed) {
  setenv("MALLOC_MMAP_THRESHOLD_", "134217728", 1);
  EXPECT_EQ(predicted_faults(16 << 20, 4096), 4064); // all but the top pad, 128 KiB
  EXPECT_EQ(predicted_faults(128 << 10, 4096), 0);
  setenv("MALLOC_TRIM_THRESHOLD_", "268435456", 1);
  EXPECT_EQ(predicted_faults(16 << 20, 4096), 0);
  unsetenv("MALLOC_TRIM_THRESHOLD_");
  setenv("MALLOC_TOP_PAD_", "1048576", 1);
  EXPECT_EQ(predicted_faults(16 << 20, 4096), 3840);
  unsetenv("MALLOC_MMAP_THRESHOLD_");
  EXPECT_EQ(predicted_faults(16 << 20, 4096), 4096); // one is set: mmap from 128 KiB on
  unsetenv("MALLOC_TOP_PAD_");
}

std::span<const std::byte> bytes_of(const std::vector<char>& v) {
  return std::as_bytes(std::span(v));
}
std::span<std::byte> bytes_of(std::vector<char>& v) {
  return std::as_writable_bytes(std::span(v));
}

TEST(StreamThrough, CopiesOneSourceToOneTargetOfItsSize) {
  for (size_t size : {0, 1, 15, 64, 4099, 100'001}) {
    std::vector<char> from(size + 1), to(size + 1, 'x');
    for (size_t i = 0; i < size; ++i)
      from[i] = static_cast<char>(i * 31);
    const std::vector<std::span<const std::byte>> sources = {
        std::as_bytes(std::span(from)).first(size)};
    const std::vector<std::span<std::byte>> targets = {bytes_of(to).first(size)};
    stream_through(sources, targets);
    EXPECT_TRUE(std::equal(from.begin(), from.end() - 1, to.begin())) << size;
    EXPECT_EQ(to[size], 'x'); // not a byte more
  }
}

TEST(StreamThrough, MixesTwoSourcesOfTheTargetsSize) {
  for (size_t size : {1, 63, 100, 4099}) {
    std::vector<char> a(size), b(size), to(size + 1, 'x');
    for (size_t i = 0; i < size; ++i) {
      a[i] = static_cast<char>(i * 31);
      b[i] = static_cast<char>(i * 17 + 5);
    }
    const std::vector<std::span<const std::byte>> sources = {std::as_bytes(std::span(a)),
                                                             std::as_bytes(std::span(b))};
    const std::vector<std::span<std::byte>> targets = {bytes_of(to).first(size)};
    stream_through(sources, targets);
    for (size_t i = 0; i < size; ++i)
      ASSERT_EQ(to[i], static_cast<char>(a[i] ^ b[i])) << i << " of " << size;
    EXPECT_EQ(to[size], 'x');
  }
}

TEST(StreamThrough, WritesEveryTargetWhole) {
  const std::vector<char> small(1000, 's');
  std::vector<char> large(200'000, 'x'), other(50'001, 'x');
  const std::vector<std::span<const std::byte>> sources = {bytes_of(small)};
  const std::vector<std::span<std::byte>> targets = {bytes_of(large), bytes_of(other)};
  stream_through(sources, targets);
  EXPECT_EQ(std::count(large.begin(), large.end(), 'x'), 0);
  EXPECT_EQ(std::count(other.begin(), other.end(), 'x'), 0);
}

TEST(StreamThrough, ReadsWithoutWritingWhereThereIsNoTarget) {
  const std::vector<char> a(10'000, 'a'), b(333, 'b');
  const std::vector<std::span<const std::byte>> sources = {bytes_of(a), bytes_of(b)};
  stream_through(sources, {});
  EXPECT_EQ(a[9'999], 'a');
}

} // namespace
} // namespace mo

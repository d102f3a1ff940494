// Which stores bypass the caches.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codegen/compile.h"
#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

constexpr int64_t kCache = 1 << 20;

/// How many stores of the kernel stream.
int streaming(const std::string& text, NtStores mode = NtStores::Auto) {
  CompileOptions options;
  options.nt_stores = mode;
  options.cache_bytes = kCache;
  const std::string loops = print(build_loops(testing::parse_function(text), options));
  int count = 0;
  for (size_t at = loops.find("store.stream"); at != std::string::npos;
       at = loops.find("store.stream", at + 1))
    ++count;
  return count;
}

std::string copy_of(int64_t elements, std::string_view then = "") {
  return fmt::format(R"(
    func.func @f(%x: memref<{0}xf32>, %o: memref<{0}xf32>, %p: memref<f32>) {{
      memref.copy %x, %o : memref<{0}xf32> to memref<{0}xf32>
      {1}
      return
    }})",
                     elements, then);
}

TEST(Streaming, AnOutputLargerThanTheCacheStreams) {
  EXPECT_EQ(streaming(copy_of(kCache / 4 + 1)), 1);
}

TEST(Streaming, AnOutputThatFitsTheCacheDoesNot) {
  EXPECT_EQ(streaming(copy_of(kCache / 4)), 0);
}

TEST(Streaming, AlwaysOverridesTheSize) {
  EXPECT_EQ(streaming(copy_of(8), NtStores::Always), 1);
}

TEST(Streaming, NeverOverridesTheSize) {
  EXPECT_EQ(streaming(copy_of(kCache), NtStores::Never), 0);
}

const std::string kReadAgain = R"(
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%o : memref<1048576xf32>) outs(%p : memref<f32>) {
  ^bb0(%in: f32, %acc: f32):
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  })";

TEST(Streaming, WhatTheKernelReadsAfterwardsDoesNotStream) {
  EXPECT_EQ(streaming(copy_of(1048576, kReadAgain)), 0);
  EXPECT_EQ(streaming(copy_of(1048576, kReadAgain), NtStores::Always), 0);
}

TEST(Streaming, WhatTheKernelReadBeforeMayStream) {
  EXPECT_EQ(streaming(R"(
    func.func @f(%x: memref<1048576xf32>, %y: memref<1048576xf32>, %o: memref<1048576xf32>) {
      memref.copy %x, %y : memref<1048576xf32> to memref<1048576xf32>
      memref.copy %o, %x : memref<1048576xf32> to memref<1048576xf32>
      return
    })"),
            2);
}

TEST(Streaming, AnUpdateInPlaceDoesNotStream) {
  EXPECT_EQ(streaming(R"(
    func.func @f(%o: memref<1048576xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          outs(%o : memref<1048576xf32>) {
      ^bb0(%old: f32):
        %n = arith.negf %old : f32
        linalg.yield %n : f32
      }
      return
    })",
                      NtStores::Always),
            0);
}

std::string row_stores(std::string_view out_map, std::string_view out_type) {
  return fmt::format(R"(
    func.func @f(%x: memref<1024x1024xf32>, %o: memref<{1}xf32>) {{
      linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ({0})>],
                      iterator_types = ["parallel", "parallel"]}}
          ins(%x : memref<1024x1024xf32>) outs(%o : memref<{1}xf32>) {{
      ^bb0(%in: f32, %old: f32):
        linalg.yield %in : f32
      }}
      return
    }})",
                     out_map, out_type);
}

TEST(Streaming, LongRowsOfALargerBufferStream) {
  EXPECT_EQ(streaming(row_stores("d0, d1", "1024x1024")), 1);
  EXPECT_EQ(streaming(row_stores("d0, d1 + 1", "1024x1030")), 1);
}

TEST(Streaming, JumpingStoresDoNot) {
  EXPECT_EQ(streaming(row_stores("d0, d1 * 2", "1024x2048"), NtStores::Always), 0);
}

TEST(Streaming, RowsThatAreWrittenAgainAndAgainDoNot) {
  EXPECT_EQ(streaming(row_stores("d1", "1024"), NtStores::Always), 0);
}

TEST(Streaming, ALoopInOrderDoesNot) {
  EXPECT_EQ(streaming(R"(
    func.func @f(%x: memref<1048576xf32>, %o: memref<1048576xf32>, %p: memref<f32>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["reduction"]}
          ins(%x : memref<1048576xf32>) outs(%p, %o : memref<f32>, memref<1048576xf32>) {
      ^bb0(%in: f32, %acc: f32, %old: f32):
        %s = arith.mulf %in, %acc : f32
        linalg.yield %s, %in : f32, f32
      }
      return
    })",
                      NtStores::Always),
            0);
}

} // namespace
} // namespace mo

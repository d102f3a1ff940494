// Pages for code are writable or executable, never both.
#include "codegen/jit_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"

namespace mo {
namespace {

// "rw-p" or the like: what the system says about the page of an address; "" where nothing is
// mapped.
std::string permissions(const void* address) {
  std::ifstream maps("/proc/self/maps");
  std::string line;
  while (std::getline(maps, line)) {
    uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string mode;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> mode;
    uintptr_t at = reinterpret_cast<uintptr_t>(address);
    if (begin <= at && at < end)
      return mode;
  }
  return "";
}

TEST(JitPages, AreWritableUntilTheyAreSealed) {
  std::optional<JitPages> pages = JitPages::map(1);
  ASSERT_TRUE(pages);
  EXPECT_EQ(pages->bytes(), JitPages::page_bytes());
  EXPECT_EQ(permissions(pages->data()), "rw-p");
  const unsigned char return_7[] = {0xB8, 7, 0, 0, 0, 0xC3};
  std::memcpy(pages->data(), return_7, sizeof return_7);
  ASSERT_TRUE(pages->seal(sizeof return_7));
  EXPECT_EQ(permissions(pages->data()), "r-xp");
  EXPECT_EQ(reinterpret_cast<int (*)()>(pages->data())(), 7);
}

TEST(JitPages, BehindTheCodeAreForReadingOnly) {
  std::optional<JitPages> pages = JitPages::map(3 * JitPages::page_bytes());
  ASSERT_TRUE(pages);
  ASSERT_TRUE(pages->seal(JitPages::page_bytes() + 1));
  EXPECT_EQ(permissions(pages->data() + JitPages::page_bytes()), "r-xp");
  EXPECT_EQ(permissions(pages->data() + 2 * JitPages::page_bytes()), "r--p");
}

TEST(JitPages, GoWithTheirOwner) {
  const void* address = nullptr;
  {
    JitPages pages = *JitPages::map(100);
    address = pages.data();
    JitPages other = std::move(pages);
    EXPECT_EQ(other.data(), address);
    EXPECT_EQ(pages.data(), nullptr);
  }
  EXPECT_EQ(permissions(address), "");
}

TEST(JitPages, AreNothingWhereTheSystemHasNoMemory) {
  EXPECT_FALSE(JitPages::map(SIZE_MAX));
  EXPECT_FALSE(JitPages::map(SIZE_MAX / 2));
  EXPECT_FALSE(JitPages::map(0));
}

TEST(JitPages, OfAKernelHoldCodeAndConstantsApart) {
  testing::KernelBuilder k;
  uint32_t list = k.constant(ElementType::I32, testing::small_numbers(ElementType::I32, 5000));
  uint32_t out = k.argument(ElementType::I32, 5000);
  k.begin_loop(5000, true);
  k.store(k.load(list, {1}), out, {1});
  k.end_loop();
  Diagnostics diagnostics;
  std::optional<CompiledKernel> compiled = compile(k.finish(), Isa::SSE42, diagnostics);
  ASSERT_TRUE(compiled);
  EXPECT_EQ(permissions(compiled->pages.data()), "r-xp");
  EXPECT_EQ(permissions(compiled->pages.data() + compiled->pages.bytes() - 1), "r--p");
  EXPECT_GE(compiled->pages.bytes(), 5000u * 4 + compiled->code_bytes);
}

} // namespace
} // namespace mo

// Debuggers and profilers are told of the code that runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/debugger.h"
#include "runtime/executable.h"
#include "tests/runtime/support.h"
#include "tests/support/process.h"

// The interface as gdb's manual states it.
extern "C" {
struct WatchedEntry {
  const WatchedEntry *next, *previous;
  const char* image;
  uint64_t image_bytes;
};
struct WatchedDescriptor {
  uint32_t version, action;
  const WatchedEntry *relevant, *first;
};
extern WatchedDescriptor __jit_debug_descriptor;
}

namespace mo {
namespace {

using namespace mo::testing;
using ::testing::MatchesRegex;

constexpr const char* kThroughATemp = R"(
    func.func @through(%x: memref<4xf32>, %y: memref<4xf32>) {
      %e = memref.alloc() : memref<4xf32>
      memref.copy %x, %e : memref<4xf32> to memref<4xf32>
      memref.copy %e, %y : memref<4xf32> to memref<4xf32>
      memref.dealloc %e : memref<4xf32>
      return
    })";

Executable compiled_for(const CodeAudience& audience) {
  Diagnostics diagnostics;
  CompileOptions options;
  options.isa = best_isa().value();
  auto executable =
      Executable::compile(parse_function(kThroughATemp), options, diagnostics, audience);
  return std::move(executable.value());
}

void expect_that_it_copies(CompiledKernel::Entry entry) {
  const float x[4] = {1, 2, 3, 4};
  float y[4] = {};
  const void* arguments[] = {x, y};
  EXPECT_EQ(entry(const_cast<void* const*>(arguments)), 0u);
  EXPECT_EQ(std::memcmp(x, y, sizeof x), 0);
}

TEST(CodeAudience, ADebuggerIsShownAnElfImage) {
  const Executable executable = compiled_for({SourceName{"f.tir", "/nowhere"}, nullptr});
  EXPECT_EQ(__jit_debug_descriptor.version, 1u);
  EXPECT_EQ(__jit_debug_descriptor.action, 1u) << "one is registered";
  const WatchedEntry* entry = __jit_debug_descriptor.relevant;
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry, __jit_debug_descriptor.first);
  EXPECT_EQ(std::string(entry->image, 4), "\177ELF");
  expect_that_it_copies(executable.kernel().entry);
}

TEST(CodeAudience, RegisteredImagesFormAListInBothDirections) {
  compiled_for({SourceName{"f.tir", "/nowhere"}, nullptr});
  const WatchedEntry* first = __jit_debug_descriptor.first;
  compiled_for({SourceName{"g.tir", "/nowhere"}, nullptr});
  const WatchedEntry* second = __jit_debug_descriptor.first;
  EXPECT_EQ(second->next, first);
  EXPECT_EQ(first->previous, second);
  EXPECT_EQ(second->previous, nullptr);
}

// A breakpoint in freed memory would stop the debugger from going on.
TEST(CodeAudience, CodeThatADebuggerKnowsStaysForGood) {
  CompiledKernel::Entry entry = nullptr;
  {
    const Executable executable = compiled_for({SourceName{"f.tir", "/nowhere"}, nullptr});
    entry = executable.kernel().entry;
  }
  expect_that_it_copies(entry);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

TEST(PerfMap, NamesEveryFunctionAndJumpByAddressAndSize) {
  auto created = PerfMap::create();
  auto& map = std::get<PerfMap>(created);
  EXPECT_EQ(map.path(), fmt::format("/tmp/perf-{}.map", getpid()));
  const Executable executable = compiled_for({std::nullopt, &map});
  const auto address = reinterpret_cast<uintptr_t>(executable.kernel().entry);
  const std::vector<std::string> lines = lines_of(map.path());
  EXPECT_THAT(lines,
              ::testing::ElementsAre(MatchesRegex(fmt::format("{:x} [0-9a-f]+ through", address)),
                                     MatchesRegex("[0-9a-f]+ 10 jump_to_malloc"),
                                     MatchesRegex("[0-9a-f]+ 10 jump_to_free")));
  std::filesystem::remove(map.path());
}

TEST(PerfMap, ReplacesWhatAnEarlierProcessLeftAndFollowsNoLink) {
  const TemporaryDirectory dir;
  write_file(dir / "precious", "kept");
  const std::string path = fmt::format("/tmp/perf-{}.map", getpid());
  std::filesystem::remove(path);
  std::filesystem::create_symlink(dir / "precious", path);
  {
    auto created = PerfMap::create();
    compiled_for({std::nullopt, &std::get<PerfMap>(created)});
  }
  EXPECT_FALSE(std::filesystem::is_symlink(path));
  EXPECT_EQ(lines_of(path).size(), 3u);
  EXPECT_EQ(read_file(dir / "precious"), "kept");
  std::filesystem::remove(path);
}

TEST(PerfMap, SaysWhereItCannotBeWritten) {
  const std::string path = fmt::format("/tmp/perf-{}.map", getpid());
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  auto created = PerfMap::create();
  std::filesystem::remove(path);
  ASSERT_TRUE(std::holds_alternative<std::string>(created));
  EXPECT_EQ(std::get<std::string>(created), "cannot write " + path + ": File exists");
}

} // namespace
} // namespace mo

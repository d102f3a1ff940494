// What is computed stays the same, to the bit.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/passes/bufferize_programs.h"
#include "tests/passes/bufferize_values.h"

namespace mo::testing {

namespace {

constexpr BufferizeMode kModes[] = {BufferizeMode::Copying, BufferizeMode::DestinationPassing};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(BufferizeValues, EveryCaseComputesTheSame) {
  const std::string folder = std::string(MO_SOURCE_DIR) + "/tests/cases/bufferize";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Function function = function_of(text_of(entry.path()));
    for (const BufferizeMode mode : kModes)
      for (uint64_t seed = 0; seed < 3; ++seed)
        EXPECT_EQ(difference_after(function, mode, seed), "") << entry.path();
  }
}

// mlir-opt 22 lets the second sum overwrite what the first destination holds.
TEST(BufferizeValues, AValueUpdatedAfterItWasDeliveredStaysDelivered) {
  const Function function = function_of(text_of(
      std::string(MO_SOURCE_DIR) + "/tests/cases/bufferize/b51_reuse_after_materialize.mlir"));
  EXPECT_EQ(difference_after(function, BufferizeMode::DestinationPassing, 1), "");
}

// The same with a shared fill and two accumulations into two destinations.
TEST(BufferizeValues, TwoSumsOfOneFillGoToTwoDestinations) {
  const Function function =
      function_of("func.func @f(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %o: memref<4x4xf32>, %p: "
                  "memref<4x4xf32>) {\n%z = arith.constant 1.0 : f32\n" +
                  empty("%e") +
                  "%g = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>\n" +
                  add_to("%a", "%x", "%g") + add_to("%b", "%w", "%g") + materialize("%a", "%o") +
                  materialize("%b", "%p") + "return\n}");
  for (const BufferizeMode mode : kModes)
    EXPECT_EQ(difference_after(function, mode, 1), "");
}

TEST(BufferizeValues, TwoDestinationsSwapped) {
  const Function function = function_of(
      "func.func @f(%o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n" + view("%s", "%o") +
      view("%t", "%p") + materialize("%s", "%p") + materialize("%t", "%o") + "return\n}");
  for (const BufferizeMode mode : kModes)
    EXPECT_EQ(difference_after(function, mode, 1), "");
}

class RandomBufferProgram : public ::testing::TestWithParam<uint64_t> {};

// Whatever the observer leaves out, too.
TEST_P(RandomBufferProgram, ComputesTheSame) {
  constexpr uint64_t kPrograms = 60;
  for (uint64_t k = 0; k < kPrograms; ++k) {
    const uint64_t seed = GetParam() * kPrograms + k;
    const std::string text = random_buffer_program(seed, "f", {});
    const Function function = function_of(text);
    for (const BufferizeMode mode : kModes)
      for (const unsigned allowed : {UINT32_MAX, 0u, 1u, 3u})
        ASSERT_EQ(difference_after(function, mode, seed, allowed), "")
            << "seed " << seed << ", " << allowed << " rewrites\n"
            << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomBufferProgram, ::testing::Range<uint64_t>(0, 4));

} // namespace

} // namespace mo::testing

// Machine code of random generics, on every instruction set.
#include <gtest/gtest.h>

#include "tests/codegen/jit_support.h"
#include "tests/codegen/loops_support.h"
#include "tests/codegen/random_generic.h"

namespace mo {
namespace {

TEST(CompileRandom, ComputesWhatTheLoopsMean) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const Function function = testing::random_generic(seed);
    if (!testing::is_valid(function)) // a loop of extent 0 may reach outside on paper
      continue;
    for (Isa isa : testing::host_isas()) {
      CompileOptions options;
      options.isa = isa;
      options.nt_stores = seed % 2 ? NtStores::Always : NtStores::Never;
      const Kernel kernel = build_loops(function, options);
      const size_t misalign = seed % 5 * 4;
      EXPECT_EQ(testing::jit_mismatch(kernel, testing::random_arguments(function, seed), isa,
                                      misalign, true),
                "")
          << "seed " << seed << "\n"
          << print(kernel);
    }
  }
}

// Without the simplification: loops of extent 0 and 1, buffers updated in every iteration.
TEST(CompileRandom, ComputesWhatUnsimplifiedLoopsMean) {
  for (uint32_t seed = 300; seed < 500; ++seed) {
    const Function function = testing::random_generic(seed);
    if (!testing::is_valid(function))
      continue;
    const Kernel kernel = lower_to_loops(function);
    EXPECT_EQ(testing::jit_mismatch(kernel, testing::random_arguments(function, seed)), "")
        << "seed " << seed << "\n"
        << print(kernel);
  }
}

} // namespace
} // namespace mo

// Instruction sets and their names.
#include "codegen/isa.h"

#include <gtest/gtest.h>

namespace mo {
namespace {

TEST(Isa, HasOneNameEach) {
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512})
    EXPECT_EQ(isa_from(spelling(isa)), isa);
  EXPECT_EQ(isa_from("avx"), std::nullopt);
  EXPECT_EQ(isa_from(""), std::nullopt);
}

TEST(Isa, DoublesItsVectorsFromOneToTheNext) {
  EXPECT_EQ(vector_bytes(Isa::SSE42), 16u);
  EXPECT_EQ(vector_bytes(Isa::AVX2), 32u);
  EXPECT_EQ(vector_bytes(Isa::AVX512), 64u);
}

TEST(Isa, OfTheHostIsTheWidestThatItSupports) {
  std::optional<Isa> best = best_host_isa();
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512})
    EXPECT_EQ(host_supports(isa), best && isa <= *best);
}

} // namespace
} // namespace mo

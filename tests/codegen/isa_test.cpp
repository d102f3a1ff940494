// Instruction sets and their names.
#include "codegen/isa.h"

#include <gmock/gmock.h>

#include <string>

#include "tests/codegen/host_isas.h"

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
  std::optional<Isa> best = best_isa();
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512})
    EXPECT_EQ(host_supports(isa), best && isa <= *best);
}

// Tests of machine code leave out what the machine cannot run; here it is said.
class EveryIsa : public ::testing::TestWithParam<Isa> {};

TEST_P(EveryIsa, IsAmongThoseThatAreTested) {
  if (!host_supports(GetParam()))
    GTEST_SKIP() << "NOT TESTED: " << spelling(GetParam());
  EXPECT_THAT(testing::host_isas(), ::testing::Contains(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(, EveryIsa, ::testing::Values(Isa::SSE42, Isa::AVX2, Isa::AVX512),
                         [](const ::testing::TestParamInfo<Isa>& isa) {
                           return isa.param == Isa::SSE42 ? "sse42"
                                                          : std::string(spelling(isa.param));
                         });

} // namespace
} // namespace mo

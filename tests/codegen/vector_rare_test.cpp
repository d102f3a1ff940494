// Lanes that the C library computes, among others that it does not.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "vector_harness.h"

using namespace mo;
using namespace mo::test;

namespace {

uint64_t bits_of(float v) {
  return std::bit_cast<uint32_t>(v);
}
uint64_t bits_of(double v) {
  return std::bit_cast<uint64_t>(v);
}

/// Beyond 2^20 the library computes, up to there vector code does.
template <class T> std::vector<T> near_and_far() {
  return {T(1), T(0x1p20), T(0x1.8p20), T(-1e10), T(0.5), T(-3e30), T(2), T(-7), T(0x1p60)};
}

template <class T> void expect_by_the_library(ScalarOp op, T (*function)(T)) {
  constexpr ElementType kType = sizeof(T) == 8 ? ElementType::F64 : ElementType::F32;
  const std::vector<T> values = near_and_far<T>();
  Operands operands(1);
  for (T v : values)
    operands[0].push_back(bits_of(v));
  for (Isa isa : host_isas())
    for (unsigned lanes : lane_counts(isa, kType, kType)) {
      SCOPED_TRACE(fmt::format("{} lanes on {}", lanes, spelling(isa)));
      // 20 values are alive meanwhile: more than the registers of AVX2, and all are checked.
      const std::vector<uint64_t> results =
          run_vector_op(isa, lanes, {op, kType, kType}, operands, 20);
      for (size_t k = 0; k < values.size(); ++k)
        if (std::fabs(values[k]) > T(0x1p20)) {
          EXPECT_EQ(results[k], bits_of(function(values[k]))) << values[k];
        }
    }
}

} // namespace

TEST(VectorRare, LanesGetTheLibrarysResultAndOthersSurviveTheCall) {
  expect_by_the_library<float>(ScalarOp::Sin, sinf);
  expect_by_the_library<float>(ScalarOp::Cos, cosf);
  expect_by_the_library<double>(ScalarOp::Sin, sin);
  expect_by_the_library<double>(ScalarOp::Cos, cos);
}

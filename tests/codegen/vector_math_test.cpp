#include "codegen/vector_math.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "codegen/vector_emitters.h"
#include "vector_building.h"

using namespace mo;
using namespace mo::test;

namespace {

template <class T>
void expect_building(const Building& building, const std::vector<T> (&in)[3],
                     const std::function<T(bool fused, T, T, T)>& expected) {
  for (Isa isa : host_isas()) {
    const std::vector<T> out = run_building(isa, building, in);
    for (size_t k = 0; k < out.size(); ++k) {
      const T want = expected(isa != Isa::SSE42, in[0][k % in[0].size()], in[1][k % in[1].size()],
                              in[2][k % in[2].size()]);
      EXPECT_TRUE(std::memcmp(&out[k], &want, sizeof(T)) == 0)
          << fmt::format("{}, lane {}: {}, expected {}", spelling(isa), k, out[k], want);
    }
  }
}

template <class T> T multiply_add(bool fused, T a, T b, T c) {
  return fused ? std::fma(a, b, c) : a * b + c;
}

template <class T> void expect_products_and_sums() {
  constexpr ElementType kType = kTypeOf<T>;
  // The squares need twice the bits, and the sums cancel the upper half.
  const T x = T(1) + std::numeric_limits<T>::epsilon();
  const std::vector<T> in[3] = {{x, T(3), T(0.1)}, {x, T(-2), T(0.3)}, {T(-1), T(6), T(-0.03)}};
  auto plus = [](VectorAsm& as, auto& a, auto& b, auto& c) { return mul_add(as, kType, a, b, c); };
  expect_building<T>(plus, in,
                     [](bool fused, T a, T b, T c) { return multiply_add(fused, a, b, c); });
  auto minus = [](VectorAsm& as, auto& a, auto& b, auto& c) {
    return neg_mul_add(as, kType, a, b, c);
  };
  expect_building<T>(minus, in,
                     [](bool fused, T a, T b, T c) { return multiply_add(fused, -a, b, c); });
  auto plus_constant = [](VectorAsm& as, auto& a, auto& b, auto&) {
    return mul_add(as, kType, a, b, as.splat_float(-1.0, kType, a));
  };
  expect_building<T>(plus_constant, in,
                     [](bool fused, T a, T b, T) { return multiply_add(fused, a, b, T(-1)); });
  auto minus_from_constant = [](VectorAsm& as, auto& a, auto& b, auto&) {
    return neg_mul_add(as, kType, a, b, as.splat_float(1.0, kType, a));
  };
  expect_building<T>(minus_from_constant, in,
                     [](bool fused, T a, T b, T) { return multiply_add(fused, -a, b, T(1)); });
  auto minus_constant_product = [](VectorAsm& as, auto& a, auto&, auto& c) {
    return neg_mul_add(as, kType, a, as.splat_float(0.75, kType, a), c);
  };
  expect_building<T>(minus_constant_product, in,
                     [](bool fused, T a, T, T c) { return multiply_add(fused, -a, T(0.75), c); });
}

template <class T> void expect_a_polynomial() {
  constexpr ElementType kType = kTypeOf<T>;
  static constexpr double kCoefficients[] = {0.1, -1.7, 0.3, 2.5};
  const std::vector<T> in[3] = {{T(0), T(0.7), T(-0.7), T(3.1)}, {T(0)}, {T(0)}};
  auto building = [](VectorAsm& as, auto& x, auto&, auto&) {
    return polynomial(as, kType, x, kCoefficients);
  };
  expect_building<T>(building, in, [](bool fused, T x, T, T) {
    T sum = T(2.5);
    for (int k = 2; k >= 0; --k)
      sum = multiply_add(fused, sum, x, static_cast<T>(kCoefficients[k]));
    return sum;
  });
}

template <class T> void expect_scaling(std::vector<T> x, std::vector<T> k) {
  constexpr ElementType kType = kTypeOf<T>;
  for (T exponent : k) {
    const std::vector<T> in[3] = {x, {exponent}, {T(0)}};
    auto building = [](VectorAsm& as, auto& a, auto& b, auto&) {
      return scale_by_power_of_two(as, kType, a, b);
    };
    expect_building<T>(building, in,
                       [](bool, T a, T b, T) { return std::ldexp(a, static_cast<int>(b)); });
  }
}

} // namespace

TEST(VectorMath, ProductsAndSumsAreRoundedOnceWhereThereIsAnInstruction) {
  expect_products_and_sums<float>();
  expect_products_and_sums<double>();
}

TEST(VectorMath, PolynomialsAreEvaluatedByHornersRule) {
  expect_a_polynomial<float>();
  expect_a_polynomial<double>();
}

TEST(VectorMath, ScalingRoundsOnceIntoTheDenormalsAndOverflows) {
  expect_scaling<float>(
      {1.0f, 0.70710677f, 1.4142135f, -1.9999999f},
      {0, 1, -1, 127, 128, 254, -125, -126, -127, -140, -148, -149, -150, -151, -252});
  expect_scaling<double>(
      {1.0, 0.70710678118654746, -1.9999999999999998, 1.1},
      {0, 1, -1, 1023, 1024, 2046, -1021, -1022, -1023, -1050, -1074, -1075, -2044});
}

TEST(VectorMath, PowersOfTwoReachEveryNormalExponent) {
  for (int k = -126; k <= 127; ++k) {
    const std::vector<float> in[3] = {{static_cast<float>(k)}, {0}, {0}};
    auto building = [](VectorAsm& as, auto& a, auto&, auto&) {
      return power_of_two(as, ElementType::F32, a);
    };
    expect_building<float>(building, in, [](bool, float a, float, float) { return std::exp2(a); });
  }
  for (int k : {-1022, -1021, -1, 0, 1, 1022, 1023}) {
    const std::vector<double> in[3] = {{static_cast<double>(k)}, {0}, {0}};
    auto building = [](VectorAsm& as, auto& a, auto&, auto&) {
      return power_of_two(as, ElementType::F64, a);
    };
    expect_building<double>(building, in,
                            [](bool, double a, double, double) { return std::exp2(a); });
  }
}

#include "codegen/vector_split.h"

#include <cmath>

#include "codegen/vector_double_double.h"
#include "vector_building.h"

using namespace mo;
using namespace mo::test;

namespace {

constexpr ElementType kF64 = ElementType::F64;

/// Both numbers of what f gives.
template <class T, class Pair>
std::pair<std::vector<T>, std::vector<T>>
run_pair(Isa isa, const std::function<Pair(VectorAsm&, const VecReg& a, const VecReg& b)>& f,
         const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<T> results[2];
  for (int k = 0; k < 2; ++k) {
    auto one = [&](VectorAsm& as, const VecReg& x, const VecReg& y, const VecReg&) {
      auto [first, second] = f(as, x, y);
      return k == 0 ? first : second;
    };
    results[k] = run_building<T>(isa, one, {a, b, a});
  }
  return {results[0], results[1]};
}

template <class T> void expect_split(const std::vector<T>& values) {
  for (Isa isa : host_isas()) {
    auto split = [](VectorAsm& as, const VecReg& x, const VecReg&) {
      return split_float(as, kTypeOf<T>, x);
    };
    const auto [exponent, r] = run_pair<T, SplitFloat>(isa, split, values, values);
    for (size_t k = 0; k < r.size(); ++k) {
      const T x = values[k % values.size()], m = 1 + r[k];
      EXPECT_EQ(std::ldexp(m, static_cast<int>(exponent[k])), x) << spelling(isa);
      EXPECT_GE(m, T(0.7071067)) << spelling(isa) << ' ' << x;
      EXPECT_LE(m, T(1.4142136)) << spelling(isa) << ' ' << x;
      EXPECT_EQ(T(m - 1), r[k]) << spelling(isa) << ' ' << x;
    }
  }
}

} // namespace

TEST(VectorSplit, GivesAPowerOfTwoAndASignificandAroundOne) {
  expect_split<float>({1.0f, 1.4142134f, 1.4142138f, 0.7071067f});
  expect_split<float>({0x1.fffffep127f, 0x1p-126f, 0x1p-149f, 0x1.7ffffep-127f});
  expect_split<float>({0.99999994f, 1.0000001f, 3.0f, 1e-40f});
  expect_split<double>({1.0, 0x1.6a09e667f3bccp0});
  expect_split<double>({0x1.6a09e667f3bcep0, 0x1.6a09e667f3bcdp-1});
  expect_split<double>({0x1.fffffffffffffp1023, 0x1p-1022});
  expect_split<double>({0x1p-1074, 0x1.8p-1040});
}

TEST(VectorSplit, OnAvx512TakesInfinitiesAndNoNegatives) {
  if (!host_supports(Isa::AVX512))
    GTEST_SKIP() << "no AVX-512";
  const double infinity = std::numeric_limits<double>::infinity();
  auto split = [](VectorAsm& as, const VecReg& x, const VecReg&) {
    return split_float(as, kF64, x);
  };
  const std::vector<double> values = {0.0, -0.0, infinity, -infinity, -1.0, std::nan("")};
  const auto [exponent, r] = run_pair<double, SplitFloat>(Isa::AVX512, split, values, values);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(exponent[k], k < 2 ? -infinity : infinity);
    EXPECT_EQ(r[k], 0);
  }
  for (int k = 3; k < 6; ++k)
    EXPECT_TRUE(std::isnan(r[k])) << values[k];
}

TEST(VectorDoubleDouble, ASumKeepsWhatTheFirstNumberLoses) {
  auto sum = [](VectorAsm& as, const VecReg& a, const VecReg& b) { return exact_sum(as, a, b); };
  const std::vector<double> a = {1.0, 0x1p60, -3.0, 0.0},
                            b = {0x1p-60, 0.1, 0x1.23456789abcdp-3, 7};
  for (Isa isa : host_isas()) {
    const auto [high, low] = run_pair<double, DoubleDouble>(isa, sum, a, b);
    for (size_t k = 0; k < high.size(); ++k) {
      const double x = a[k % 4], y = b[k % 4];
      EXPECT_EQ(high[k], x + y);
      EXPECT_EQ(low[k], y - ((x + y) - x)) << spelling(isa);
    }
  }
}

TEST(VectorDoubleDouble, AProductHasTwiceTheBits) {
  auto product = [](VectorAsm& as, const VecReg& a, const VecReg& b) {
    return exact_product(as, a, b);
  };
  const std::vector<std::pair<double, double>> factors = {
      {0.1, 0.3},
      {0x1.fffffffffffffp0, 0x1.fffffffffffffp0},
      {-0x1.0000001000001p5, 0x1.5555555555555p-9},
      {1.5, -7.0}};
  for (const auto& [x, y] : factors)
    for (Isa isa : host_isas()) {
      const auto [high, low] = run_pair<double, DoubleDouble>(isa, product, {x}, {y});
      const double exact_low = std::fma(x, y, -(x * y));
      EXPECT_EQ(high[0], x * y) << spelling(isa);
      EXPECT_NEAR(low[0], exact_low, std::abs(x * y) * 0x1p-105) << spelling(isa);
    }
}

TEST(VectorDoubleDouble, ProductsOfSumsAreRightToAHundredBits) {
  // (1 + e)^2 - 1 = 2 e + e^2 with e = 2^-60, which f64 alone has as 0.
  auto squared = [](VectorAsm& as, const VecReg& a, const VecReg& b) {
    DoubleDouble x{a, b};
    return add_to_constant(as, -1, 0, multiply(as, x, x));
  };
  for (Isa isa : host_isas()) {
    const auto [high, low] = run_pair<double, DoubleDouble>(isa, squared, {1.0}, {0x1p-60});
    EXPECT_EQ(high[0] + low[0], 0x1p-59) << spelling(isa);
  }
}

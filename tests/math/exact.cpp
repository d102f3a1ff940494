#include "tests/math/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mo::testing {

namespace {

/// From 2^53 on every float of f64 is an even integer. The sign of the base is taken off here, as
/// glibc 2.36 has infinity for powl(-infinity, -2^63).
template <class Wide> Wide power(Wide a, Wide b) {
  return std::pow(std::abs(b) >= Wide{0x1p53} ? std::abs(a) : a, b);
}

template <class Wide> Wide by_the_library(ScalarOp op, Wide a, Wide b) {
  switch (op) {
  case ScalarOp::Exp: return std::exp(a);
  case ScalarOp::Exp2: return std::exp2(a);
  case ScalarOp::ExpM1: return std::expm1(a);
  case ScalarOp::Log: return std::log(a);
  case ScalarOp::Log2: return std::log2(a);
  case ScalarOp::Log1p: return std::log1p(a);
  case ScalarOp::Tanh: return std::tanh(a);
  case ScalarOp::Erf: return std::erf(a);
  case ScalarOp::Sin: return std::sin(a);
  case ScalarOp::Cos: return std::cos(a);
  case ScalarOp::PowF: return power(a, b);
  case ScalarOp::Rsqrt: return 1 / std::sqrt(a);
  case ScalarOp::Sqrt: return std::sqrt(a);
  default: return std::numeric_limits<Wide>::quiet_NaN();
  }
}

template <class T, class Wide> double error_in_ulp(T result, Wide exact) {
  using Limits = std::numeric_limits<T>;
  constexpr double kWrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(result))
    return std::isnan(exact) && std::isnan(result) ? 0 : kWrong;
  if (std::signbit(result) != std::signbit(exact) && (result == 0 || exact == 0))
    return kWrong;
  if (exact == 0 || std::isinf(exact))
    return static_cast<Wide>(result) == exact ? 0 : kWrong;
  // Where rounding to nearest overflows: half a unit above the largest number.
  const Wide beyond = std::scalbn(Wide{1}, Limits::max_exponent);
  const Wide unit_below = std::scalbn(Wide{1}, Limits::max_exponent - Limits::digits);
  if (std::abs(exact) >= beyond - unit_below / 2 && std::isinf(result))
    return (result > 0) == (exact > 0) ? 0 : kWrong;
  const Wide value = std::isinf(result) ? std::copysign(beyond, Wide{result}) : Wide{result};
  const int exponent =
      std::clamp(std::ilogb(exact), Limits::min_exponent - 1, Limits::max_exponent - 1);
  return static_cast<double>(std::scalbn(std::abs(value - exact), Limits::digits - 1 - exponent));
}

} // namespace

double exact(ScalarOp op, double a, double b) {
  return by_the_library(op, a, b);
}
long double exact(ScalarOp op, long double a, long double b) {
  return by_the_library(op, a, b);
}

bool has_fixed_result(ScalarOp op, double a, double b) {
  const auto special = [](double v) { return v == 0 || !std::isfinite(v); };
  return special(a) || (op == ScalarOp::PowF && (special(b) || std::fabs(a) == 1));
}

double ulp_error(float result, double exact) {
  return error_in_ulp(result, exact);
}
double ulp_error(double result, long double exact) {
  return error_in_ulp(result, exact);
}

} // namespace mo::testing

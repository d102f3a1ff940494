// Where the answer of exp, exp2, expm1 and tanh is known to the bit. tests/math measures the rest.
#include <bit>
#include <cmath>
#include <limits>

#include "vector_harness.h"

using namespace mo;
using namespace mo::test;

namespace {

template <class T> struct Limits {
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T infinity = std::numeric_limits<T>::infinity();
  static constexpr T largest = std::numeric_limits<T>::max();
  static constexpr T tiny = std::numeric_limits<T>::denorm_min();
  static constexpr T denormal = std::numeric_limits<T>::min() - tiny;
};

template <class T> void expect_exactly(ScalarOp op, const std::vector<T>& values) {
  constexpr bool kWide = sizeof(T) == 8;
  constexpr ElementType kType = kWide ? ElementType::F64 : ElementType::F32;
  Operands operands(1);
  for (T v : values) {
    if constexpr (kWide)
      operands[0].push_back(std::bit_cast<uint64_t>(v));
    else
      operands[0].push_back(std::bit_cast<uint32_t>(v));
  }
  expect_as_in_the_table({op, kType, kType}, operands);
}

template <class T> void expect_special_values(T smallest_normal_exponent, T denormal_exponent) {
  using L = Limits<T>;
  const T beyond = 1000;
  expect_exactly<T>(ScalarOp::Exp,
                    {T(0), -T(0), L::tiny, -L::tiny, L::denormal, L::infinity, -L::infinity, L::nan,
                     L::largest, -L::largest, beyond, -beyond});
  expect_exactly<T>(ScalarOp::Exp2,
                    {T(0), -T(0), L::tiny, -L::denormal, T(1), T(-1), T(10),
                     smallest_normal_exponent, smallest_normal_exponent - 1, denormal_exponent,
                     denormal_exponent - 1, denormal_exponent - 2, -smallest_normal_exponent + 1,
                     -smallest_normal_exponent + 2, L::infinity, -L::infinity, L::nan, L::largest,
                     -L::largest});
  expect_exactly<T>(ScalarOp::ExpM1,
                    {T(0), -T(0), L::tiny, -L::tiny, L::denormal, -L::denormal, L::infinity,
                     -L::infinity, L::nan, L::largest, -L::largest, beyond, -beyond});
  expect_exactly<T>(ScalarOp::Tanh,
                    {T(0), -T(0), L::tiny, -L::tiny, L::denormal, -L::denormal, L::infinity,
                     -L::infinity, L::nan, L::largest, -L::largest, beyond, -beyond});
}

} // namespace

TEST(VectorMathExp, SpecialValuesAreExact) {
  expect_special_values<float>(-126, -149);
  expect_special_values<double>(-1022, -1074);
}

TEST(VectorMathExp, OverflowsAndUnderflowsWhereTheLibraryDoes) {
  // The last argument with a finite result and the first without one; likewise around zero.
  expect_exactly<float>(ScalarOp::Exp,
                        {std::nextafter(88.72284f, 89.0f), 88.73f, -103.98f, -104.0f});
  expect_exactly<double>(ScalarOp::Exp, {709.782712893384, 709.79, -745.1332191019412, -746.0});
}

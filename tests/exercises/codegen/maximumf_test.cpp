// Exercise: maximumf as vector code.
#include <bit>
#include <cmath>
#include <fmt/format.h>

#include "tests/exercises/cases.h"
#include "tests/exercises/codegen/compiled.h"

namespace mo::exercise {
namespace {

// Whole vectors on every instruction set: no tail.
constexpr size_t kElements = 64;

template <class T> constexpr ElementType element_type() {
  return sizeof(T) == 8 ? ElementType::F64 : ElementType::F32;
}

/// out[i] = maximumf(a[i], b[i])
template <class T> Kernel maximum_kernel() {
  testing::KernelBuilder builder;
  const ElementType type = element_type<T>();
  const uint32_t a = builder.argument(type, kElements), b = builder.argument(type, kElements),
                 out = builder.argument(type, kElements);
  builder.begin_loop(kElements, true);
  const Reg x = builder.load(a, {1}), y = builder.load(b, {1});
  builder.store(builder.compute(ScalarOp::MaximumF, type, {x, y}), out, {1});
  builder.end_loop();
  return builder.finish();
}

/// "-0", "1.5", "NaN"
template <class T> std::string text_of(T value) {
  return std::isnan(value) ? "NaN" : fmt::format("{}", value);
}

template <class T> struct Pair { T a, b, expected; };

/// Each pair in every lane, among others that are all different.
template <class T> void expect_maxima(const char* rule, const std::vector<Pair<T>>& table) {
  const Kernel kernel = maximum_kernel<T>();
  for (const Isa isa : testing::host_isas())
    for (const Pair<T>& c : table) {
      std::vector<T> a(kElements), b(kElements), out(kElements);
      for (size_t lane = 0; lane < kElements; ++lane) {
        a[lane] = lane % 3 == 0 ? c.a : static_cast<T>(lane);
        b[lane] = lane % 3 == 0 ? c.b : static_cast<T>(-1);
      }
      call(kernel, isa, {a.data(), b.data(), out.data()});
      for (size_t lane = 0; lane < kElements; ++lane)
        expect_case(rule,
                    fmt::format("{}, {}, lane {}: maximumf({}, {})", spelling(isa),
                                spelling(element_type<T>()), lane, text_of(a[lane]),
                                text_of(b[lane])),
                    text_of(lane % 3 == 0 ? c.expected : a[lane]), text_of(out[lane]));
    }
}

template <class T> constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
template <class T> constexpr T kInf = std::numeric_limits<T>::infinity();

template <class T> void expect_nans() {
  expect_maxima<T>("a NaN on either side gives NaN (x86's max gives its second operand instead)",
                   {
                       {kNaN<T>, 1, kNaN<T>},
                       {1, kNaN<T>, kNaN<T>},
                       {kNaN<T>, kNaN<T>, kNaN<T>},
                       {-kInf<T>, kNaN<T>, kNaN<T>},
                       {kNaN<T>, kInf<T>, kNaN<T>},
                       {1, 2, 2},
                       {-1, -2, -1},
                   });
}

template <class T> void expect_zeros() {
  expect_maxima<T>(
      "-0 is below +0 (x86's max takes them for equal, and gives its second operand)",
      {
          {T{0}, -T{0}, T{0}},
          {-T{0}, T{0}, T{0}},
          {-T{0}, -T{0}, -T{0}},
          {-T{0}, -1, -T{0}},
          {std::numeric_limits<T>::denorm_min(), T{0}, std::numeric_limits<T>::denorm_min()},
          {-kInf<T>, kInf<T>, kInf<T>},
      });
}

TEST(Maximumf, ANaNOnEitherSideGivesNaN) {
  expect_nans<float>();
}

TEST(Maximumf, MinusZeroIsBelowPlusZero) {
  expect_zeros<float>();
}

TEST(Maximumf, TheSameHoldsForDoubles) {
  expect_nans<double>();
  expect_zeros<double>();
}

} // namespace
} // namespace mo::exercise

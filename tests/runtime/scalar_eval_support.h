// What the tests of scalar ops are written with.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include <gtest/gtest.h>

#include "runtime/scalar_eval.h"
#include "tests/runtime/support.h"

namespace mo::testing {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kDenormal = 0x1p-149F;
constexpr int32_t kMin32 = INT32_MIN;
constexpr int64_t kMin64 = INT64_MIN;

template <class T> T same_type(ScalarOp op, std::initializer_list<T> operands) {
  uint64_t bits[3] = {};
  size_t n = 0;
  for (T operand : operands)
    bits[n++] = to_bits(operand);
  return from_bits<T>(eval_scalar(op, 0, element_of<T>(), element_of<T>(), bits));
}

template <class To, class From> To cast(ScalarOp op, From a) {
  const uint64_t bits = to_bits(a);
  return from_bits<To>(eval_scalar(op, 0, element_of<From>(), element_of<To>(), &bits));
}

inline bool ask(CmpFPredicate p, float a, float b) {
  const uint64_t bits[] = {to_bits(a), to_bits(b)};
  return eval_scalar(ScalarOp::CmpF, static_cast<uint8_t>(p), ElementType::F32, ElementType::I1,
                     bits) == 1;
}

template <class T> bool ask(CmpIPredicate p, T a, T b) {
  const uint64_t bits[] = {to_bits(a), to_bits(b)};
  return eval_scalar(ScalarOp::CmpI, static_cast<uint8_t>(p), element_of<T>(), ElementType::I1,
                     bits) == 1;
}

/// Both the same bits, or both NaN.
inline void expect_same(float actual, float expected) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(actual)) << actual;
  else
    EXPECT_EQ(to_bits(actual), to_bits(expected)) << actual << " where " << expected << " is right";
}

struct FloatCase {
  ScalarOp op;
  std::initializer_list<float> operands;
  float expected;
};

inline void check(std::initializer_list<FloatCase> cases) {
  for (const FloatCase& c : cases) {
    SCOPED_TRACE(info(c.op).spelling);
    expect_same(same_type(c.op, c.operands), c.expected);
  }
}

} // namespace mo::testing

// Measures how far compiled math functions are from the exact ones.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tests/math/inputs.h"
#include "tests/math/math_kernel.h"

namespace mo::testing {

/// The largest error, and the first input at which it was met. Infinite where a special value is
/// not as it should be, see ulp_error.
struct Accuracy {
  double max_ulp = 0;
  std::array<uint64_t, 2> at = {}; // the operands' bits
  uint64_t got = 0;                // the result's bits
};

/// Elements of the kernels that measure runs.
inline constexpr int64_t kMeasuredElements = 1 << 14;

/// Runs each kernel (of one op and type, e.g. for several ISAs) on all inputs, with all cores, and
/// compares with one evaluation of `exact`. `done` counts the inputs seen so far.
std::vector<Accuracy> measure(const MathOp& op, ElementType type,
                              std::span<const MathKernel> kernels, const MathInputs& inputs,
                              std::atomic<uint64_t>& done);

/// "0x1.8p+1 (3)": of the operands' bits.
std::string describe_value(ElementType type, uint64_t bits);
std::string describe_operands(const MathOp& op, ElementType type,
                              const std::array<uint64_t, 2>& bits);

} // namespace mo::testing

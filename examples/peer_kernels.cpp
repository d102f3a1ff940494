#include "examples/peer_kernels.h"

#include <algorithm>

namespace mo {
namespace {
using enum Extent;

// An exp or tanh of up to 4 ulps on either side, and the roundings of what is computed with it.
constexpr double kMath = 16;

// One after the other, the terms of a sum round it once each, by up to half an ulp; two orders
// differ by twice that, at the most. For 16 M terms that bound says nothing: the sum is then so
// large that each term is rounded to a unit of it, and the peer, who adds them in order, has two or
// three digits.
constexpr double kLongestSum = 1e-2;

} // namespace

const std::vector<PeerKernel>& peer_kernels() {
  static const std::vector<PeerKernel> kernels = {
      {"fusion", {Flat, Flat}, 2, 0, One, 0, 1.3, 1.1},
      {"residual_add", {Flat, Flat, Flat}, 0, 0, One, 0, 1.3, 1.1},
      {"silu", {Flat, Flat}, 0, kMath, One, 0, 1.9, 1.4},
      {"bias_gelu", {Square, Side, Square}, 0, kMath, One, 1, 35, 2.4},
      {"softmax", {Square, Square}, 0, kMath, Side, 0, 5, 4},
      {"layernorm", {Square, Side, Side, Square}, 0, kMath, Side, 1, {}, {}},
      {"rmsnorm", {Square, Side, Square}, 0, kMath, Side, 0, 4, 1.8},
      {"relu_sum", {Flat, One}, 2, 0, Flat, 0, 5, 1.1},
      {"col_sumsq", {Square, Side}, 0, 0, Side, 0, 1.1, 1.1},
      {"transpose_add", {Square, Square, Square}, 0, 0, One, 0, 20, 1.6},
  };
  return kernels;
}

double tolerance(const PeerKernel& kernel, size_t side) {
  const double terms = static_cast<double>(elements(kernel.summed, side) - 1);
  return kernel.roundings * 0x1p-24 + std::min(terms * 0x1p-24, kLongestSum);
}

size_t rank(Extent extent) {
  return extent == One ? 0 : extent == Square ? 2 : 1;
}

size_t elements(Extent extent, size_t side) {
  switch (extent) {
  case One: return 1;
  case Side: return side;
  case Flat:
  case Square: break;
  }
  return side * side;
}

size_t useful_bytes(const PeerKernel& kernel, size_t side) {
  size_t floats = 0;
  for (const Extent extent : kernel.buffers)
    floats += elements(extent, side);
  return floats * sizeof(float);
}

} // namespace mo

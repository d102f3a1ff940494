// The kernels of compare_peers: their arguments, how exactly two compilers have to agree on them,
// and the ratios they are judged by.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace mo {

/// Sizes in floats, for matrices of side x side.
enum class Extent {
  One,    // memref<f32>
  Side,   // memref<4096xf32>
  Flat,   // memref<16777216xf32>
  Square, // memref<4096x4096xf32>
};

struct PeerKernel {
  std::string_view name;       // of the function, and of examples/NAME.tir
  std::vector<Extent> buffers; // in the order of the arguments; the last one is the output
  size_t scalars = 0;          // f32 arguments behind them
  double roundings = 0;        // ulps that a result may be off, apart from sums; 0: none
  Extent summed = Extent::One; // how many terms a sum of it has, each rounded
  double scale = 0; // what errors are relative to where a result is smaller: terms that cancel
  /// What the time of the peer over ours has to reach, and what ours over the limit may be.
  std::optional<double> peer_over_ours, ours_over_limit;
};

const std::vector<PeerKernel>& peer_kernels();

/// Two results a, b agree if |a - b| <= tolerance * max(|a|, |b|, scale); 0 asks for the same bits.
double tolerance(const PeerKernel& kernel, size_t side);

size_t rank(Extent extent);
size_t elements(Extent extent, size_t side);

/// Inputs read once and the output written once: what has to pass through memory.
size_t useful_bytes(const PeerKernel& kernel, size_t side);

} // namespace mo

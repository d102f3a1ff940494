// The end of a vectorised reduction: the lanes' partial results become one.
#include <bit>
#include <limits>

#include "codegen/vector_ops.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

uint64_t float_bits(double value, ElementType type) {
  if (type == ElementType::F64)
    return std::bit_cast<uint64_t>(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

/// Lanes from the middle on, moved to the front. `bytes` is what the lanes take up together.
x86::Vec upper_half(x86::Compiler& cc, Isa isa, const x86::Vec& v, unsigned bytes) {
  constexpr int kHighHalf = 0xee, kWord1 = 0x55;
  const bool sse = isa == Isa::SSE42;
  x86::Vec result = bytes == 64 ? x86::Vec(cc.newYmm("upper")) : x86::Vec(cc.newXmm("upper"));
  if (bytes == 64)
    cc.emit(I::kIdVextracti64x4, result, v, imm(1));
  else if (bytes == 32)
    cc.emit(isa == Isa::AVX512 ? I::kIdVextracti32x4 : I::kIdVextractf128, result, v, imm(1));
  else
    cc.emit(sse ? I::kIdPshufd : I::kIdVpshufd, result, v, imm(bytes == 16 ? kHighHalf : kWord1));
  return result;
}

} // namespace

Vec VectorOps::reduce_lanes(ScalarOp combine, const Vec& v) {
  Vec partial = v;
  const unsigned width = byte_size(v.type) == 8 ? 8 : 4;
  Compute op;
  op.op = combine;
  for (unsigned n = lanes_; n > 1; n /= 2) {
    VectorOps half(cc_, isa_, n / 2);
    const unsigned bytes = n * width;
    Vec upper{upper_half(cc_, isa_, partial.reg, bytes), v.type};
    Vec lower{bytes == 64 ? x86::Vec(partial.reg.ymm()) : x86::Vec(partial.reg.xmm()), v.type};
    partial = half.emit(op, {lower, upper}, v.type);
  }
  return partial;
}

std::optional<uint64_t> VectorOps::neutral_element(ScalarOp combine, ElementType type) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const uint64_t all_ones = type == ElementType::I1 ? 1 : ~uint64_t{0} >> (64 - bit_width(type));
  const uint64_t sign = uint64_t{1} << (bit_width(type) - 1);
  switch (combine) {
  case ScalarOp::AddF: return float_bits(-0.0, type);
  case ScalarOp::MulF: return float_bits(1.0, type);
  case ScalarOp::MaximumF: return float_bits(-kInfinity, type);
  case ScalarOp::MinimumF: return float_bits(kInfinity, type);
  case ScalarOp::MaxNumF:
  case ScalarOp::MinNumF: return float_bits(std::numeric_limits<double>::quiet_NaN(), type);
  case ScalarOp::AddI:
  case ScalarOp::OrI:
  case ScalarOp::XOrI:
  case ScalarOp::MaxUI: return 0;
  case ScalarOp::MulI: return 1;
  case ScalarOp::AndI:
  case ScalarOp::MinUI: return all_ones;
  case ScalarOp::MaxSI: return sign;
  case ScalarOp::MinSI: return all_ones ^ sign;
  default: return std::nullopt;
  }
}

} // namespace mo

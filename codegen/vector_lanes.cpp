// Working on a part of the lanes: halves of a register, and one lane after the other.
#include "codegen/vector_asm.h"

#include <algorithm>
#include <bit>

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

VecReg VectorAsm::low_lanes(const VecReg& a) {
  // A view: `half` only reads it.
  return lanes / 2 * 4 > 16 ? VecReg(a.ymm()) : VecReg(a.xmm());
}

VecReg VectorAsm::high_lanes(const VecReg& a) {
  constexpr int kUpperHalf = 0xee;
  VecReg result = new_reg(cc, a.size() / 2);
  if (a.size() == 16)
    cc.emit(sse() ? I::kIdPshufd : I::kIdVpshufd, result, a, imm(kUpperHalf));
  else if (a.size() == 64)
    cc.emit(I::kIdVextracti64x4, result, a, imm(1));
  else
    cc.emit(avx512() ? I::kIdVextracti32x4 : I::kIdVextractf128, result, a, imm(1));
  return result;
}

VecReg VectorAsm::join_lanes(const VecReg& low, const VecReg& high) {
  VecReg result = reg32();
  if (result.size() == 16) {
    if (sse()) {
      move(result, low);
      cc.emit(I::kIdPunpcklqdq, result, high);
    } else {
      cc.emit(I::kIdVpunpcklqdq, result, low, high);
    }
  } else if (result.size() == 64) {
    cc.emit(I::kIdVinserti64x4, result, low.zmm(), high, imm(1));
  } else {
    cc.emit(avx512() ? I::kIdVinserti32x4 : I::kIdVinsertf128, result, low.ymm(), high, imm(1));
  }
  return result;
}

VecReg VectorAsm::in_halves(const std::vector<VecReg>& in, const Halved& f) {
  if (lanes * 8 <= vector_bytes(isa))
    return f(*this, in.data());
  VectorAsm half(cc, isa, lanes / 2, scratch_);
  std::vector<VecReg> low, high;
  for (const VecReg& v : in) {
    low.push_back(low_lanes(v));
    high.push_back(high_lanes(v));
  }
  VecReg low_result = f(half, low.data());
  VecReg high_result = f(half, high.data());
  return join_lanes(low_result, high_result);
}

x86::Mem VectorAsm::slot(size_t index) {
  while (scratch_.size() <= index)
    scratch_.push_back(
        cc.newStack(std::min(vector_bytes(isa), std::max(16u, lanes * 8)), 16, "lanes"));
  return scratch_[index];
}

VecReg VectorAsm::for_each_lane(const std::vector<VecReg>& in, unsigned lane_bytes,
                                const LaneBody& body) {
  const InstId move_unaligned = sse() ? I::kIdMovups : I::kIdVmovups;
  x86::Gp lane = cc.newIntPtr("lane");
  // The address of this lane's element in a slot.
  auto element = [&](size_t index) {
    x86::Mem m = slot(index);
    m.setIndex(lane, static_cast<uint32_t>(std::countr_zero(lane_bytes)));
    m.setSize(lane_bytes);
    return m;
  };
  std::vector<x86::Mem> elements;
  for (size_t k = 0; k < in.size(); ++k) {
    cc.emit(move_unaligned, slot(k), in[k]);
    elements.push_back(element(k));
  }
  Label next = cc.newLabel();
  cc.xor_(lane.r32(), lane.r32());
  cc.bind(next);
  body(elements, element(0)); // the result takes the place of the first operand
  cc.inc(lane);
  cc.cmp(lane, static_cast<int>(lanes));
  cc.jb(next);
  VecReg result = same_size(in[0]);
  cc.emit(move_unaligned, result, slot(0));
  return result;
}

} // namespace mo

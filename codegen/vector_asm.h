// What the emitters of scalar ops are written in: operations on whole vector registers that choose
// the encoding for the instruction set. Operands are never overwritten; every result is a new
// register.
//
// Masks are full lanes, all zeros or all ones, on every instruction set.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "codegen/isa.h"
#include "codegen/kernel_compiler.h"
#include "codegen/vector_insts.h"
#include "ir/scalar_op.h"

namespace mo {

using VecReg = asmjit::x86::Vec; // xmm, ymm or zmm

/// One scalar op being emitted: the operands' registers and the types on both sides.
struct EmitCall {
  const VecReg* in = nullptr; // as many as the op's arity
  uint8_t predicate = 0;
  ElementType from = ElementType::F32; // of the operands; of the last one for Select
  ElementType to = ElementType::F32;   // of the result
};

class VectorAsm {
public:
  /// `scratch`: stack slots that are reused for every call, see for_each_lane.
  VectorAsm(KernelCompiler& compiler, Isa target, unsigned num_lanes,
            std::vector<asmjit::x86::Mem>& scratch)
      : cc(compiler), isa(target), lanes(num_lanes), scratch_(scratch) {}

  KernelCompiler& cc;
  const Isa isa;
  const unsigned lanes;

  bool sse() const { return isa == Isa::SSE42; }
  bool avx512() const { return isa == Isa::AVX512; }

  // Registers. reg32 holds one 32-bit lane for each of `lanes`, reg64 one 64-bit lane.
  static VecReg new_reg(asmjit::x86::Compiler& compiler, unsigned bytes, const char* name = "v");
  VecReg reg32() { return new_reg(cc, lanes * 4); }
  VecReg reg64() { return new_reg(cc, lanes * 8); }
  VecReg reg_of(ElementType type) { return byte_size(type) == 8 ? reg64() : reg32(); }
  VecReg same_size(const VecReg& v) { return new_reg(cc, v.size()); }
  void move(const VecReg& dst, const VecReg& src);
  VecReg copy(const VecReg& v);

  // One instruction. b may be a constant in memory.
  void into(const VecReg& dst, InstPair inst, const VecReg& a); // dst of another width: conversions
  VecReg unary(InstPair inst, const VecReg& a);
  VecReg unary(InstPair inst, const VecReg& a, int immediate);
  VecReg binary(InstPair inst, const VecReg& a, const asmjit::Operand& b);
  VecReg binary(InstPair inst, const VecReg& a, const asmjit::Operand& b, int immediate);
  VecReg shift(InstPair inst, const VecReg& a, int count); // by an immediate

  // Constants in every lane of a register as wide as `like`: in memory, or in a register that is
  // not to be written to.
  asmjit::Operand splat32(uint32_t bits, const VecReg& like);
  asmjit::Operand splat64(uint64_t bits, const VecReg& like);
  asmjit::Operand splat(uint64_t bits, ElementType type, const VecReg& like);
  asmjit::Operand splat_float(double value, ElementType type, const VecReg& like);
  VecReg zero(const VecReg& like);
  VecReg load(const asmjit::Operand& constant, const VecReg& like); // also from a register

  VecReg bit_and(const VecReg& a, const asmjit::Operand& b) { return binary(inst::bit_and, a, b); }
  VecReg bit_or(const VecReg& a, const asmjit::Operand& b) { return binary(inst::bit_or, a, b); }
  VecReg bit_xor(const VecReg& a, const asmjit::Operand& b) { return binary(inst::bit_xor, a, b); }
  VecReg and_not(const VecReg& not_a, const asmjit::Operand& b) {
    return binary(inst::bit_and_not, not_a, b); // ~not_a & b
  }
  VecReg bit_not(const VecReg& a) { return bit_xor(a, splat32(0xffffffffu, a)); }

  /// mask ? a : b, lane by lane.
  VecReg blend(const VecReg& mask, const VecReg& a, const VecReg& b);

  // Compares; the mask has 32-bit lanes or lanes as wide as the operands'.
  enum class MaskLanes : uint8_t { AsOperands, Narrow };
  VecReg compare(CmpFPredicate predicate, ElementType type, const VecReg& a,
                 const asmjit::Operand& b, MaskLanes mask = MaskLanes::AsOperands);
  VecReg compare(CmpIPredicate predicate, unsigned bytes, const VecReg& a, const VecReg& b,
                 MaskLanes mask = MaskLanes::AsOperands);
  /// AVX-512 only: bit k of the mask register is set where the compare holds in lane k.
  asmjit::x86::KReg compare_k(CmpFPredicate predicate, ElementType type, const VecReg& a,
                              const asmjit::Operand& b);
  VecReg is_nan(ElementType type, const VecReg& a) {
    return compare(CmpFPredicate::UNO, type, a, a);
  }

  /// Integer lanes of 4 or 8 bytes.
  VecReg add_int(unsigned bytes, const VecReg& a, const asmjit::Operand& b);
  VecReg sub_int(unsigned bytes, const VecReg& a, const asmjit::Operand& b);
  VecReg mul_int(unsigned bytes, const VecReg& a, const VecReg& b);
  /// All ones where the lane is negative.
  VecReg sign_mask(unsigned bytes, const VecReg& a);

  // Between 32-bit and 64-bit lanes.
  VecReg sign_extend(const VecReg& a);
  VecReg zero_extend(const VecReg& a);
  VecReg low_words(const VecReg& a); // the low 32 bits of each 64-bit lane

  /// Where 64-bit lanes are needed on the way from 32-bit lanes to 32-bit lanes, a full register
  /// needs two: `f` runs on each half of the lanes, or once if all of them fit.
  using Halved = std::function<VecReg(VectorAsm& half, const VecReg* in)>;
  VecReg in_halves(const std::vector<VecReg>& in, const Halved& f);

  /// Scalar code, one lane after the other, in a loop of its own: the operands are stored to the
  /// stack, `body` gets the address of each one's lane and of the result's.
  using LaneBody =
      std::function<void(const std::vector<asmjit::x86::Mem>& in, const asmjit::x86::Mem& out)>;
  VecReg for_each_lane(const std::vector<VecReg>& in, unsigned lane_bytes, const LaneBody& body);

private:
  VecReg low_lanes(const VecReg& a);
  VecReg high_lanes(const VecReg& a);
  VecReg join_lanes(const VecReg& low, const VecReg& high);
  asmjit::x86::Mem slot(size_t index);
  VecReg mask_from_k(const asmjit::x86::KReg& k, unsigned bytes);

  std::vector<asmjit::x86::Mem>& scratch_;
};

constexpr InstPair pick(const FloatInst& inst, ElementType type) {
  return type == ElementType::F64 ? inst.f64 : inst.f32;
}

} // namespace mo

// Bytes between memory and vector registers, for what moves elements.
#pragma once

#include <asmjit/x86.h>

#include <optional>

#include "codegen/vector_ops.h"

namespace mo {

/// The lanes that take part, one bit each; AVX-512 only.
using LaneMask = std::optional<asmjit::x86::KReg>;

/// Bytes that the register of such a value spans: 16, 32 or 64.
unsigned register_bytes(unsigned lanes, ElementType type);
/// The register seen as wide as so many bytes need.
asmjit::x86::Vec sized(const asmjit::x86::Vec& reg, unsigned bytes);
asmjit::x86::Vec new_register(asmjit::x86::Compiler& cc, unsigned bytes); // 16, 32 or 64
asmjit::x86::Mem with_size(asmjit::x86::Mem mem, unsigned bytes);

/// Emits an instruction by its legacy or its VEX name, which take the same operands.
struct TwoEncodings {
  asmjit::x86::Compiler& cc;
  bool vex;
  explicit TwoEncodings(VectorOps& ops) : cc(ops.cc()), vex(ops.isa() != Isa::SSE42) {}

  template <class... Operands>
  void operator()(asmjit::InstId legacy, asmjit::InstId with_vex, const Operands&... operands) {
    cc.emit(vex ? with_vex : legacy, operands...);
  }
  // dst = f(dst, src...): VEX names the first source too.
  template <class... Operands>
  void in_place(asmjit::InstId legacy, asmjit::InstId with_vex, const asmjit::x86::Xmm& dst,
                const Operands&... sources) {
    if (vex)
      cc.emit(with_vex, dst, dst, sources...);
    else
      cc.emit(legacy, dst, sources...);
  }
};

/// `bytes` bytes at `from` into the low end of a register; what is above them becomes 0 up to 16
/// bytes.
void load_bytes(VectorOps& ops, const asmjit::x86::Vec& dst, const asmjit::x86::Mem& from,
                unsigned bytes);
void store_bytes(VectorOps& ops, const asmjit::x86::Vec& src, const asmjit::x86::Mem& to,
                 unsigned bytes);

/// Bytes 0 or 1, in memory or in the low end of a register, to one mask per lane.
Vec mask_from_bytes(VectorOps& ops, const asmjit::Operand& bytes, const LaneMask& mask);
/// The same from numbers 0 or 1 of 32 bits a lane, in a register that may be overwritten.
Vec mask_from_words(VectorOps& ops, const asmjit::x86::Vec& words);
/// One mask per lane to bytes 0 or 1 in the low end of an xmm register.
asmjit::x86::Xmm bytes_from_mask(VectorOps& ops, const Vec& v);

} // namespace mo

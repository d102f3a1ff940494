#include "codegen/emit_bytes.h"

#include <algorithm>
#include <array>
#include <span>

namespace mo {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

unsigned register_bytes(unsigned lanes, ElementType type) {
  unsigned lane_bytes = std::max(byte_size(type), 4u);
  return std::max(16u, lanes * lane_bytes);
}

x86::Vec sized(const x86::Vec& reg, unsigned bytes) {
  if (bytes <= 16)
    return reg.xmm();
  return bytes == 32 ? x86::Vec(reg.ymm()) : x86::Vec(reg.zmm());
}

x86::Vec new_register(x86::Compiler& cc, unsigned bytes) {
  if (bytes == 16)
    return cc.newXmm("part");
  return bytes == 32 ? x86::Vec(cc.newYmm("part")) : x86::Vec(cc.newZmm("part"));
}

x86::Mem with_size(x86::Mem mem, unsigned bytes) {
  mem.setSize(bytes);
  return mem;
}

void load_bytes(VectorOps& ops, const x86::Vec& dst, const x86::Mem& from, unsigned bytes) {
  x86::Compiler& cc = ops.cc();
  TwoEncodings emit(ops);
  x86::Mem mem = with_size(from, bytes);
  if (bytes >= 16) {
    emit(Inst::kIdMovups, Inst::kIdVmovups, sized(dst, bytes), mem);
  } else if (bytes == 8) {
    emit(Inst::kIdMovsd, Inst::kIdVmovsd, dst.xmm(), mem);
  } else if (bytes == 4) {
    emit(Inst::kIdMovss, Inst::kIdVmovss, dst.xmm(), mem);
  } else {
    x86::Gp bits = cc.newUInt32("bytes");
    cc.movzx(bits, mem);
    emit(Inst::kIdMovd, Inst::kIdVmovd, dst.xmm(), bits);
  }
}

void store_bytes(VectorOps& ops, const x86::Vec& src, const x86::Mem& to, unsigned bytes) {
  TwoEncodings emit(ops);
  x86::Mem mem = with_size(to, bytes);
  if (bytes >= 16)
    emit(Inst::kIdMovups, Inst::kIdVmovups, mem, sized(src, bytes));
  else if (bytes == 8)
    emit(Inst::kIdMovsd, Inst::kIdVmovsd, mem, src.xmm());
  else if (bytes == 4)
    emit(Inst::kIdMovss, Inst::kIdVmovss, mem, src.xmm());
  else if (bytes == 2)
    emit(Inst::kIdPextrw, Inst::kIdVpextrw, mem, src.xmm(), 0);
  else
    emit(Inst::kIdPextrb, Inst::kIdVpextrb, mem, src.xmm(), 0);
}

Vec mask_from_bytes(VectorOps& ops, const asmjit::Operand& bytes, const LaneMask& mask) {
  x86::Compiler& cc = ops.cc();
  TwoEncodings emit(ops);
  x86::Vec extended = ops.new_vec(ElementType::I1, "ones").reg;
  if (mask)
    cc.k(*mask).z().emit(Inst::kIdVpmovzxbd, extended, bytes);
  else
    emit(Inst::kIdPmovzxbd, Inst::kIdVpmovzxbd, extended, bytes);
  return mask_from_words(ops, extended);
}

// word > 0; with AVX-512, where comparing gives bits, 0 - word
Vec mask_from_words(VectorOps& ops, const x86::Vec& words) {
  KernelCompiler& cc = ops.cc();
  if (ops.isa() == Isa::SSE42) {
    cc.pcmpgtd(words.xmm(), cc.splat_constant(0, 16));
    return Vec{words, ElementType::I1};
  }
  Vec result = ops.new_vec(ElementType::I1, "mask");
  if (ops.isa() == Isa::AVX2) {
    cc.emit(Inst::kIdVpcmpgtd, result.reg, words, cc.held_constant(0, words.size()));
  } else {
    asmjit::InstId clear = result.reg.isZmm() ? Inst::kIdVpxord : Inst::kIdVpxor;
    cc.emit(clear, result.reg, result.reg, result.reg);
    cc.vpsubd(result.reg, result.reg, words);
  }
  return result;
}

x86::Xmm bytes_from_mask(VectorOps& ops, const Vec& v) {
  KernelCompiler& cc = ops.cc();
  TwoEncodings emit(ops);
  x86::Xmm words = cc.newXmm("words");
  if (ops.lanes() == 16) { // AVX-512
    x86::Vec ones = ops.new_vec(ElementType::I1, "ones").reg;
    cc.vpabsd(ones, v.reg);
    cc.vpmovdb(words, ones);
    return words;
  }
  if (register_bytes(ops.lanes(), v.type) == 32) {
    cc.vextracti128(words, v.reg.ymm(), 1);
    cc.vpackssdw(words, v.reg.xmm(), words);
    cc.vpacksswb(words, words, words);
    cc.vpabsb(words, words); // -1 to 1
    return words;
  }
  // -1 to 1, and the lowest byte of each word
  constexpr std::array<uint8_t, 16> kLowest = {0, 4, 8, 12};
  emit(Inst::kIdPabsd, Inst::kIdVpabsd, words, v.reg.xmm());
  emit.in_place(Inst::kIdPshufb, Inst::kIdVpshufb, words,
                cc.held_constant(std::as_bytes(std::span(kLowest))));
  return words;
}

} // namespace mo

#include "codegen/emit_memory.h"

#include <algorithm>
#include <vector>

namespace mo {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

namespace {

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

// Emits an instruction by its legacy or its VEX name, which take the same operands.
struct TwoEncodings {
  x86::Compiler& cc;
  bool vex;
  explicit TwoEncodings(VectorOps& ops) : cc(ops.cc()), vex(ops.isa() != Isa::SSE42) {}

  template <class... Operands>
  void operator()(asmjit::InstId legacy, asmjit::InstId with_vex, const Operands&... operands) {
    cc.emit(vex ? with_vex : legacy, operands...);
  }
  // dst = f(dst, src...): VEX names the first source too.
  template <class... Operands>
  void in_place(asmjit::InstId legacy, asmjit::InstId with_vex, const x86::Xmm& dst,
                const Operands&... sources) {
    if (vex)
      cc.emit(with_vex, dst, dst, sources...);
    else
      cc.emit(legacy, dst, sources...);
  }
};

// `bytes` bytes at `from` into the low end of a register; what is above them becomes 0 up to 16
// bytes.
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

// Bytes 0 or 1 in the low end of `bytes` to one mask per lane: 0 - zero_extended(byte).
Vec mask_from_bytes(VectorOps& ops, const asmjit::Operand& bytes, const LaneMask& mask) {
  x86::Compiler& cc = ops.cc();
  TwoEncodings emit(ops);
  Vec result = ops.new_vec(ElementType::I1, "mask");
  x86::Vec extended = ops.new_vec(ElementType::I1, "ones").reg;
  if (mask)
    cc.k(*mask).z().emit(Inst::kIdVpmovzxbd, extended, bytes);
  else
    emit(Inst::kIdPmovzxbd, Inst::kIdVpmovzxbd, extended, bytes);
  if (emit.vex) {
    asmjit::InstId clear = result.reg.isZmm() ? Inst::kIdVpxord : Inst::kIdVpxor;
    cc.emit(clear, result.reg, result.reg, result.reg);
    cc.vpsubd(result.reg, result.reg, extended);
  } else {
    cc.pxor(result.reg.xmm(), result.reg.xmm());
    cc.psubd(result.reg.xmm(), extended.xmm());
  }
  return result;
}

// One mask per lane to bytes 0 or 1 in the low end of an xmm register; up to 8 lanes.
x86::Xmm bytes_from_mask(VectorOps& ops, const Vec& v) {
  x86::Compiler& cc = ops.cc();
  TwoEncodings emit(ops);
  x86::Xmm words = cc.newXmm("words");
  if (register_bytes(ops.lanes(), v.type) == 32) {
    cc.vextracti128(words, v.reg.ymm(), 1);
    cc.vpackssdw(words, v.reg.xmm(), words);
  } else {
    emit(Inst::kIdMovaps, Inst::kIdVmovaps, words, v.reg.xmm());
    emit.in_place(Inst::kIdPackssdw, Inst::kIdVpackssdw, words, words);
  }
  emit.in_place(Inst::kIdPacksswb, Inst::kIdVpacksswb, words, words);
  emit(Inst::kIdPabsb, Inst::kIdVpabsb, words, words); // -1 to 1
  return words;
}

// AVX-512 narrows and masks in one instruction.
void store_mask_avx512(VectorOps& ops, const Vec& v, const x86::Mem& to, const LaneMask& mask) {
  x86::Compiler& cc = ops.cc();
  x86::Vec ones = ops.new_vec(ElementType::I1, "ones").reg;
  cc.vpabsd(ones, v.reg);
  x86::Mem mem = with_size(to, ops.lanes());
  if (mask)
    cc.k(*mask).vpmovdb(mem, ones);
  else
    cc.vpmovdb(mem, ones);
}

// Lane `lane` (0 to 3, or 0 to 1 for 64 bits) of an xmm register from memory.
void insert_lane(VectorOps& ops, const x86::Xmm& dst, const x86::Mem& from, unsigned lane,
                 unsigned bytes) {
  TwoEncodings emit(ops);
  x86::Mem mem = with_size(from, bytes);
  if (lane == 0)
    load_bytes(ops, dst, mem, bytes);
  else if (bytes == 4)
    emit.in_place(Inst::kIdInsertps, Inst::kIdVinsertps, dst, mem, asmjit::imm(lane << 4));
  else
    emit.in_place(Inst::kIdMovhps, Inst::kIdVmovhps, dst, mem);
}

void extract_lane(VectorOps& ops, const x86::Xmm& src, const x86::Mem& to, unsigned lane,
                  unsigned bytes) {
  TwoEncodings emit(ops);
  x86::Mem mem = with_size(to, bytes);
  if (lane == 0)
    store_bytes(ops, src, mem, bytes);
  else if (bytes == 4)
    emit(Inst::kIdExtractps, Inst::kIdVextractps, mem, src, asmjit::imm(lane));
  else
    emit(Inst::kIdMovhps, Inst::kIdVmovhps, mem, src);
}

// Lanes 4g to 4g+3 (2g to 2g+1 for 64 bits) as an xmm register.
x86::Xmm quarter(VectorOps& ops, const Vec& v, unsigned g) {
  x86::Compiler& cc = ops.cc();
  if (g == 0)
    return v.reg.xmm();
  x86::Xmm part = cc.newXmm("part");
  if (v.reg.isZmm())
    cc.vextractf32x4(part, v.reg.zmm(), g);
  else
    cc.vextractf128(part, v.reg.ymm(), g);
  return part;
}

Vec gather_i1(VectorOps& ops, std::span<const x86::Mem> from) {
  TwoEncodings emit(ops);
  x86::Xmm bytes = ops.cc().newXmm("bytes");
  load_bytes(ops, bytes, from[0], 1);
  for (unsigned lane = 1; lane < ops.lanes(); ++lane)
    emit.in_place(Inst::kIdPinsrb, Inst::kIdVpinsrb, bytes, with_size(from[lane], 1),
                  asmjit::imm(lane));
  return mask_from_bytes(ops, bytes, {});
}

void scatter_i1(VectorOps& ops, const Vec& v, std::span<const x86::Mem> to) {
  x86::Compiler& cc = ops.cc();
  TwoEncodings emit(ops);
  x86::Xmm bytes;
  if (ops.lanes() == 16) {
    bytes = cc.newXmm("bytes");
    x86::Vec ones = ops.new_vec(ElementType::I1, "ones").reg;
    cc.vpabsd(ones, v.reg);
    cc.vpmovdb(bytes, ones);
  } else {
    bytes = bytes_from_mask(ops, v);
  }
  for (unsigned lane = 0; lane < ops.lanes(); ++lane)
    emit(Inst::kIdPextrb, Inst::kIdVpextrb, with_size(to[lane], 1), bytes, asmjit::imm(lane));
}

} // namespace

unsigned register_bytes(unsigned lanes, ElementType type) {
  unsigned lane_bytes = std::max(byte_size(type), 4u);
  return std::max(16u, lanes * lane_bytes);
}

Vec narrow(const Vec& v, unsigned lanes) {
  return Vec{sized(v.reg, register_bytes(lanes, v.type)), v.type};
}

Vec load_lanes(VectorOps& ops, const x86::Mem& from, ElementType type, const LaneMask& mask) {
  unsigned bytes = ops.lanes() * byte_size(type);
  if (type == ElementType::I1) {
    if (bytes >= 4) // the instruction reads exactly one byte a lane
      return mask_from_bytes(ops, with_size(from, bytes), mask);
    x86::Xmm low = ops.cc().newXmm("bytes");
    load_bytes(ops, low, from, bytes);
    return mask_from_bytes(ops, low, {});
  }
  Vec result = ops.new_vec(type, "load");
  if (mask) {
    asmjit::InstId move = byte_size(type) == 4 ? Inst::kIdVmovups : Inst::kIdVmovupd;
    ops.cc().k(*mask).z().emit(move, result.reg, with_size(from, bytes));
  } else {
    load_bytes(ops, result.reg, from, bytes);
  }
  return result;
}

void store_lanes(VectorOps& ops, const Vec& v, const x86::Mem& to, const LaneMask& mask) {
  unsigned bytes = ops.lanes() * byte_size(v.type);
  if (v.type == ElementType::I1) {
    if (ops.isa() == Isa::AVX512 && ops.lanes() >= 8)
      store_mask_avx512(ops, v, to, mask);
    else
      store_bytes(ops, bytes_from_mask(ops, v), to, bytes);
  } else if (mask) {
    asmjit::InstId move = byte_size(v.type) == 4 ? Inst::kIdVmovups : Inst::kIdVmovupd;
    ops.cc().k(*mask).emit(move, with_size(to, bytes), v.reg);
  } else {
    store_bytes(ops, v.reg, to, bytes);
  }
}

bool can_stream(unsigned lanes, ElementType type) {
  return type != ElementType::I1 && lanes * byte_size(type) >= 16;
}

void stream_lanes(VectorOps& ops, const Vec& v, const x86::Mem& to) {
  TwoEncodings emit(ops);
  unsigned bytes = ops.lanes() * byte_size(v.type);
  emit(Inst::kIdMovntps, Inst::kIdVmovntps, with_size(to, bytes), sized(v.reg, bytes));
}

Vec gather_lanes(VectorOps& ops, std::span<const x86::Mem> from, ElementType type) {
  if (type == ElementType::I1)
    return gather_i1(ops, from);
  x86::Compiler& cc = ops.cc();
  unsigned bytes = byte_size(type), group = 16 / bytes, lanes = ops.lanes();
  std::vector<x86::Vec> quarters;
  for (unsigned first = 0; first < lanes; first += group) {
    // Quarters 0 and 2 grow as the others are put on top of them: registers are as wide as that.
    unsigned width = first == 0 ? register_bytes(lanes, type) : first == 2 * group ? 32 : 16;
    x86::Vec part = quarters.emplace_back(new_register(cc, width));
    for (unsigned lane = first; lane < std::min(first + group, lanes); ++lane)
      insert_lane(ops, part.xmm(), from[lane], lane - first, bytes);
  }
  if (quarters.size() == 1)
    return Vec{quarters[0], type};
  for (size_t half = 0; half < quarters.size(); half += 2)
    cc.vinsertf128(quarters[half].ymm(), quarters[half].ymm(), quarters[half + 1].xmm(), 1);
  if (quarters.size() == 4)
    cc.vinsertf64x4(quarters[0].zmm(), quarters[0].zmm(), quarters[2].ymm(), 1);
  return Vec{sized(quarters[0], register_bytes(lanes, type)), type};
}

void scatter_lanes(VectorOps& ops, const Vec& v, std::span<const x86::Mem> to) {
  if (v.type == ElementType::I1)
    return scatter_i1(ops, v, to);
  unsigned bytes = byte_size(v.type), group = 16 / bytes, lanes = ops.lanes();
  for (unsigned first = 0; first < lanes; first += group) {
    x86::Xmm part = quarter(ops, v, first / group);
    for (unsigned lane = first; lane < std::min(first + group, lanes); ++lane)
      extract_lane(ops, part, to[lane], lane - first, bytes);
  }
}

} // namespace mo

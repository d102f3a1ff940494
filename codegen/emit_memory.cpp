#include "codegen/emit_memory.h"

#include <algorithm>
#include <vector>

#include "codegen/emit_bytes.h"

namespace mo {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

namespace {

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

// Bytes 8*which to 8*which + 7 of an xmm register. Byte 0 too is extracted rather than moved: where
// src has been spilled, asmjit puts its stack slot in its place, and movq has no form from memory
// to a general register, while extracting admits no memory there.
void extract_half(VectorOps& ops, const x86::Gp& half, const x86::Xmm& src, int which) {
  TwoEncodings emit(ops);
  emit(Inst::kIdPextrq, Inst::kIdVpextrq, half, src, asmjit::imm(which));
}

// The low bytes of a general register: 1, 4 or 8.
x86::Gp part_of(const x86::Gp& gp, unsigned bytes) {
  return bytes == 1 ? x86::Gp(gp.r8()) : bytes == 4 ? x86::Gp(gp.r32()) : gp;
}

// The element at byte `at` of an xmm register to memory. `half` holds the 8 bytes around the last
// element stored, shifted down to it: of 4 bytes, general registers are stored twice as fast as
// vector ones.
void store_from_half(VectorOps& ops, const x86::Xmm& src, const x86::Gp& half, unsigned at,
                     const x86::Mem& to) {
  TwoEncodings emit(ops);
  if (to.size() == 8) {
    if (at == 0)
      store_bytes(ops, src, to, 8);
    else
      emit(Inst::kIdMovhps, Inst::kIdVmovhps, to, src);
    return;
  }
  if (at % 8 == 0)
    extract_half(ops, half, src, static_cast<int>(at / 8));
  else
    ops.cc().shr(half, 32);
  ops.cc().mov(to, half.r32());
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
  const bool as_words = ops.lanes() <= 4; // what is between them is 0
  for (unsigned lane = 1; lane < ops.lanes(); ++lane)
    emit.in_place(Inst::kIdPinsrb, Inst::kIdVpinsrb, bytes, with_size(from[lane], 1),
                  asmjit::imm(as_words ? 4 * lane : lane));
  return as_words ? mask_from_words(ops, bytes) : mask_from_bytes(ops, bytes, {});
}

// Two bytes at a time: the low half of a general register's lower 16 bits and the high one.
void scatter_i1(VectorOps& ops, const Vec& v, std::span<const x86::Mem> to) {
  x86::Compiler& cc = ops.cc();
  TwoEncodings emit(ops);
  const x86::Xmm bytes = bytes_from_mask(ops, v);
  const x86::Gp few = cc.newUInt64("bytes"); // 8 of them
  for (unsigned lane = 0; lane < ops.lanes(); ++lane) {
    if (lane == 0) // bytes have just been made, so they are in a register: see extract_half
      emit(Inst::kIdMovq, Inst::kIdVmovq, few, bytes);
    else if (lane % 8 == 0)
      extract_half(ops, few, bytes, static_cast<int>(lane / 8));
    else if (lane % 2 == 0)
      cc.shr(few, 16);
    const x86::Gp byte = lane % 2 == 0 ? x86::Gp(few.r8Lo()) : x86::Gp(few.r8Hi());
    cc.mov(with_size(to[lane], 1), byte);
  }
}

// from[k] to to[k] through general registers, a few loads ahead of their stores: caches take two
// stores that follow each other into one line at a time.
void move_by_general(VectorOps& ops, std::span<const x86::Mem> from, std::span<const x86::Mem> to,
                     unsigned bytes) {
  x86::Compiler& cc = ops.cc();
  constexpr size_t kGroup = 4;
  for (size_t first = 0; first < from.size(); first += kGroup) {
    const size_t end = std::min(first + kGroup, from.size());
    std::vector<x86::Gp> elements;
    for (size_t k = first; k < end; ++k) {
      const x86::Gp& element = elements.emplace_back(cc.newUInt64("element"));
      if (bytes == 1)
        cc.movzx(element.r32(), with_size(from[k], 1));
      else
        cc.mov(part_of(element, bytes), with_size(from[k], bytes));
    }
    for (size_t k = first; k < end; ++k)
      cc.mov(with_size(to[k], bytes), part_of(elements[k - first], bytes));
  }
}

void move_by_vector(VectorOps& ops, std::span<const x86::Mem> from, std::span<const x86::Mem> to,
                    unsigned bytes) {
  for (size_t k = 0; k < from.size(); ++k) {
    const x86::Xmm element = ops.cc().newXmm("element");
    load_bytes(ops, element, from[k], bytes);
    store_bytes(ops, element, to[k], bytes);
  }
}

} // namespace

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
  x86::Gp half = ops.cc().newUInt64("lanes"); // of a quarter
  for (unsigned first = 0; first < lanes; first += group) {
    x86::Xmm part = quarter(ops, v, first / group);
    for (unsigned lane = first; lane < std::min(first + group, lanes); ++lane)
      store_from_half(ops, part, half, (lane - first) * bytes, with_size(to[lane], bytes));
  }
}

void move_elements(VectorOps& ops, std::span<const x86::Mem> from, std::span<const x86::Mem> to,
                   ElementType type, MoveBy by) {
  const unsigned bytes = byte_size(type);
  if (by == MoveBy::GeneralRegisters || bytes == 1)
    move_by_general(ops, from, to, bytes);
  else
    move_by_vector(ops, from, to, bytes);
}

} // namespace mo

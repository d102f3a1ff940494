#include "codegen/emit_strided.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#include "codegen/emit_bytes.h"
#include "codegen/loop_walk.h"

namespace mo {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

namespace {

constexpr int kNone = -1;

/// For each element of the result, which element of the source it is; kNone: any.
using Pattern = std::vector<int>;

/// Elements as they are on the way from and to memory: an i1 is a byte here.
struct Width {
  unsigned lanes, element_bytes;
  unsigned bytes() const { return lanes * element_bytes; }
};

template <class Number>
asmjit::Operand constant_of(VectorOps& ops, const std::vector<Number>& numbers, unsigned bytes) {
  std::vector<std::byte> data(bytes);
  std::memcpy(data.data(), numbers.data(), numbers.size() * sizeof(Number));
  return ops.cc().held_constant(data);
}

/// For pshufb: byte numbers; the bytes of elements that are none become 0.
asmjit::Operand byte_pattern(VectorOps& ops, const Pattern& pattern, unsigned element_bytes) {
  std::vector<uint8_t> bytes(16, 0x80);
  for (size_t k = 0; k < pattern.size(); ++k)
    for (unsigned b = 0; b < element_bytes && pattern[k] != kNone; ++b)
      bytes[k * element_bytes + b] =
          static_cast<uint8_t>(static_cast<unsigned>(pattern[k]) * element_bytes + b);
  return constant_of(ops, bytes, 16);
}

/// For the permutes of whole registers by words of 4 bytes, which serve elements of 8 bytes too:
/// the numbers of the elements' words, in a register. vpermpd has another form, with an immediate,
/// whose source may be memory; where the register with numbers has been spilled, asmjit takes the
/// form with numbers for that one, and puts memory where none may be.
x86::Vec word_pattern(VectorOps& ops, const Pattern& pattern, unsigned element_bytes) {
  const uint32_t words = element_bytes / 4;
  std::vector<uint32_t> numbers;
  for (int element : pattern)
    for (uint32_t word = 0; word < words; ++word)
      numbers.push_back(static_cast<uint32_t>(std::max(element, 0)) * words + word);
  const unsigned bytes = static_cast<unsigned>(numbers.size()) * 4;
  const asmjit::Operand constant = constant_of(ops, numbers, bytes);
  if (constant.isReg())
    return constant.as<x86::Vec>();
  x86::Vec loaded = new_register(ops.cc(), bytes);
  ops.cc().emit(Inst::kIdVmovups, loaded, constant);
  return loaded;
}

/// dst = the pattern's elements of `source`, a register or memory of the same width. In 16 bytes
/// the others are 0.
void permute(VectorOps& ops, Width width, const x86::Vec& dst, const asmjit::Operand& source,
             const Pattern& pattern) {
  x86::Compiler& cc = ops.cc();
  TwoEncodings emit(ops);
  if (width.bytes() <= 16) {
    if (source.isMem())
      load_bytes(ops, dst, source.as<x86::Mem>(), width.bytes());
    else
      emit(Inst::kIdMovaps, Inst::kIdVmovaps, dst, source);
    emit.in_place(Inst::kIdPshufb, Inst::kIdVpshufb, dst.xmm(),
                  byte_pattern(ops, pattern, width.element_bytes));
  } else if (width.bytes() == 32 && width.element_bytes == 8) {
    unsigned order = 0;
    for (size_t k = 0; k < 4; ++k)
      order |= static_cast<unsigned>(std::max(pattern[k], 0)) << (2 * k);
    cc.emit(Inst::kIdVpermpd, dst, source, asmjit::imm(order));
  } else {
    cc.emit(Inst::kIdVpermps, dst, word_pattern(ops, pattern, width.element_bytes), source);
  }
}

/// dst = the elements of `in_dst` from dst, of `in_source` from `source`. AVX-512.
void permute_both(VectorOps& ops, Width width, const x86::Vec& dst, const Pattern& in_dst,
                  const x86::Mem& source, const Pattern& in_source) {
  Pattern both = in_dst;
  for (size_t k = 0; k < both.size(); ++k)
    if (in_source[k] != kNone)
      both[k] = in_source[k] + static_cast<int>(width.lanes);
  ops.cc().emit(Inst::kIdVpermt2ps, dst, word_pattern(ops, both, width.element_bytes), source);
}

/// `dst` with the pattern's elements of `source` where there are any.
void permute_into(VectorOps& ops, Width width, const x86::Vec& dst, const x86::Mem& source,
                  const Pattern& pattern) {
  x86::Compiler& cc = ops.cc();
  x86::Vec part = new_register(cc, std::max(width.bytes(), 16u));
  permute(ops, width, part, source, pattern);
  if (width.bytes() <= 16) {
    TwoEncodings(ops).in_place(Inst::kIdOrps, Inst::kIdVorps, dst.xmm(), part);
    return;
  }
  unsigned taken = 0;
  for (size_t k = 0; k < pattern.size(); ++k)
    taken |= (pattern[k] == kNone ? 0u : 1u) << k;
  cc.emit(width.element_bytes == 8 ? Inst::kIdVblendpd : Inst::kIdVblendps, dst, dst, part,
          asmjit::imm(taken));
}

/// Elements from the lowest to the highest one.
int64_t span_of(unsigned lanes, int64_t stride) {
  return (lanes - 1) * std::abs(stride) + 1;
}

/// How many elements are loaded at a time to pick those from: as many as the vector has, but the
/// byte shuffle takes from up to 16 bytes what there is.
unsigned stretch_lanes(Width width, int64_t stride) {
  const int64_t span = span_of(width.lanes, stride);
  while (width.bytes() < 16 && width.lanes * 2 <= span)
    width.lanes *= 2;
  return width.lanes;
}

/// Stretches of memory that together hold all elements. The last one ends with the last element,
/// not behind it.
struct Stretch {
  int64_t first; // its first element, counted from the lowest one that is wanted
  Pattern pattern;
};

std::vector<Stretch> stretches(unsigned lanes, int64_t stride, int64_t stretch_elements) {
  const int64_t distance = std::abs(stride), span = span_of(lanes, stride);
  std::vector<Stretch> result;
  for (int64_t done = 0; done < span; done += stretch_elements) {
    Stretch stretch{std::min(done, span - stretch_elements), Pattern(lanes, kNone)};
    for (unsigned k = 0; k < lanes; ++k) {
      const int64_t place = k * distance; // of the k-th element from below
      if (place >= done && place < done + stretch_elements)
        stretch.pattern[stride > 0 ? k : lanes - 1 - k] = static_cast<int>(place - stretch.first);
    }
    result.push_back(std::move(stretch));
  }
  return result;
}

x86::Mem displaced(x86::Mem mem, int64_t bytes, unsigned size) {
  mem.addOffset(bytes);
  return with_size(mem, size);
}

Width width_of(const VectorOps& ops, ElementType type) {
  return {ops.lanes(), byte_size(type)};
}

/// An i1 as bytes.
x86::Vec memory_form(VectorOps& ops, const Vec& v) {
  return v.type == ElementType::I1 ? x86::Vec(bytes_from_mask(ops, v)) : v.reg;
}

void store_backwards(VectorOps& ops, const Vec& v, const x86::Mem& lowest) {
  const Width width = width_of(ops, v.type);
  Pattern pattern;
  for (unsigned k = 0; k < width.lanes; ++k)
    pattern.push_back(static_cast<int>(width.lanes - 1 - k));
  x86::Vec turned = new_register(ops.cc(), std::max(width.bytes(), 16u));
  permute(ops, width, turned, memory_form(ops, v), pattern);
  store_bytes(ops, turned, lowest, width.bytes());
}

/// One stretch as wide as the vector: each element at its place, the places between masked out.
void store_masked(VectorOps& ops, Width width, const x86::Vec& v, const x86::Mem& lowest,
                  int64_t stride, int64_t first) {
  KernelCompiler& cc = ops.cc();
  const int64_t distance = std::abs(stride);
  Pattern pattern(width.lanes, kNone);
  uint32_t taken = 0;
  for (unsigned k = 0; k < width.lanes; ++k) {
    const int64_t place = first + k, element = place / distance;
    if (place % distance != 0 || element >= width.lanes)
      continue;
    taken |= 1u << k;
    pattern[k] = static_cast<int>(stride > 0 ? element : width.lanes - 1 - element);
  }
  x86::Vec spread = new_register(cc, std::max(width.bytes(), 16u));
  permute(ops, width, spread, v, pattern);
  x86::Gp bits = cc.newUInt32("bits");
  x86::KReg mask = cc.newKw("mask");
  cc.mov(bits, taken);
  cc.kmovw(mask, bits);
  const asmjit::InstId move = width.element_bytes == 8   ? Inst::kIdVmovupd
                              : width.element_bytes == 4 ? Inst::kIdVmovups
                                                         : Inst::kIdVmovdqu8;
  const unsigned size = std::max(width.bytes(), 16u); // lanes above those that count are masked out
  cc.k(mask).emit(move, displaced(lowest, first * width.element_bytes, size), spread);
}

} // namespace

bool loads_by_permuting(unsigned lanes, ElementType type, int64_t stride) {
  if (stride == 0 || !within(stride, INT32_MAX))
    return false;
  // Up to half as many stretches as elements they are cheaper, or as cheap.
  const int64_t stretch = stretch_lanes({lanes, byte_size(type)}, stride);
  return (span_of(lanes, stride) + stretch - 1) / stretch <= lanes / 2;
}

bool stores_by_permuting(Isa isa, unsigned lanes, const Buffer& to, int64_t stride) {
  if (stride == -1)
    return lanes > 1;
  // Up to a quarter as many masked stores as elements. Beyond the caches these are no faster than
  // one by one, at times slower.
  return isa == Isa::AVX512 && stride != 0 && within(stride, lanes / 4) && !is_large(to);
}

Vec load_strided(VectorOps& ops, const x86::Mem& lowest, ElementType type, int64_t stride) {
  const Width width = width_of(ops, type);
  const Width stretch{stretch_lanes(width, stride), width.element_bytes};
  const std::vector<Stretch> parts = stretches(width.lanes, stride, stretch.lanes);
  const auto address = [&](const Stretch& part) {
    return displaced(lowest, part.first * stretch.element_bytes, stretch.bytes());
  };
  const x86::Vec result = new_register(ops.cc(), std::max(stretch.bytes(), 16u));
  if (stretch.bytes() > 16 && ops.isa() == Isa::AVX512 && parts.size() > 1) {
    load_bytes(ops, result, address(parts[0]), stretch.bytes());
    Pattern so_far = parts[0].pattern;
    for (size_t p = 1; p < parts.size(); ++p) {
      permute_both(ops, stretch, result, so_far, address(parts[p]), parts[p].pattern);
      std::iota(so_far.begin(), so_far.end(), 0);
    }
  } else {
    permute(ops, stretch, result, address(parts[0]), parts[0].pattern);
    for (size_t p = 1; p < parts.size(); ++p)
      permute_into(ops, stretch, result, address(parts[p]), parts[p].pattern);
  }
  if (type == ElementType::I1)
    return mask_from_bytes(ops, result, {});
  return Vec{result, type};
}

void store_strided(VectorOps& ops, const Vec& v, const x86::Mem& lowest, int64_t stride) {
  if (stride == -1) {
    store_backwards(ops, v, lowest);
    return;
  }
  const Width width = width_of(ops, v.type);
  const x86::Vec elements = memory_form(ops, v);
  const int64_t span = span_of(width.lanes, stride);
  for (int64_t first = 0; first < span; first += width.lanes)
    store_masked(ops, width, elements, lowest, stride, first);
}

} // namespace mo

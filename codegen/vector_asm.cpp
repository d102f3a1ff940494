#include "codegen/vector_asm.h"

#include <bit>

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

VecReg VectorAsm::new_reg(x86::Compiler& compiler, unsigned bytes, const char* name) {
  if (bytes <= 16)
    return compiler.newXmm("%s", name);
  if (bytes <= 32)
    return compiler.newYmm("%s", name);
  return compiler.newZmm("%s", name);
}

void VectorAsm::move(const VecReg& dst, const VecReg& src) {
  cc.emit(sse() ? I::kIdMovaps : I::kIdVmovaps, dst, src);
}

VecReg VectorAsm::copy(const VecReg& v) {
  VecReg result = same_size(v);
  move(result, v);
  return result;
}

void VectorAsm::into(const VecReg& dst, InstPair inst, const VecReg& a) {
  cc.emit(sse() ? inst.sse : inst.avx, dst, a);
}

VecReg VectorAsm::unary(InstPair inst, const VecReg& a) {
  VecReg result = same_size(a);
  into(result, inst, a);
  return result;
}

VecReg VectorAsm::unary(InstPair inst, const VecReg& a, int immediate) {
  VecReg result = same_size(a);
  cc.emit(sse() ? inst.sse : inst.avx, result, a, imm(immediate));
  return result;
}

VecReg VectorAsm::binary(InstPair inst, const VecReg& a, const Operand& b) {
  if (sse()) {
    VecReg result = copy(a);
    cc.emit(inst.sse, result, b);
    return result;
  }
  VecReg result = same_size(a);
  cc.emit(inst.avx, result, a, b);
  return result;
}

VecReg VectorAsm::binary(InstPair inst, const VecReg& a, const Operand& b, int immediate) {
  if (sse()) {
    VecReg result = copy(a);
    cc.emit(inst.sse, result, b, imm(immediate));
    return result;
  }
  VecReg result = same_size(a);
  cc.emit(inst.avx, result, a, b, imm(immediate));
  return result;
}

VecReg VectorAsm::shift(InstPair inst, const VecReg& a, int count) {
  return binary(inst, a, imm(count));
}

Operand VectorAsm::splat32(uint32_t bits, const VecReg& like) {
  return splat64(uint64_t{bits} << 32 | bits, like);
}

Operand VectorAsm::splat64(uint64_t bits, const VecReg& like) {
  // The legacy encodings copy an operand before it is overwritten: loading is as cheap.
  if (sse())
    return cc.splat_constant(bits, like.size());
  return cc.held_constant(bits, like.size());
}

Operand VectorAsm::splat(uint64_t bits, ElementType type, const VecReg& like) {
  return byte_size(type) == 8 ? splat64(bits, like) : splat32(static_cast<uint32_t>(bits), like);
}

Operand VectorAsm::splat_float(double value, ElementType type, const VecReg& like) {
  if (type == ElementType::F64)
    return splat64(std::bit_cast<uint64_t>(value), like);
  return splat32(std::bit_cast<uint32_t>(static_cast<float>(value)), like);
}

VecReg VectorAsm::zero(const VecReg& like) {
  VecReg result = same_size(like);
  if (sse())
    cc.emit(I::kIdXorps, result, result);
  else
    cc.emit(avx512() ? I::kIdVpxord : I::kIdVpxor, result, result, result);
  return result;
}

VecReg VectorAsm::load(const Operand& constant, const VecReg& like) {
  VecReg result = same_size(like);
  cc.emit(sse() ? I::kIdMovaps : I::kIdVmovaps, result, constant);
  return result;
}

VecReg VectorAsm::blend(const VecReg& mask, const VecReg& a, const VecReg& b) {
  if (sse()) {
    VecReg result = copy(b);
    cc.emit(I::kIdBlendvps, result, a, mask);
    return result;
  }
  if (avx512()) {
    constexpr int kFirstChoosesSecondOrThird = 0xca;
    VecReg result = copy(mask);
    cc.emit(I::kIdVpternlogd, result, a, b, imm(kFirstChoosesSecondOrThird));
    return result;
  }
  VecReg result = same_size(mask);
  cc.emit(I::kIdVblendvps, result, b, a, mask);
  return result;
}

VecReg VectorAsm::add_int(unsigned bytes, const VecReg& a, const Operand& b) {
  return binary(bytes == 8 ? inst::add64 : inst::add32, a, b);
}

VecReg VectorAsm::sub_int(unsigned bytes, const VecReg& a, const Operand& b) {
  return binary(bytes == 8 ? inst::sub64 : inst::sub32, a, b);
}

VecReg VectorAsm::mul_int(unsigned bytes, const VecReg& a, const VecReg& b) {
  if (bytes == 4)
    return binary(inst::mul32, a, b);
  if (avx512())
    return binary({I::kIdNone, I::kIdVpmullq}, a, b);
  // (ah 2^32 + al)(bh 2^32 + bl) = (ah bl + al bh) 2^32 + al bl, modulo 2^64.
  VecReg ah_bl = binary(inst::mul_low_halves, shift(inst::shift_right64, a, 32), b);
  VecReg al_bh = binary(inst::mul_low_halves, shift(inst::shift_right64, b, 32), a);
  VecReg cross = shift(inst::shift_left64, binary(inst::add64, ah_bl, al_bh), 32);
  return binary(inst::add64, cross, binary(inst::mul_low_halves, a, b));
}

VecReg VectorAsm::sign_mask(unsigned bytes, const VecReg& a) {
  if (bytes == 4)
    return shift(inst::shift_right_signed32, a, 31);
  if (avx512())
    return binary({I::kIdNone, I::kIdVpsraq}, a, imm(63));
  return binary(inst::greater64, zero(a), a);
}

VecReg VectorAsm::sign_extend(const VecReg& a) {
  VecReg result = reg64();
  into(result, inst::sign_extend, a);
  return result;
}

VecReg VectorAsm::zero_extend(const VecReg& a) {
  VecReg result = reg64();
  into(result, inst::zero_extend, a);
  return result;
}

VecReg VectorAsm::low_words(const VecReg& a) {
  constexpr int kEvenWords = 0x88;
  VecReg result = reg32();
  if (avx512()) {
    cc.emit(I::kIdVpmovqd, result, a);
  } else if (a.size() == 16) {
    cc.emit(sse() ? I::kIdPshufd : I::kIdVpshufd, result, a, imm(kEvenWords));
  } else {
    VecReg high = new_reg(cc, 16);
    cc.emit(I::kIdVextractf128, high, a, imm(1));
    cc.emit(I::kIdVshufps, result, a.xmm(), high, imm(kEvenWords));
  }
  return result;
}

} // namespace mo

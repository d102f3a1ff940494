// cmpf, cmpi, select, and the compares that other emitters use.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

/// How legacy SSE asks: it has eight questions, so some are asked with the sides exchanged, and two
/// take a second compare.
struct SseCompare {
  int immediate;
  bool exchanged;
  int second; // -1, or the compare to combine with: ORD for ONE (and), UNO for UEQ (or)
};

enum : int { kEq = 0, kLt = 1, kLe = 2, kUnord = 3, kNeq = 4, kNlt = 5, kNle = 6, kOrd = 7 };

SseCompare sse_compare(CmpFPredicate predicate) {
  switch (predicate) {
  case CmpFPredicate::OEQ: return {kEq, false, -1};
  case CmpFPredicate::OGT: return {kLt, true, -1};
  case CmpFPredicate::OGE: return {kLe, true, -1};
  case CmpFPredicate::OLT: return {kLt, false, -1};
  case CmpFPredicate::OLE: return {kLe, false, -1};
  case CmpFPredicate::ONE: return {kNeq, false, kOrd};
  case CmpFPredicate::ORD: return {kOrd, false, -1};
  case CmpFPredicate::UEQ: return {kEq, false, kUnord};
  case CmpFPredicate::UGT: return {kNle, false, -1};
  case CmpFPredicate::UGE: return {kNlt, false, -1};
  case CmpFPredicate::ULT: return {kNle, true, -1};
  case CmpFPredicate::ULE: return {kNlt, true, -1};
  case CmpFPredicate::UNE: return {kNeq, false, -1};
  default: return {kUnord, false, -1};
  }
}

/// AVX has every question; the quiet variants where there are two (the flags are not looked at).
int avx_compare(CmpFPredicate predicate) {
  constexpr int kImmediates[16] = {0x0b, 0x00, 0x1e, 0x1d, 0x11, 0x12, 0x0c, 0x07,
                                   0x08, 0x16, 0x15, 0x19, 0x1a, 0x04, 0x03, 0x0f};
  return kImmediates[static_cast<unsigned>(predicate)];
}

/// vpcmpd's and vpcmpud's: 0 ==, 1 <, 2 <=, 4 !=, 5 >=, 6 >.
int avx512_compare(CmpIPredicate predicate) {
  constexpr int kImmediates[10] = {0, 4, 1, 2, 6, 5, 1, 2, 6, 5};
  return kImmediates[static_cast<unsigned>(predicate)];
}

bool is_unsigned(CmpIPredicate predicate) {
  return predicate >= CmpIPredicate::ULT;
}

} // namespace

VecReg VectorAsm::mask_from_k(const x86::KReg& k, unsigned bytes) {
  VecReg result = bytes == 8 ? reg64() : reg32();
  cc.emit(bytes == 8 ? I::kIdVpmovm2q : I::kIdVpmovm2d, result, k);
  return result;
}

x86::KReg VectorAsm::compare_k(CmpFPredicate predicate, ElementType type, const VecReg& a,
                               const Operand& b) {
  x86::KReg k = cc.newKw();
  cc.emit(pick(inst::cmp, type).avx, k, a, b, imm(avx_compare(predicate)));
  return k;
}

VecReg VectorAsm::compare(CmpFPredicate predicate, ElementType type, const VecReg& a,
                          const Operand& b, MaskLanes mask) {
  const bool narrow = mask == MaskLanes::Narrow && type == ElementType::F64;
  if (predicate == CmpFPredicate::False || predicate == CmpFPredicate::True) {
    VecReg result = narrow ? reg32() : same_size(a);
    return predicate == CmpFPredicate::False ? zero(result)
                                             : load(splat32(0xffffffffu, result), result);
  }
  const InstPair inst = pick(inst::cmp, type);
  if (avx512())
    return mask_from_k(compare_k(predicate, type, a, b), narrow ? 4 : byte_size(type));
  VecReg result;
  if (!sse()) {
    result = binary(inst, a, b, avx_compare(predicate));
  } else {
    const SseCompare how = sse_compare(predicate);
    if (how.exchanged)
      result =
          binary(inst, b.isMem() ? load(b.as<x86::Mem>(), a) : b.as<VecReg>(), a, how.immediate);
    else
      result = binary(inst, a, b, how.immediate);
    if (how.second == kOrd)
      result = bit_and(result, binary(inst, a, b, kOrd));
    else if (how.second == kUnord)
      result = bit_or(result, binary(inst, a, b, kUnord));
  }
  return narrow ? low_words(result) : result;
}

VecReg VectorAsm::compare(CmpIPredicate predicate, unsigned bytes, const VecReg& a, const VecReg& b,
                          MaskLanes mask) {
  const bool narrow = mask == MaskLanes::Narrow && bytes == 8;
  if (avx512()) {
    const bool u = is_unsigned(predicate);
    const InstId inst =
        bytes == 8 ? (u ? I::kIdVpcmpuq : I::kIdVpcmpq) : (u ? I::kIdVpcmpud : I::kIdVpcmpd);
    x86::KReg k = cc.newKw();
    cc.emit(inst, k, a, b, imm(avx512_compare(predicate)));
    return mask_from_k(k, narrow ? 4 : bytes);
  }
  // There is == and signed >. Flipping the sign bits turns an unsigned order into the signed one.
  VecReg x = a, y = b;
  if (is_unsigned(predicate)) {
    Operand sign = bytes == 8 ? splat64(uint64_t{1} << 63, a) : splat32(0x80000000u, a);
    x = bit_xor(a, sign);
    y = bit_xor(b, sign);
  }
  const InstPair greater = bytes == 8 ? inst::greater64 : inst::greater32;
  VecReg result;
  switch (predicate) {
  case CmpIPredicate::EQ:
  case CmpIPredicate::NE: result = binary(bytes == 8 ? inst::equal64 : inst::equal32, x, y); break;
  case CmpIPredicate::SGT:
  case CmpIPredicate::UGT:
  case CmpIPredicate::SLE:
  case CmpIPredicate::ULE: result = binary(greater, x, y); break;
  default: result = binary(greater, y, x); break; // <, and its opposite >=
  }
  const bool opposite = predicate == CmpIPredicate::NE || predicate == CmpIPredicate::SLE ||
                        predicate == CmpIPredicate::ULE || predicate == CmpIPredicate::SGE ||
                        predicate == CmpIPredicate::UGE;
  if (narrow)
    result = low_words(result);
  return opposite ? bit_not(result) : result;
}

VecReg emit_cmpf(VectorAsm& as, const EmitCall& call) {
  return as.compare(static_cast<CmpFPredicate>(call.predicate), call.from, call.in[0], call.in[1],
                    VectorAsm::MaskLanes::Narrow);
}

VecReg emit_cmpi(VectorAsm& as, const EmitCall& call) {
  // An i1 is 0 or -1 in its lane: the order of those is the order of i1, signed and unsigned.
  const unsigned bytes = byte_size(call.from) == 8 ? 8 : 4;
  return as.compare(static_cast<CmpIPredicate>(call.predicate), bytes, call.in[0], call.in[1],
                    VectorAsm::MaskLanes::Narrow);
}

VecReg emit_select(VectorAsm& as, const EmitCall& call) {
  const bool wide = byte_size(call.from) == 8;
  return as.blend(wide ? as.sign_extend(call.in[0]) : call.in[0], call.in[1], call.in[2]);
}

} // namespace mo

// Integer arithmetic, bit operations, and min and max. An i1 is 0 or -1 in a 32-bit lane.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

unsigned lane_bytes(ElementType type) {
  return byte_size(type) == 8 ? 8 : 4;
}

/// For max: a where a > b, else b; for min a where a < b.
VecReg choose(VectorAsm& as, const EmitCall& call, CmpIPredicate when_a, InstPair inst32,
              InstId avx512_64) {
  const VecReg &a = call.in[0], &b = call.in[1];
  if (lane_bytes(call.from) == 4)
    return as.binary(inst32, a, b);
  if (as.avx512())
    return as.binary({I::kIdNone, avx512_64}, a, b);
  return as.blend(as.compare(when_a, 8, a, b), a, b);
}

} // namespace

// One bit wide, + and - are XOR and * is AND; -1 in the lane is the bit 1.

VecReg emit_addi(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return emit_xori(as, call);
  return as.add_int(lane_bytes(call.from), call.in[0], call.in[1]);
}

VecReg emit_subi(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return emit_xori(as, call);
  return as.sub_int(lane_bytes(call.from), call.in[0], call.in[1]);
}

VecReg emit_muli(VectorAsm& as, const EmitCall& call) {
  if (call.from == ElementType::I1)
    return emit_andi(as, call);
  return as.mul_int(lane_bytes(call.from), call.in[0], call.in[1]);
}

VecReg emit_andi(VectorAsm& as, const EmitCall& call) {
  return as.bit_and(call.in[0], call.in[1]);
}
VecReg emit_ori(VectorAsm& as, const EmitCall& call) {
  return as.bit_or(call.in[0], call.in[1]);
}
VecReg emit_xori(VectorAsm& as, const EmitCall& call) {
  return as.bit_xor(call.in[0], call.in[1]);
}

VecReg emit_maxsi(VectorAsm& as, const EmitCall& call) {
  return choose(as, call, CmpIPredicate::SGT, inst::max_s32, I::kIdVpmaxsq);
}

VecReg emit_minsi(VectorAsm& as, const EmitCall& call) {
  return choose(as, call, CmpIPredicate::SLT, inst::min_s32, I::kIdVpminsq);
}

VecReg emit_maxui(VectorAsm& as, const EmitCall& call) {
  return choose(as, call, CmpIPredicate::UGT, inst::max_u32, I::kIdVpmaxuq);
}

VecReg emit_minui(VectorAsm& as, const EmitCall& call) {
  return choose(as, call, CmpIPredicate::ULT, inst::min_u32, I::kIdVpminuq);
}

} // namespace mo

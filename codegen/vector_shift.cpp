// Shifts, each lane by its own count. A count of the width or more shifts every bit out.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;
namespace I = x86::Inst;

namespace {

/// SSE shifts all lanes by one count, the low 64 bits of a register: one shift per lane, of which
/// that lane is kept.
VecReg shift_lane_by_lane(VectorAsm& as, InstPair inst, unsigned bytes, const VecReg& a,
                          const VecReg& count) {
  const unsigned words = bytes / 4;
  VecReg result;
  for (unsigned lane = 0; lane < as.lanes; ++lane) {
    VecReg its_count = count;
    if (lane != 0)
      its_count = as.unary(inst::shuffle32, count,
                           static_cast<int>(bytes == 8 ? 0xee : lane)); // to the front
    if (bytes == 4)
      its_count = as.unary(inst::zero_extend, its_count);
    VecReg shifted = as.binary(inst, a, its_count);
    if (lane == 0) {
      result = shifted;
    } else {
      const unsigned bits_per_lane = (1u << 2 * words) - 1; // pblendw counts in 16 bits
      as.cc.emit(I::kIdPblendw, result, shifted,
                 imm(static_cast<int>(bits_per_lane << lane * 2 * words)));
    }
  }
  return result;
}

VecReg shift_by_lanes(VectorAsm& as, unsigned bytes, const VecReg& a, const VecReg& count,
                      InstPair uniform, InstId avx) {
  if (as.sse())
    return shift_lane_by_lane(as, uniform, bytes, a, count);
  return as.binary({I::kIdNone, avx}, a, count);
}

VecReg shift_right64(VectorAsm& as, const VecReg& a, const VecReg& count) {
  return shift_by_lanes(as, 8, a, count, inst::shift_right64, I::kIdVpsrlvq);
}

} // namespace

// An i1 shifted by 1 loses its bit, shifted by 0 stays.

VecReg emit_shli(VectorAsm& as, const EmitCall& call) {
  const VecReg &a = call.in[0], &count = call.in[1];
  if (call.from == ElementType::I1)
    return as.and_not(count, a);
  if (call.from == ElementType::I32)
    return shift_by_lanes(as, 4, a, count, inst::shift_left32, I::kIdVpsllvd);
  return shift_by_lanes(as, 8, a, count, inst::shift_left64, I::kIdVpsllvq);
}

VecReg emit_shrui(VectorAsm& as, const EmitCall& call) {
  const VecReg &a = call.in[0], &count = call.in[1];
  if (call.from == ElementType::I1)
    return as.and_not(count, a);
  if (call.from == ElementType::I32)
    return shift_by_lanes(as, 4, a, count, inst::shift_right32, I::kIdVpsrlvd);
  return shift_right64(as, a, count);
}

VecReg emit_shrsi(VectorAsm& as, const EmitCall& call) {
  const VecReg &a = call.in[0], &count = call.in[1];
  if (call.from == ElementType::I1)
    return as.copy(a); // the sign bit is all there is
  if (call.from == ElementType::I32)
    return shift_by_lanes(as, 4, a, count, inst::shift_right_signed32, I::kIdVpsravd);
  if (as.avx512())
    return as.binary({I::kIdNone, I::kIdVpsravq}, a, count);
  // Zeros shifted into ~a are ones shifted into a.
  VecReg negative = as.sign_mask(8, a);
  return as.bit_xor(shift_right64(as, as.bit_xor(a, negative), count), negative);
}

} // namespace mo

// Casts between integers, between floats, and of bits as they are.
#include "codegen/vector_emitters.h"

namespace mo {

using namespace asmjit;

VecReg mask_from_bit0(VectorAsm& as, const VecReg& a) {
  return as.shift(inst::shift_right_signed32, as.shift(inst::shift_left32, a, 31), 31);
}

VecReg emit_extf(VectorAsm& as, const EmitCall& call) {
  VecReg result = as.reg64();
  as.into(result, inst::f32_to_f64, call.in[0]);
  return result;
}

VecReg emit_truncf(VectorAsm& as, const EmitCall& call) {
  VecReg result = as.reg32();
  as.into(result, inst::f64_to_f32, call.in[0]);
  return result;
}

VecReg emit_extsi(VectorAsm& as, const EmitCall& call) {
  const VecReg& a = call.in[0];
  if (byte_size(call.to) == 8)
    return byte_size(call.from) == 8 ? as.copy(a) : as.sign_extend(a);
  return byte_size(call.from) == 8 ? emit_trunci(as, call) : as.copy(a); // i1: -1 as it is
}

VecReg emit_extui(VectorAsm& as, const EmitCall& call) {
  VecReg word = call.in[0];
  if (call.from == ElementType::I1)
    word = as.shift(inst::shift_right32, word, 31);
  return byte_size(call.to) == 8 ? as.zero_extend(word) : word;
}

VecReg emit_trunci(VectorAsm& as, const EmitCall& call) {
  VecReg word = byte_size(call.from) == 8 ? as.low_words(call.in[0]) : call.in[0];
  return call.to == ElementType::I1 ? mask_from_bit0(as, word) : word;
}

VecReg emit_bitcast(VectorAsm& as, const EmitCall& call) {
  return as.copy(call.in[0]);
}

} // namespace mo

#include "codegen/emit_state.h"

#include "codegen/emit_memory.h"

namespace mo {

namespace x86 = asmjit::x86;

Vec load_from_state(EmitContext& context, Reg reg) {
  VectorOps one(context.cc, context.isa, 1);
  ElementType type = context.type_of(reg);
  int32_t scalar = context.layout.scalar_params[reg.index];
  if (scalar == StateLayout::kNoSlot)
    return load_lanes(one, slot_memory(context, context.layout.reg_slots[reg.index], 8), type);
  unsigned argument = context.kernel.scalars[static_cast<size_t>(scalar)].argument;
  x86::Gp address = context.cc.newIntPtr("scalar");
  context.cc.mov(address,
                 x86::qword_ptr(context.arguments, static_cast<int32_t>(argument * sizeof(void*))));
  return load_lanes(one, x86::ptr(address), type);
}

void store_to_state(EmitContext& context, Reg reg, const Vec& v) {
  VectorOps one(context.cc, context.isa, 1);
  store_lanes(one, v, slot_memory(context, context.layout.reg_slots[reg.index], 8));
}

} // namespace mo

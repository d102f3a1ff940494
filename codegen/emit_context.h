// What every emitter of a kernel's machine code shares.
#pragma once

#include <asmjit/x86.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/isa.h"
#include "codegen/kernel_compiler.h"
#include "codegen/loop_nest.h"

namespace mo {

/// Where the values of the outermost block live: in memory, in the kernel's state, 8 bytes each.
/// What a nest needs of them it loads on entry. So no value is in a register between two nests, and
/// a kernel of many nests can be cut into machine functions at any node of its outermost block.
struct StateLayout {
  static constexpr int32_t kNoSlot = -1;
  explicit StateLayout(const Kernel& kernel);

  unsigned num_temps = 0; // slots 0 to num_temps-1: what malloc gave for each temp, or null
  unsigned num_slots = 0; // then the temps' addresses, which are aligned; then registers
  std::vector<int32_t> allocation_slots; // by buffer: temps only
  std::vector<int32_t> buffer_slots;     // by buffer: temps only
  std::vector<int32_t> reg_slots;        // by register: those that the outermost block defines
  std::vector<int32_t> scalar_params;    // by register: index into Kernel::scalars
  /// By register: its bits where they are known now (Constants, loads from splat buffers). Such a
  /// value has no slot; it is made where it is needed.
  std::vector<std::optional<uint64_t>> constants;
  /// By buffer: where a scratch lies in the state, in bytes, a multiple of 64. Behind the slots;
  /// the same bytes serve again once no nest that follows loads what is there.
  std::vector<int32_t> scratch_offsets;
  int32_t state_bytes = 0; // slots and scratch
  bool has_scratch() const { return state_bytes > static_cast<int32_t>(num_slots * 8); }
};

/// One machine function in the making.
struct EmitContext {
  KernelCompiler& cc;
  const Kernel& kernel;
  const StateLayout& layout;
  std::vector<asmjit::Label>& constant_data; // by buffer: where a Constant's elements are
  Isa isa;
  asmjit::x86::Gp arguments; // void* const*
  asmjit::x86::Gp state;     // the slots

  ElementType type_of(Reg reg) const { return kernel.regs[reg.index].type; }
};

/// The slot's memory, `bytes` wide.
asmjit::x86::Mem slot_memory(const EmitContext& context, int32_t slot, unsigned bytes);

} // namespace mo

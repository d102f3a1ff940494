// Which register holds a value of the source, and while which code runs.
#pragma once

#include <asmjit/x86.h>

#include <unordered_map>
#include <vector>

#include "codegen/kernel_compiler.h"
#include "codegen/machine_code.h"

namespace mo {

/// Told of the instructions in order, it follows each named value from the one that makes it to the
/// first that may write to its register again. A label ends all that is known: who jumps there may
/// have used the register for something else.
class ValueRanges {
public:
  /// Ahead of register allocation: remembers which instruction makes which value.
  explicit ValueRanges(KernelCompiler& cc);

  /// With registers allocated: `node` has been encoded, up to `end`.
  void instruction(const asmjit::InstNode& node, size_t end);
  void label(size_t offset) { end_all(offset); }

  /// In the order in which they begin. Once every instruction is there.
  std::vector<MachineCode::Value> take() { return std::move(values_); }

private:
  void end_all(size_t offset);
  void end_what_is_overwritten(const asmjit::InstNode& node, size_t end);

  KernelCompiler& cc_;
  std::unordered_map<const asmjit::BaseNode*, std::vector<const KernelCompiler::ValueName*>> made_;
  std::vector<MachineCode::Value> values_;
  std::unordered_map<uint32_t, std::vector<size_t>> held_; // by register: indices into values_
};

} // namespace mo

// asmjit's compiler, and the constants of the code that it makes.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace mo {

/// What emitters emit into. Constants go into .rodata, where equal ones are stored once.
class KernelCompiler final : public asmjit::x86::Compiler {
public:
  explicit KernelCompiler(asmjit::CodeHolder* code) : asmjit::x86::Compiler(code) {}

  /// `bits` in every 8 bytes of `bytes` (4, 8, 16, 32 or 64), aligned to as many. A wider constant
  /// of the same bits serves narrower ones too.
  asmjit::x86::Mem splat_constant(uint64_t bits, uint32_t bytes);
  /// These bytes, aligned to their number: 4, 8, 16, 32 or 64.
  asmjit::x86::Mem constant(std::span<const std::byte> bytes);
  /// Any number of bytes, aligned to a cache line.
  asmjit::Label table(std::vector<std::byte> bytes);

  /// Until the matching end_held_constants, held_constant loads up to `registers` constants once,
  /// at this place, into registers of `bytes`: ahead of a loop that uses them in every iteration.
  void begin_held_constants(unsigned registers, uint32_t bytes);
  void end_held_constants();
  /// A register that holds `bits` in every 8 bytes, not to be written to; or splat_constant, where
  /// none is left.
  asmjit::Operand held_constant(uint64_t bits, uint32_t bytes);

  /// Emits all of them behind the code, into a section of their own that starts at a multiple of
  /// `alignment`. To be called once, after the last function.
  void embed_constants(size_t alignment);

private:
  struct Constant {
    asmjit::Label label;
    size_t alignment;
    std::vector<std::byte> bytes;
  };

  asmjit::x86::Vec load_ahead(uint64_t bits);

  struct Held {
    asmjit::BaseNode* load_after = nullptr; // in the list of instructions
    unsigned registers_left = 0;
    uint32_t bytes = 0;
    std::map<uint64_t, asmjit::x86::Vec> registers; // bits -> where they are
  };

  Held held_;
  std::vector<Constant> constants_;
  std::map<uint64_t, size_t> splats_;                 // bits -> index into constants_
  std::map<std::vector<std::byte>, size_t> patterns_; // bytes -> index into constants_
};

} // namespace mo

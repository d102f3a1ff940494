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

  /// Emits all of them behind the code, into a section of their own that starts at a multiple of
  /// `alignment`. To be called once, after the last function.
  void embed_constants(size_t alignment);

private:
  struct Constant {
    asmjit::Label label;
    size_t alignment;
    std::vector<std::byte> bytes;
  };

  std::vector<Constant> constants_;
  std::map<uint64_t, size_t> splats_;                 // bits -> index into constants_
  std::map<std::vector<std::byte>, size_t> patterns_; // bytes -> index into constants_
};

} // namespace mo

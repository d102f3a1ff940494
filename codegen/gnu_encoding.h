// Where an instruction has several encodings: how GNU as is told to choose the one that asmjit
// chose.
#pragma once

#include <asmjit/x86.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace mo {

/// An instruction that does nothing.
struct Padding {
  std::span<const std::byte> bytes;
  std::string_view text;
};
/// The longest one of at most `bytes` bytes; bytes > 0.
Padding padding(size_t bytes);

/// So many of asmjit's operands, the first ones, are not written: fixed registers.
uint32_t num_implicit_operands(const asmjit::InstNode& node);

/// What the assembler is to be told, as it stands in front of the mnemonic; empty as a rule.
/// `bytes`: of the encoded instruction.
std::string_view encoding_prefix(const asmjit::InstNode& node, size_t bytes);

} // namespace mo

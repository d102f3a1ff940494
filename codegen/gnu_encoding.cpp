#include "codegen/gnu_encoding.h"

#include <algorithm>
#include <iterator>

namespace mo {

namespace x86 = asmjit::x86;
namespace I = x86::Inst;

namespace {

constexpr unsigned char kNops[][9] = {
    {0x90},
    {0x66, 0x90},
    {0x0f, 0x1f, 0x00},
    {0x0f, 0x1f, 0x40, 0},
    {0x0f, 0x1f, 0x44, 0, 0},
    {0x66, 0x0f, 0x1f, 0x44, 0, 0},
    {0x0f, 0x1f, 0x80, 0, 0, 0, 0},
    {0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0},
    {0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0},
};
constexpr std::string_view kNopTexts[] = {
    "nop",
    "xchg ax, ax",
    "nop dword ptr [rax]",
    "{disp8} nop dword ptr [rax]",
    "{disp8} nop dword ptr [rax+rax]",
    "{disp8} nop word ptr [rax+rax]",
    "{disp32} nop dword ptr [rax]",
    "{disp32} nop dword ptr [rax+rax]",
    "{disp32} nop word ptr [rax+rax]",
};
static_assert(std::size(kNops) == std::size(kNopTexts));

// A move between two vector registers, encoded by VEX.
bool is_vector_move(const asmjit::InstNode& node) {
  switch (node.id()) {
  case I::kIdVmovaps:
  case I::kIdVmovapd:
  case I::kIdVmovups:
  case I::kIdVmovupd:
  case I::kIdVmovdqa:
  case I::kIdVmovdqu:
  case I::kIdVmovss:
  case I::kIdVmovsd:
  case I::kIdVmovq: break;
  default: return false;
  }
  return node.op(0).isReg() && x86::Reg::isVec(node.op(0)) &&
         x86::Reg::isVec(node.op(node.opCount() - 1));
}

} // namespace

Padding padding(size_t bytes) {
  const size_t n = std::min(bytes, std::size(kNops));
  return {std::as_bytes(std::span(kNops[n - 1])).first(n), kNopTexts[n - 1]};
}

uint32_t num_implicit_operands(const asmjit::InstNode& node) {
  switch (node.id()) {
  case I::kIdCdq:
  case I::kIdCqo: return node.opCount(); // edx:eax, rdx:rax
  case I::kIdDiv:
  case I::kIdIdiv:
  case I::kIdMul: return node.opCount() - 1;
  default: return 0;
  }
}

std::string_view encoding_prefix(const asmjit::InstNode& node, size_t bytes) {
  // The assembler picks the short form where the distance allows; asmjit does so backwards only.
  constexpr size_t kShortJump = 2;
  const bool is_jump = node.opCount() > 0 && node.op(0).isLabel() && node.id() != I::kIdCall;
  if (is_jump && bytes > kShortJump)
    return "{disp32} ";
  // A move has an opcode for loads and one for stores. Between registers the assembler takes the
  // store where that saves a byte: a source that needs another bit, a destination that does not.
  constexpr uint32_t kFirstWithAnotherBit = 8;
  if (is_vector_move(node) && node.op(0).id() < kFirstWithAnotherBit &&
      node.op(node.opCount() - 1).id() >= kFirstWithAnotherBit)
    return "{load} ";
  return "";
}

} // namespace mo

#include "tests/codegen/c_call.h"

#include <cstddef>

namespace mo::testing {
namespace {

// What the assembly below reads, by offset.
struct Registers {
  uint64_t floats[8] = {};
  uint64_t integers[6] = {};
  void* function = nullptr;
  const uint64_t* stack = nullptr;
  uint64_t stack_words = 0;
};
static_assert(offsetof(Registers, integers) == 64 && offsetof(Registers, function) == 112 &&
              offsetof(Registers, stack) == 120 && offsetof(Registers, stack_words) == 128);

} // namespace

int call_c_function(void* function, const std::vector<CArgument>& arguments) {
  Registers registers;
  std::vector<uint64_t> on_stack;
  unsigned num_integers = 0, num_floats = 0;
  for (const CArgument& argument : arguments) {
    if (argument.is_float && num_floats < 8)
      registers.floats[num_floats++] = argument.bits;
    else if (!argument.is_float && num_integers < 6)
      registers.integers[num_integers++] = argument.bits;
    else
      on_stack.push_back(argument.bits);
  }
  registers.function = function;
  registers.stack = on_stack.data();
  registers.stack_words = on_stack.size();
  const Registers* from = &registers;
  uint64_t status = 0;
  // Steps over the red zone, copies what goes on the stack to its aligned end, loads the registers.
  asm volatile("mov %%rsp, %%r12\n\t"
               "mov %%rdi, %%r13\n\t"
               "mov 120(%%r13), %%rsi\n\t"
               "mov 128(%%r13), %%rcx\n\t"
               "lea -128(%%rsp), %%rsp\n\t"
               "lea 0(,%%rcx,8), %%rax\n\t"
               "sub %%rax, %%rsp\n\t"
               "and $-16, %%rsp\n\t"
               "mov %%rsp, %%rdi\n\t"
               "cld\n\t"
               "rep movsq\n\t"
               "movsd 0(%%r13), %%xmm0\n\t"
               "movsd 8(%%r13), %%xmm1\n\t"
               "movsd 16(%%r13), %%xmm2\n\t"
               "movsd 24(%%r13), %%xmm3\n\t"
               "movsd 32(%%r13), %%xmm4\n\t"
               "movsd 40(%%r13), %%xmm5\n\t"
               "movsd 48(%%r13), %%xmm6\n\t"
               "movsd 56(%%r13), %%xmm7\n\t"
               "mov 64(%%r13), %%rdi\n\t"
               "mov 72(%%r13), %%rsi\n\t"
               "mov 80(%%r13), %%rdx\n\t"
               "mov 88(%%r13), %%rcx\n\t"
               "mov 96(%%r13), %%r8\n\t"
               "mov 104(%%r13), %%r9\n\t"
               "call *112(%%r13)\n\t"
               "mov %%r12, %%rsp\n\t"
               : "=a"(status), "+D"(from)
               :
               : "rsi", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "memory", "cc",
                 "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
                 "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  return static_cast<int>(status);
}

} // namespace mo::testing

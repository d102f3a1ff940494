#include "codegen/emit_c_function.h"

#include <array>

namespace mo {

namespace x86 = asmjit::x86;

namespace {

constexpr int32_t kWord = 8;

// By argument: the element type of a scalar; nothing for a buffer.
std::vector<std::optional<ElementType>> scalar_types(const Kernel& kernel) {
  std::vector<std::optional<ElementType>> types(kernel.num_arguments);
  for (const ScalarParam& scalar : kernel.scalars)
    types[scalar.argument] = kernel.regs[scalar.reg.index].type;
  return types;
}

// Where the caller left the arguments, one after the other (System V ABI, section 3.2.3).
class CallerArguments {
public:
  explicit CallerArguments(KernelCompiler& cc, Isa isa) : cc_(cc), isa_(isa) {}

  void store_next(bool is_float, const x86::Mem& to) {
    constexpr std::array kIntegers{x86::rdi, x86::rsi, x86::rdx, x86::rcx, x86::r8, x86::r9};
    constexpr uint32_t kFloats = 8; // xmm0 to xmm7
    if (is_float && floats_ < kFloats) {
      cc_.emit(isa_ == Isa::SSE42 ? x86::Inst::kIdMovsd : x86::Inst::kIdVmovsd, to,
               x86::xmm(floats_++));
    } else if (!is_float && integers_ < kIntegers.size()) {
      cc_.mov(to, kIntegers[integers_++]);
    } else {
      cc_.mov(x86::rax, x86::qword_ptr(x86::rbp, kFirstOnStack + kWord * on_stack_++));
      cc_.mov(to, x86::rax);
    }
  }

private:
  static constexpr int32_t kFirstOnStack = 2 * kWord; // above the saved rbp and the return address
  KernelCompiler& cc_;
  Isa isa_;
  uint32_t integers_ = 0, floats_ = 0;
  int32_t on_stack_ = 0;
};

} // namespace

void emit_c_function(KernelCompiler& cc, const Kernel& kernel, Isa isa,
                     const asmjit::Label& entry) {
  const auto scalars = scalar_types(kernel);
  const auto count = static_cast<int32_t>(scalars.size());
  // At rsp an array of pointers, one per argument; behind it the scalars that some of them point
  // to.
  const int32_t frame = (kWord * (count + static_cast<int32_t>(kernel.scalars.size())) + 15) & ~15;
  cc.push(x86::rbp);
  cc.mov(x86::rbp, x86::rsp);
  if (frame > 0)
    cc.sub(x86::rsp, frame);
  CallerArguments arguments(cc, isa);
  int32_t scalar_at = kWord * count;
  for (int32_t k = 0; k < count; ++k) {
    const x86::Mem pointer = x86::qword_ptr(x86::rsp, kWord * k);
    const auto& type = scalars[static_cast<size_t>(k)];
    if (!type) {
      arguments.store_next(false, pointer);
      continue;
    }
    arguments.store_next(is_float(*type), x86::qword_ptr(x86::rsp, scalar_at));
    cc.lea(x86::rax, x86::ptr(x86::rsp, scalar_at));
    cc.mov(pointer, x86::rax);
    scalar_at += kWord;
  }
  cc.mov(x86::rdi, x86::rsp);
  cc.call(entry);
  cc.mov(x86::rsp, x86::rbp);
  cc.pop(x86::rbp);
  cc.emit(x86::Inst::kIdRet); // cc.ret() is for functions whose registers asmjit allocates
}

} // namespace mo

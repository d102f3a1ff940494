#include "tests/codegen/jit_support.h"

#include <fmt/format.h>

#include <bit>

#include "tests/codegen/guarded_call.h"

namespace mo::testing {
std::string jit_mismatch(const Kernel& kernel, const LoopArguments& arguments, Isa isa,
                         size_t misalign, bool spread) {
  Diagnostics diagnostics;
  std::optional<CompiledKernel> compiled = compile(kernel, isa, diagnostics);
  if (!compiled)
    return fmt::format("{}: {}", spelling(isa), diagnostics.all().at(0).message);
  GuardedCall call(kernel, arguments, misalign, spread);
  if (uint64_t status = compiled->entry(call.pointers.data()))
    return fmt::format("{}: returned {}", spelling(isa), status);
  LoopArguments expected = arguments;
  CompiledMath math(isa);
  evaluate(kernel, expected, VectorLoops::InOrder, &math);
  std::string complaint = call.mismatch(kernel, expected);
  return complaint.empty() ? "" : fmt::format("{}: {}", spelling(isa), complaint);
}

std::string jit_mismatch(const Kernel& kernel, const LoopArguments& arguments) {
  for (Isa isa : host_isas())
    if (std::string complaint = jit_mismatch(kernel, arguments, isa); !complaint.empty())
      return complaint;
  return "";
}

std::vector<uint64_t> small_numbers(ElementType type, int64_t count, uint64_t seed) {
  std::vector<uint64_t> bits;
  uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    int64_t number = static_cast<int64_t>(state >> 58) - 32;
    switch (type) {
    case ElementType::F32:
      bits.push_back(std::bit_cast<uint32_t>(static_cast<float>(number)));
      break;
    case ElementType::F64:
      bits.push_back(std::bit_cast<uint64_t>(static_cast<double>(number)));
      break;
    case ElementType::I1: bits.push_back(number & 1); break;
    case ElementType::I32: bits.push_back(static_cast<uint32_t>(number)); break;
    default: bits.push_back(static_cast<uint64_t>(number));
    }
  }
  return bits;
}

LoopArguments small_arguments(const Kernel& kernel, uint64_t seed) {
  LoopArguments arguments(kernel.num_arguments);
  for (const Buffer& buffer : kernel.buffers)
    if (buffer.kind == Buffer::Kind::Argument)
      arguments[buffer.argument] =
          small_numbers(buffer.element, buffer.elements, seed + buffer.argument);
  for (const ScalarParam& scalar : kernel.scalars)
    arguments[scalar.argument] =
        small_numbers(kernel.regs[scalar.reg.index].type, 1, seed + scalar.argument);
  return arguments;
}

} // namespace mo::testing

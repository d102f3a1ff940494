#include "tests/codegen/jit_support.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <deque>

#include "runtime/array.h"

namespace mo::testing {
namespace {

bool is_nan(uint64_t bits, ElementType type) {
  if (type == ElementType::F32)
    return std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return type == ElementType::F64 && std::isnan(std::bit_cast<double>(bits));
}

// The arguments of one call, in guarded memory.
struct Call {
  std::deque<Array> arrays; // buffers, by buffer index among the arguments
  std::deque<uint64_t> scalars;
  std::vector<void*> pointers;
};

Call make_call(const Kernel& kernel, const LoopArguments& arguments, size_t misalign, bool spread) {
  Call call;
  call.pointers.resize(kernel.num_arguments);
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.kind != Buffer::Kind::Argument)
      continue;
    size_t shift = spread ? misalign * (1 + call.arrays.size()) % 64 : misalign;
    Array array = *Array::allocate_guarded({buffer.elements}, buffer.element, shift);
    for (int64_t i = 0; i < buffer.elements; ++i)
      array.set_bits(i, arguments[buffer.argument][i]);
    call.pointers[buffer.argument] = call.arrays.emplace_back(std::move(array)).data();
  }
  for (const ScalarParam& scalar : kernel.scalars)
    call.pointers[scalar.argument] = &call.scalars.emplace_back(arguments[scalar.argument][0]);
  return call;
}

std::string compare(const Kernel& kernel, const Call& call, const LoopArguments& expected) {
  size_t k = 0;
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.kind != Buffer::Kind::Argument)
      continue;
    const Array& array = call.arrays[k++];
    if (!array.guard_intact())
      return fmt::format("a byte outside of {} was written", buffer.name);
    for (int64_t i = 0; i < buffer.elements; ++i) {
      uint64_t want = expected[buffer.argument][i], got = array.bits(i);
      if (want != got && !(is_nan(want, buffer.element) && is_nan(got, buffer.element)))
        return fmt::format("{}[{}] is {:#x}, not {:#x}", buffer.name, i, got, want);
    }
  }
  return "";
}

} // namespace

std::string jit_mismatch(const Kernel& kernel, const LoopArguments& arguments, Isa isa,
                         size_t misalign, bool spread) {
  Diagnostics diagnostics;
  std::optional<CompiledKernel> compiled = compile(kernel, isa, diagnostics);
  if (!compiled)
    return fmt::format("{}: {}", spelling(isa), diagnostics.all().at(0).message);
  Call call = make_call(kernel, arguments, misalign, spread);
  if (uint64_t status = compiled->entry(call.pointers.data()))
    return fmt::format("{}: returned {}", spelling(isa), status);
  LoopArguments expected = arguments;
  CompiledMath math(isa);
  evaluate(kernel, expected, VectorLoops::InOrder, &math);
  std::string complaint = compare(kernel, call, expected);
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

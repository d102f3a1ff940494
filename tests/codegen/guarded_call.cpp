#include "tests/codegen/guarded_call.h"

#include <fmt/format.h>

#include "tests/support/element_bits.h"

namespace mo::testing {

GuardedCall::GuardedCall(const Kernel& kernel, const LoopArguments& arguments, size_t misalign,
                         bool spread) {
  pointers.resize(kernel.num_arguments);
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.kind != Buffer::Kind::Argument)
      continue;
    size_t shift = spread ? misalign * (1 + arrays_.size()) % 64 : misalign;
    Array array = *Array::allocate_guarded({buffer.elements}, buffer.element, shift);
    for (int64_t i = 0; i < buffer.elements; ++i)
      array.set_bits(i, arguments[buffer.argument][static_cast<size_t>(i)]);
    pointers[buffer.argument] = arrays_.emplace_back(std::move(array)).data();
  }
  for (const ScalarParam& scalar : kernel.scalars)
    pointers[scalar.argument] = &scalars_.emplace_back(arguments[scalar.argument][0]);
}

std::string GuardedCall::mismatch(const Kernel& kernel, const LoopArguments& expected) const {
  size_t k = 0;
  for (const Buffer& buffer : kernel.buffers) {
    if (buffer.kind != Buffer::Kind::Argument)
      continue;
    const Array& array = arrays_[k++];
    if (!array.guard_intact())
      return fmt::format("a byte outside of {} was written", buffer.name);
    for (int64_t i = 0; i < buffer.elements; ++i) {
      uint64_t want = expected[buffer.argument][static_cast<size_t>(i)], got = array.bits(i);
      if (want != got && !(is_nan(want, buffer.element) && is_nan(got, buffer.element)))
        return fmt::format("{}[{}] is {:#x}, not {:#x}", buffer.name, i, got, want);
    }
  }
  return "";
}

} // namespace mo::testing

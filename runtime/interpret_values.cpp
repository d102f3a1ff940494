#include "runtime/interpret_values.h"

#include "runtime/strided_copy.h"

namespace mo {

bool detach_snapshot(BufferState& buffer) {
  TensorRef snapshot = buffer.snapshot.lock();
  buffer.snapshot.reset();
  if (!snapshot || !snapshot->borrowed)
    return true;
  snapshot->owned = snapshot->borrowed->clone();
  if (!snapshot->owned)
    return false;
  snapshot->borrowed = nullptr;
  return true;
}

void make_odd(Array& array) {
  const auto odd_element = [](ElementType type) -> uint64_t {
    switch (type) {
    case ElementType::F32: return 0x7FC00000; // NaN
    case ElementType::F64: return 0x7FF8000000000000;
    case ElementType::I1: return 1;
    default: return 0x5A5A5A5A5A5A5A5A >> (64 - bit_width(type));
    }
  };
  fill_elements(array.data(), odd_element(array.element()), static_cast<size_t>(array.count()),
                byte_size(array.element()));
}

std::optional<Array> array_of(const Scalar& scalar) {
  std::optional<Array> array = Array::allocate({}, scalar.type);
  if (array)
    array->set_bits(0, scalar.bits);
  return array;
}

} // namespace mo

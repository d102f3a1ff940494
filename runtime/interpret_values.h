// What the values of a function are while the interpreter runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "runtime/array.h"

namespace mo {

/// The contents of a tensor: memory of its own, or memory of an argument or a memref, borrowed as
/// long as nobody writes it.
struct TensorContents {
  std::optional<Array> owned;
  const Array* borrowed = nullptr; // null once `owned` holds something
  const Array& array() const { return owned ? *owned : *borrowed; }
};

/// Tensor values with the same contents share them. Contents that are shared do not change.
using TensorRef = std::shared_ptr<TensorContents>;

/// A memref.
struct BufferState {
  std::optional<Array> owned; // what an alloc or a constant got; nothing for an argument
  Array* array = nullptr;     // the argument's or `owned`
  std::weak_ptr<TensorContents>
      snapshot; // the tensor that borrows this memory, if somebody holds it
};
using BufferRef = std::shared_ptr<BufferState>;

struct NoValue {};     // not yet defined, or not needed any more
struct EmptyTensor {}; // tensor.empty: gets memory when somebody needs it

using InterpretedValue = std::variant<NoValue, Scalar, EmptyTensor, TensorRef, BufferRef>;

/// Call before writing to the buffer: a tensor that borrows its memory gets a copy of what is there
/// now. False where the memory for that is not to be had.
bool detach_snapshot(BufferState& buffer);

/// Fills the array with values unlike those that programs compute with, as far as that is possible.
void make_odd(Array& array);

/// Of rank 0; nothing without memory.
std::optional<Array> array_of(const Scalar& scalar);

} // namespace mo

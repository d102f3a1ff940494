#include "runtime/interpret_values.h"

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

} // namespace mo

// Counting walks over memory: what the lab's `passes` and `useful` columns say.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace mo {

/// Full walks over the large arrays that a buffer-level function makes: each generic, fill and copy
/// walks once over every large buffer that it reads and once over every one that it writes. Large:
/// at least half as many bytes as the largest buffer. A model: caches, and the line that an
/// ordinary store fetches before it overwrites it, are left out.
int walks_over_memory(const Function& buffers);

/// Bytes of each memref.alloc, in program order.
std::vector<int64_t> allocated_bytes(const Function& buffers);

/// Which arguments hold something that the function uses, and which does it write. A scalar is
/// neither. Works at both levels.
struct ArgumentUse {
  bool read = false, written = false;
};
std::vector<ArgumentUse> argument_uses(const Function& function);

/// Bytes that any implementation has to move: every input read once, every output (results
/// included) written once.
struct UsefulBytes {
  int64_t read = 0, written = 0;
};
UsefulBytes useful_bytes(const Function& function);

} // namespace mo

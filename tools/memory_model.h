// Counting walks over memory: what the lab's `passes` and `useful` columns say.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/loop_nest.h"
#include "ir/function.h"

namespace mo {

/// Full walks over the large arrays that a kernel makes: each nest walks once over every large
/// buffer that it reads and once over every one that it writes; where several ops share an outer
/// loop they are one nest, as a row is still in cache when the next one comes to it. Large: at
/// least half as many bytes as the largest buffer. A model: the line that an ordinary store fetches
/// before it overwrites it is left out.
int walks_over_memory(const Kernel& loops);

/// Bytes of each temp, in program order.
std::vector<int64_t> allocated_bytes(const Kernel& loops);

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

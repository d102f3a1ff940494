// Counting walks over memory: what the lab's `passes` and `useful` columns say.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/loop_nest.h"
#include "ir/function.h"

namespace mo {

/// A nest's full walk over a large array, to read it or to write it.
struct Walk {
  uint32_t buffer = 0; // index into Kernel::buffers
  bool writes = false;
  bool streaming = false; // all its stores go around the caches
  unsigned nest = 0;      // which one of the kernel, from 0
  Loc loc;                // of the nest
};

/// The full walks over the large arrays that a kernel makes, nest by nest: each nest walks once
/// over every large buffer that it reads and once over every one that it writes; where several ops
/// share an outer loop they are one nest, as a row is still in cache when the next one comes to it.
/// Large: at least half as many bytes as the largest buffer. A model: the line that an ordinary
/// store fetches before it overwrites it is left out.
std::vector<Walk> walks_of(const Kernel& loops);
/// How many there are, counted on its own (tests compare the two).
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

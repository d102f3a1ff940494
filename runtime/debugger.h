// Code made at run time, made known to a debugger.
#pragma once

#include <cstddef>
#include <vector>

#include "codegen/jit_memory.h"

namespace mo {

/// Announces an ELF image (debug_image in codegen/object_file.h) of the code in `pages` by the
/// interface that gdb and lldb watch ("JIT Compilation Interface" in gdb's manual). Both are kept
/// until the process ends: a breakpoint outlives what its code was registered by, and a debugger
/// that is to insert one where no memory is any more cannot go on.
void register_with_debugger(JitPages pages, std::vector<std::byte> image);

} // namespace mo

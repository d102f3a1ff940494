// Machine code as a file that a linker takes, or a debugger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codegen/dwarf.h"
#include "codegen/machine_code.h"

namespace mo {

/// A relocatable ELF64 object: .text, .rodata, symbols, line table, frame information. Position
/// independent, so that it links into programs and shared libraries alike. Undefined symbols are
/// the functions of the C library that the code calls, and nothing else.
std::vector<std::byte> object_file(const std::vector<MachineCode>& kernels,
                                   const SourceName& source);

/// What a debugger is told of code that runs in this process from `address` on: an ELF file with
/// symbols, lines, frames, and no code. `jumps` are places behind the code that are not the
/// kernel's own: they get a symbol and a frame.
std::vector<std::byte> debug_image(const MachineCode& code,
                                   const std::vector<MachineCode::Part>& jumps,
                                   const SourceName& source, uint64_t address);

} // namespace mo

// Machine code as a file that a linker takes.
#pragma once

#include <cstddef>
#include <vector>

#include "codegen/dwarf.h"
#include "codegen/machine_code.h"

namespace mo {

/// A relocatable ELF64 object: .text, .rodata, symbols, line table, frame information. Position
/// independent, so that it links into programs and shared libraries alike. Undefined symbols are
/// the functions of the C library that the code calls, and nothing else.
std::vector<std::byte> object_file(const std::vector<MachineCode>& kernels,
                                   const SourceName& source);

} // namespace mo

// What a debugger wants to know about machine code, in DWARF 4: names, lines, and how to find the
// caller.
#pragma once

#include <string>
#include <vector>

#include "codegen/elf_writer.h"
#include "codegen/machine_code.h"

namespace mo {

/// The file that the Locs of the code refer to.
struct SourceName {
  std::string name;      // as the user gave it
  std::string directory; // where that is relative to: absolute
};

/// Adds .debug_line, .debug_abbrev, .debug_loc and .debug_info to `file`, whose section `text`
/// holds the code. The line table has a row wherever the code passes to another place in the
/// source; each form of a loop's body is a block of its function, which knows the values in vector
/// registers.
void add_debug_sections(ElfFile& file, size_t text, const MachineCode& code,
                        const SourceName& source);

/// Adds .eh_frame (System V ABI for AMD64, section 4.2.4), for code that is to be linked.
void add_eh_frame(ElfFile& file, size_t text, const MachineCode& code);
/// Adds .debug_frame (DWARF 4, section 6.4), which says the same by absolute addresses: for code
/// that stands where no 32-bit distance reaches. A part without steps keeps rsp as it was.
void add_debug_frame(ElfFile& file, size_t text, const std::vector<MachineCode::Part>& parts,
                     const std::vector<MachineCode::FrameStep>& steps);

} // namespace mo

// A debug section in the making. Private to codegen/dwarf*.cpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "codegen/byte_writer.h"
#include "codegen/dwarf.h"
#include "codegen/elf_writer.h"

namespace mo {

inline constexpr uint16_t kDwarfVersion = 4;

/// Its bytes, and the places among them that hold addresses and offsets into other sections.
struct DebugSection {
  ByteWriter bytes;
  std::vector<ElfRelocation> relocations;

  void address(size_t text, size_t offset) {
    relocations.push_back({bytes.size(), R_X86_64_64, ElfRelocation::Target::Section, text,
                           static_cast<int64_t>(offset)});
    bytes.u64(0);
  }
  void place_in(size_t section, size_t offset = 0) {
    relocations.push_back({bytes.size(), R_X86_64_32, ElfRelocation::Target::Section, section,
                           static_cast<int64_t>(offset)});
    bytes.u32(0);
  }
  void add_to(ElfFile& file, std::string name) {
    file.sections.push_back(
        {std::move(name), SHT_PROGBITS, 0, 1, bytes.take(), std::move(relocations)});
  }
};

/// Adds .debug_abbrev, .debug_loc and .debug_info: names, types, and where values are. `line` is
/// the index of .debug_line.
void add_info_sections(ElfFile& file, size_t text, size_t line, const MachineCode& code,
                       const SourceName& source);

} // namespace mo

// A relocatable ELF64 file for x86-64 (System V ABI, chapters 4 and 5, and its AMD64 supplement).
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mo {

/// A place in a section that the linker fills in.
struct ElfRelocation {
  uint64_t offset = 0;
  uint32_t type = R_X86_64_NONE;
  enum class Target : uint8_t { Section, Symbol } target = Target::Section;
  size_t index = 0; // into ElfFile::sections or symbols
  int64_t addend = 0;
};

struct ElfSection {
  std::string name;
  uint32_t type = SHT_PROGBITS;
  uint64_t flags = 0; // SHF_...
  uint64_t alignment = 1;
  std::vector<std::byte> bytes;
  std::vector<ElfRelocation> relocations; // they get a section of their own
  uint64_t address = 0;                   // where it stands in memory, if it does already
  uint64_t size_without_bytes = 0;        // SHT_NOBITS: there, and not in the file
};

struct ElfSymbol {
  std::string name;
  bool global = false;
  bool defined = true; // a function in section `section`; else one that the linker is to find
  size_t section = 0;  // index into ElfFile::sections
  uint64_t offset = 0, size = 0;
};

struct ElfFile {
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
};

/// The bytes of the file. Every section gets a symbol that stands for its start.
std::vector<std::byte> write_elf(const ElfFile& file);

} // namespace mo

// Reads an ELF64 file of x86-64: what tests ask about objects.
#pragma once

#include <elf.h>

#include <string>
#include <vector>

namespace mo::testing {

class ElfImage {
public:
  /// Throws std::runtime_error where the file is none.
  explicit ElfImage(std::string bytes);
  static ElfImage read(const std::string& path);

  /// The bytes of a section; "" where there is none of that name.
  std::string section(const std::string& name) const;
  bool has_section(const std::string& name) const;
  /// The relocations of a section in order: "12 R_4 malloc-4", "16 R_2 .rodata+60".
  std::vector<std::string> relocations(const std::string& section) const;

  struct Symbol {
    std::string name;
    bool global = false, function = false, defined = false;
    uint64_t value = 0, size = 0;
  };
  std::vector<Symbol> symbols() const; // sections have the name of the section
  std::vector<std::string> undefined_symbols() const;

private:
  const Elf64_Shdr* header(const std::string& name) const;
  std::string string_at(const Elf64_Shdr& table, size_t offset) const;

  std::string bytes_;
  std::vector<Elf64_Shdr> headers_;
};

} // namespace mo::testing

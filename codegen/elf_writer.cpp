#include "codegen/elf_writer.h"

#include <cstring>
#include <string_view>

#include "codegen/byte_writer.h"

namespace mo {
namespace {

constexpr uint64_t kTableAlignment = 8;

class Strings {
public:
  uint32_t add(std::string_view text) {
    if (text.empty())
      return 0; // the empty string at the start
    const auto offset = static_cast<uint32_t>(bytes_.size());
    bytes_.string(text);
    return offset;
  }
  std::vector<std::byte> take() { return bytes_.take(); }

  Strings() { bytes_.u8(0); }

private:
  ByteWriter bytes_;
};

class ElfWriter {
public:
  explicit ElfWriter(const ElfFile& file) : file_(file) { out_.raw(&header_, sizeof(header_)); }

  std::vector<std::byte> write() {
    headers_.push_back({}); // section 0 is none
    for (const ElfSection& section : file_.sections) {
      Elf64_Shdr& header =
          add_section(section.name, section.type, section.flags, section.alignment, section.bytes);
      header.sh_addr = section.address;
      header.sh_size += section.size_without_bytes;
    }
    // Section k of file_ is section k + 1 here; behind those stand the tables.
    const auto symtab = static_cast<uint32_t>(headers_.size());
    add_symbols(symtab + 1);
    add_section(".strtab", SHT_STRTAB, 0, 1, names_.take());
    for (size_t k = 0; k < file_.sections.size(); ++k)
      if (!file_.sections[k].relocations.empty())
        add_relocations(file_.sections[k], static_cast<uint32_t>(k + 1), symtab);
    return finish();
  }

private:
  Elf64_Shdr& add_section(std::string_view name, uint32_t type, uint64_t flags, uint64_t alignment,
                          const std::vector<std::byte>& bytes) {
    out_.align(alignment);
    Elf64_Shdr& header = headers_.emplace_back();
    header.sh_name = section_names_.add(name);
    header.sh_type = type;
    header.sh_flags = flags;
    header.sh_offset = out_.size();
    header.sh_size = bytes.size();
    header.sh_addralign = alignment;
    out_.raw(bytes.data(), bytes.size());
    return header;
  }

  // Local ones come first: none, the sections, then those of the file.
  void add_symbols(uint32_t strtab) {
    ByteWriter table;
    const auto add = [&](const Elf64_Sym& symbol) { table.raw(&symbol, sizeof(symbol)); };
    add({});
    for (size_t k = 0; k < file_.sections.size(); ++k) {
      Elf64_Sym symbol{};
      symbol.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
      symbol.st_shndx = static_cast<Elf64_Section>(k + 1);
      add(symbol);
    }
    symbol_numbers_.resize(file_.symbols.size());
    uint32_t number = static_cast<uint32_t>(file_.sections.size()) + 1, first_global = 0;
    for (const bool global : {false, true}) {
      first_global = number; // in the end, of the second round
      for (size_t k = 0; k < file_.symbols.size(); ++k)
        if (file_.symbols[k].global == global) {
          symbol_numbers_[k] = number++;
          add(symbol_entry(file_.symbols[k]));
        }
    }
    Elf64_Shdr& header = add_section(".symtab", SHT_SYMTAB, 0, kTableAlignment, table.take());
    header.sh_link = strtab;
    header.sh_info = first_global;
    header.sh_entsize = sizeof(Elf64_Sym);
  }

  Elf64_Sym symbol_entry(const ElfSymbol& symbol) {
    Elf64_Sym entry{};
    entry.st_name = names_.add(symbol.name);
    const int binding = symbol.global ? STB_GLOBAL : STB_LOCAL;
    const int type = symbol.defined ? STT_FUNC : STT_NOTYPE;
    entry.st_info = static_cast<unsigned char>(ELF64_ST_INFO(binding, type));
    entry.st_shndx = symbol.defined ? static_cast<Elf64_Section>(symbol.section + 1) : SHN_UNDEF;
    entry.st_value = symbol.offset;
    entry.st_size = symbol.size;
    return entry;
  }

  void add_relocations(const ElfSection& section, uint32_t number, uint32_t symtab) {
    ByteWriter table;
    for (const ElfRelocation& relocation : section.relocations) {
      const bool is_section = relocation.target == ElfRelocation::Target::Section;
      const uint64_t symbol = is_section ? relocation.index + 1 : symbol_numbers_[relocation.index];
      const Elf64_Rela entry{relocation.offset, ELF64_R_INFO(symbol, relocation.type),
                             relocation.addend};
      table.raw(&entry, sizeof(entry));
    }
    Elf64_Shdr& header =
        add_section(".rela" + section.name, SHT_RELA, SHF_INFO_LINK, kTableAlignment, table.take());
    header.sh_link = symtab;
    header.sh_info = number;
    header.sh_entsize = sizeof(Elf64_Rela);
  }

  std::vector<std::byte> finish() {
    const uint32_t name = section_names_.add(".shstrtab");
    add_section("", SHT_STRTAB, 0, 1, section_names_.take()).sh_name = name;
    out_.align(kTableAlignment);
    std::memcpy(header_.e_ident, ELFMAG, SELFMAG);
    header_.e_ident[EI_CLASS] = ELFCLASS64;
    header_.e_ident[EI_DATA] = ELFDATA2LSB;
    header_.e_ident[EI_VERSION] = EV_CURRENT;
    header_.e_type = ET_REL;
    header_.e_machine = EM_X86_64;
    header_.e_version = EV_CURRENT;
    header_.e_shoff = out_.size();
    header_.e_ehsize = sizeof(Elf64_Ehdr);
    header_.e_shentsize = sizeof(Elf64_Shdr);
    header_.e_shnum = static_cast<Elf64_Half>(headers_.size());
    header_.e_shstrndx = static_cast<Elf64_Half>(headers_.size() - 1);
    out_.raw(headers_.data(), headers_.size() * sizeof(Elf64_Shdr));
    std::vector<std::byte> bytes = out_.take();
    std::memcpy(bytes.data(), &header_, sizeof(header_));
    return bytes;
  }

  const ElfFile& file_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Shdr> headers_;
  ByteWriter out_;
  Strings names_, section_names_;
  std::vector<uint32_t> symbol_numbers_; // by index into file_.symbols
};

} // namespace

std::vector<std::byte> write_elf(const ElfFile& file) {
  return ElfWriter(file).write();
}

} // namespace mo

#include "tests/support/elf_image.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

template <class T> std::vector<T> records(const std::string& bytes) {
  std::vector<T> result(bytes.size() / sizeof(T));
  if (!result.empty()) // memcpy takes no null
    std::memcpy(result.data(), bytes.data(), result.size() * sizeof(T));
  return result;
}

} // namespace

ElfImage::ElfImage(std::string bytes) : bytes_(std::move(bytes)) {
  Elf64_Ehdr elf;
  if (bytes_.size() < sizeof(elf) || std::memcmp(bytes_.data(), ELFMAG, SELFMAG) != 0)
    throw std::runtime_error("not an ELF file");
  std::memcpy(&elf, bytes_.data(), sizeof(elf));
  headers_ = records<Elf64_Shdr>(bytes_.substr(elf.e_shoff, elf.e_shnum * sizeof(Elf64_Shdr)));
  const Elf64_Shdr names = headers_.at(elf.e_shstrndx);
  for (Elf64_Shdr& h : headers_) // from here on: where in the file the name is
    h.sh_name += static_cast<Elf64_Word>(names.sh_offset);
}

ElfImage ElfImage::read(const std::string& path) {
  return ElfImage(read_file(path));
}

const Elf64_Shdr* ElfImage::header(const std::string& name) const {
  for (const Elf64_Shdr& h : headers_)
    if (name == bytes_.c_str() + h.sh_name)
      return &h;
  return nullptr;
}

bool ElfImage::has_section(const std::string& name) const {
  return header(name) != nullptr;
}

std::string ElfImage::section(const std::string& name) const {
  const Elf64_Shdr* h = header(name);
  return h ? bytes_.substr(h->sh_offset, h->sh_size) : "";
}

std::string ElfImage::string_at(const Elf64_Shdr& table, size_t offset) const {
  return bytes_.c_str() + table.sh_offset + offset;
}

std::vector<ElfImage::Symbol> ElfImage::symbols() const {
  const Elf64_Shdr* table = header(".symtab");
  if (!table)
    return {};
  std::vector<Symbol> result;
  for (const Elf64_Sym& s : records<Elf64_Sym>(section(".symtab"))) {
    const bool is_section = ELF64_ST_TYPE(s.st_info) == STT_SECTION;
    result.push_back({is_section ? std::string(bytes_.c_str() + headers_.at(s.st_shndx).sh_name)
                                 : string_at(headers_.at(table->sh_link), s.st_name),
                      ELF64_ST_BIND(s.st_info) == STB_GLOBAL, ELF64_ST_TYPE(s.st_info) == STT_FUNC,
                      s.st_shndx != SHN_UNDEF, s.st_value, s.st_size});
  }
  return result;
}

std::vector<std::string> ElfImage::undefined_symbols() const {
  std::vector<std::string> names;
  for (const Symbol& s : symbols())
    if (!s.defined && !s.name.empty())
      names.push_back(s.name);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> ElfImage::relocations(const std::string& name) const {
  const std::vector<Symbol> all = symbols();
  std::vector<std::string> result;
  for (const Elf64_Rela& r : records<Elf64_Rela>(section(".rela" + name)))
    result.push_back(std::to_string(r.r_offset) + " R_" + std::to_string(ELF64_R_TYPE(r.r_info)) +
                     " " + all.at(ELF64_R_SYM(r.r_info)).name + (r.r_addend < 0 ? "" : "+") +
                     std::to_string(r.r_addend));
  return result;
}

} // namespace mo::testing

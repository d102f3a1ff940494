#include "codegen/object_file.h"

#include <map>

namespace mo {
namespace {

void append(std::vector<std::byte>& to, const std::vector<std::byte>& bytes, std::byte filler) {
  constexpr size_t kAlignment = MachineCode::kAlignment;
  if (bytes.empty())
    return;
  to.resize((to.size() + kAlignment - 1) / kAlignment * kAlignment, filler);
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// One behind the other.
MachineCode joined(const std::vector<MachineCode>& kernels) {
  constexpr std::byte kInt3{0xcc};
  MachineCode all;
  for (const MachineCode& kernel : kernels) {
    append(all.text, kernel.text, kInt3);
    append(all.rodata, kernel.rodata, std::byte{0});
    const size_t text = all.text.size() - kernel.text.size();
    const size_t rodata = all.rodata.size() - kernel.rodata.size();
    for (MachineCode::Relocation relocation : kernel.relocations) {
      relocation.offset += text;
      if (relocation.symbol.empty())
        relocation.addend += static_cast<int64_t>(rodata);
      all.relocations.push_back(relocation);
    }
    for (MachineCode::Part part : kernel.parts) {
      part.begin += text;
      part.end += text;
      all.parts.push_back(std::move(part));
    }
    for (const MachineCode::Line& line : kernel.lines)
      all.lines.push_back({line.offset + text, line.loc});
    for (const MachineCode::LoopBody& body : kernel.loop_bodies)
      all.loop_bodies.push_back({body.begin + text, body.end + text, body.lanes, body.vectors});
    for (MachineCode::Value value : kernel.values) {
      value.begin += text;
      value.end += text;
      all.values.push_back(std::move(value));
    }
    for (MachineCode::FrameStep step : kernel.frame_steps) {
      step.offset += text;
      all.frame_steps.push_back(step);
    }
  }
  return all;
}

void add_functions(ElfFile& file, size_t text, const std::vector<MachineCode::Part>& parts) {
  for (const MachineCode::Part& part : parts)
    file.symbols.push_back({part.name, part.global, true, text, part.begin, part.end - part.begin});
}

} // namespace

std::vector<std::byte> object_file(const std::vector<MachineCode>& kernels,
                                   const SourceName& source) {
  const MachineCode code = joined(kernels);
  constexpr size_t kText = 0, kRodata = 1;
  ElfFile file;
  file.sections.push_back(
      {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, MachineCode::kAlignment, code.text, {}});
  file.sections.push_back(
      {".rodata", SHT_PROGBITS, SHF_ALLOC, MachineCode::kAlignment, code.rodata, {}});
  add_functions(file, kText, code.parts);
  std::map<std::string_view, size_t> externals;
  for (const MachineCode::Relocation& relocation : code.relocations) {
    ElfRelocation entry{relocation.offset, R_X86_64_PC32, ElfRelocation::Target::Section, kRodata,
                        relocation.addend};
    if (!relocation.symbol.empty()) {
      const auto [it, is_new] = externals.try_emplace(relocation.symbol, file.symbols.size());
      if (is_new)
        file.symbols.push_back({std::string(relocation.symbol), true, false, 0, 0, 0});
      entry.type = R_X86_64_PLT32;
      entry.target = ElfRelocation::Target::Symbol;
      entry.index = it->second;
    }
    file.sections[kText].relocations.push_back(entry);
  }
  add_debug_sections(file, kText, code, source);
  add_eh_frame(file, kText, code);
  file.sections.push_back({".note.GNU-stack", SHT_PROGBITS, 0, 1, {}, {}}); // no executable stack
  return write_elf(file);
}

std::vector<std::byte> debug_image(const MachineCode& code,
                                   const std::vector<MachineCode::Part>& jumps,
                                   const SourceName& source, uint64_t address) {
  constexpr size_t kText = 0;
  std::vector<MachineCode::Part> parts = code.parts;
  parts.insert(parts.end(), jumps.begin(), jumps.end());
  ElfSection text{".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, MachineCode::kAlignment, {}, {}};
  text.address = address;
  text.size_without_bytes = jumps.empty() ? code.text.size() : jumps.back().end;
  ElfFile file;
  file.sections.push_back(std::move(text));
  add_functions(file, kText, parts);
  add_debug_sections(file, kText, code, source);
  add_debug_frame(file, kText, parts, code.frame_steps);
  return write_elf(file);
}

} // namespace mo

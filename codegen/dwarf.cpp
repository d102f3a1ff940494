#include "codegen/dwarf.h"

#include "codegen/dwarf_section.h"

namespace mo {
namespace {

// DWARF 4, section 7.21; those that are used.
enum : uint8_t {
  DW_LNS_copy = 1,
  DW_LNS_advance_pc = 2,
  DW_LNS_advance_line = 3,
  DW_LNS_set_column = 5,
  DW_LNE_end_sequence = 1,
  DW_LNE_set_address = 2,
};

void line_header(ByteWriter& w, const SourceName& source) {
  // Special opcodes are not used: the line base and range are conventional.
  constexpr int8_t kLineBase = -5;
  constexpr uint8_t kLineRange = 14;
  constexpr uint8_t kOperandsOfOpcodes[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  const size_t length = w.begin_length();
  w.u8(1); // bytes of the shortest instruction
  w.u8(1); // operations in an instruction
  w.u8(1); // every row is where a statement may begin
  w.u8(static_cast<uint8_t>(kLineBase));
  w.u8(kLineRange);
  w.u8(std::size(kOperandsOfOpcodes) + 1);
  w.raw(kOperandsOfOpcodes, sizeof(kOperandsOfOpcodes));
  w.u8(0); // no directories but that of the unit, which is number 0
  w.string(source.name);
  w.uleb(0); // its directory
  w.uleb(0); // time and size are not told
  w.uleb(0);
  w.u8(0);
  w.end_length(length);
}

DebugSection line_section(size_t text, const MachineCode& code, const SourceName& source) {
  DebugSection section;
  ByteWriter& w = section.bytes;
  const size_t length = w.begin_length();
  w.u16(kDwarfVersion);
  line_header(w, source);
  w.u8(0); // an extended opcode of so many bytes
  w.uleb(1 + sizeof(uint64_t));
  w.u8(DW_LNE_set_address);
  section.address(text, 0);
  size_t offset = 0;
  Loc at{1, 0}; // as DWARF starts
  const auto advance_to = [&](size_t target) {
    w.u8(DW_LNS_advance_pc);
    w.uleb(target - offset);
    offset = target;
  };
  for (const MachineCode::Line& line : code.lines) {
    advance_to(line.offset);
    w.u8(DW_LNS_advance_line);
    w.sleb(int64_t{line.loc.line} - int64_t{at.line});
    w.u8(DW_LNS_set_column);
    w.uleb(line.loc.col);
    w.u8(DW_LNS_copy);
    at = line.loc;
  }
  advance_to(code.text.size());
  w.u8(0);
  w.uleb(1);
  w.u8(DW_LNE_end_sequence);
  w.end_length(length);
  return section;
}

} // namespace

void add_debug_sections(ElfFile& file, size_t text, const MachineCode& code,
                        const SourceName& source) {
  const size_t line = file.sections.size();
  line_section(text, code, source).add_to(file, ".debug_line");
  add_info_sections(file, text, line, code, source);
}

} // namespace mo

#include "codegen/dwarf.h"

#include "codegen/byte_writer.h"

namespace mo {
namespace {

// Names and numbers of DWARF 4, section 7; those that are used.
constexpr uint16_t kVersion = 4;
enum : uint8_t { DW_TAG_compile_unit = 0x11, DW_TAG_subprogram = 0x2e };
enum : uint8_t {
  DW_AT_name = 0x03,
  DW_AT_stmt_list = 0x10,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_AT_language = 0x13,
  DW_AT_comp_dir = 0x1b,
  DW_AT_producer = 0x25,
  DW_AT_decl_file = 0x3a,
  DW_AT_decl_line = 0x3b,
  DW_AT_external = 0x3f,
};
enum : uint8_t {
  DW_FORM_addr = 0x01,
  DW_FORM_data2 = 0x05,
  DW_FORM_data8 = 0x07,
  DW_FORM_string = 0x08,
  DW_FORM_data1 = 0x0b,
  DW_FORM_flag = 0x0c,
  DW_FORM_udata = 0x0f,
  DW_FORM_sec_offset = 0x17,
};
constexpr uint16_t DW_LANG_C99 = 0x0c;
enum : uint8_t {
  DW_LNS_copy = 1,
  DW_LNS_advance_pc = 2,
  DW_LNS_advance_line = 3,
  DW_LNS_set_column = 5,
  DW_LNE_end_sequence = 1,
  DW_LNE_set_address = 2,
};

enum : uint8_t { kUnitAbbreviation = 1, kFunctionAbbreviation = 2 };

std::vector<std::byte> abbreviations() {
  ByteWriter w;
  const auto begin = [&](uint8_t code, uint8_t tag, bool has_children) {
    w.uleb(code);
    w.uleb(tag);
    w.u8(has_children);
  };
  const auto attribute = [&](uint8_t name, uint8_t form) {
    w.uleb(name);
    w.uleb(form);
  };
  begin(kUnitAbbreviation, DW_TAG_compile_unit, true);
  attribute(DW_AT_producer, DW_FORM_string);
  attribute(DW_AT_language, DW_FORM_data2);
  attribute(DW_AT_name, DW_FORM_string);
  attribute(DW_AT_comp_dir, DW_FORM_string);
  attribute(DW_AT_low_pc, DW_FORM_addr);
  attribute(DW_AT_high_pc, DW_FORM_data8);
  attribute(DW_AT_stmt_list, DW_FORM_sec_offset);
  attribute(0, 0);
  begin(kFunctionAbbreviation, DW_TAG_subprogram, false);
  attribute(DW_AT_name, DW_FORM_string);
  attribute(DW_AT_external, DW_FORM_flag);
  attribute(DW_AT_decl_file, DW_FORM_data1);
  attribute(DW_AT_decl_line, DW_FORM_udata);
  attribute(DW_AT_low_pc, DW_FORM_addr);
  attribute(DW_AT_high_pc, DW_FORM_data8);
  attribute(0, 0);
  w.u8(0);
  return w.take();
}

// A section in the making, with the places that hold addresses and offsets into other sections.
struct DebugSection {
  ByteWriter bytes;
  std::vector<ElfRelocation> relocations;

  void address(size_t text, size_t offset) {
    relocations.push_back({bytes.size(), R_X86_64_64, ElfRelocation::Target::Section, text,
                           static_cast<int64_t>(offset)});
    bytes.u64(0);
  }
  void start_of(size_t section) {
    relocations.push_back({bytes.size(), R_X86_64_32, ElfRelocation::Target::Section, section, 0});
    bytes.u32(0);
  }
  void add_to(ElfFile& file, std::string name) {
    file.sections.push_back(
        {std::move(name), SHT_PROGBITS, 0, 1, bytes.take(), std::move(relocations)});
  }
};

DebugSection info_section(size_t text, size_t abbrev, size_t line, const MachineCode& code,
                          const SourceName& source) {
  DebugSection info;
  ByteWriter& w = info.bytes;
  const size_t length = w.begin_length();
  w.u16(kVersion);
  info.start_of(abbrev);
  w.u8(sizeof(uint64_t)); // bytes of an address
  w.uleb(kUnitAbbreviation);
  w.string("mini-opt");
  w.u16(DW_LANG_C99);
  w.string(source.name);
  w.string(source.directory);
  info.address(text, 0);
  w.u64(code.text.size());
  info.start_of(line);
  for (const MachineCode::Part& part : code.parts) {
    w.uleb(kFunctionAbbreviation);
    w.string(part.name);
    w.u8(part.global);
    w.u8(1); // the first and only file of the line table
    w.uleb(part.loc.line);
    info.address(text, part.begin);
    w.u64(part.end - part.begin);
  }
  w.uleb(0); // no more children
  w.end_length(length);
  return info;
}

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
  w.u16(kVersion);
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
  const size_t abbrev = file.sections.size(), line = abbrev + 1;
  file.sections.push_back({".debug_abbrev", SHT_PROGBITS, 0, 1, abbreviations(), {}});
  line_section(text, code, source).add_to(file, ".debug_line");
  info_section(text, abbrev, line, code, source).add_to(file, ".debug_info");
}

} // namespace mo

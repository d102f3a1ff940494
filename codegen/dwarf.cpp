#include "codegen/dwarf.h"

#include "codegen/byte_writer.h"

namespace mo {
namespace {

// Names and numbers of DWARF 4, section 7; those that are used.
constexpr uint16_t kVersion = 4;
enum : uint8_t {
  DW_TAG_lexical_block = 0x0b,
  DW_TAG_compile_unit = 0x11,
  DW_TAG_base_type = 0x24,
  DW_TAG_subprogram = 0x2e,
  DW_TAG_variable = 0x34,
};
enum : uint8_t {
  DW_AT_name = 0x03,
  DW_AT_byte_size = 0x0b,
  DW_AT_stmt_list = 0x10,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_AT_language = 0x13,
  DW_AT_comp_dir = 0x1b,
  DW_AT_const_value = 0x1c,
  DW_AT_producer = 0x25,
  DW_AT_decl_file = 0x3a,
  DW_AT_decl_line = 0x3b,
  DW_AT_encoding = 0x3e,
  DW_AT_external = 0x3f,
  DW_AT_type = 0x49,
};
enum : uint8_t {
  DW_FORM_addr = 0x01,
  DW_FORM_data2 = 0x05,
  DW_FORM_data8 = 0x07,
  DW_FORM_string = 0x08,
  DW_FORM_data1 = 0x0b,
  DW_FORM_flag = 0x0c,
  DW_FORM_udata = 0x0f,
  DW_FORM_ref4 = 0x13,
  DW_FORM_sec_offset = 0x17,
};
constexpr uint16_t DW_LANG_C99 = 0x0c;
constexpr uint8_t DW_ATE_unsigned = 0x07;
enum : uint8_t {
  DW_LNS_copy = 1,
  DW_LNS_advance_pc = 2,
  DW_LNS_advance_line = 3,
  DW_LNS_set_column = 5,
  DW_LNE_end_sequence = 1,
  DW_LNE_set_address = 2,
};

enum : uint8_t {
  kUnitAbbreviation = 1,
  kFunctionAbbreviation,
  kTypeAbbreviation,
  kBlockAbbreviation,
  kConstantAbbreviation,
};

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
  begin(kFunctionAbbreviation, DW_TAG_subprogram, true);
  attribute(DW_AT_name, DW_FORM_string);
  attribute(DW_AT_external, DW_FORM_flag);
  attribute(DW_AT_decl_file, DW_FORM_data1);
  attribute(DW_AT_decl_line, DW_FORM_udata);
  attribute(DW_AT_low_pc, DW_FORM_addr);
  attribute(DW_AT_high_pc, DW_FORM_data8);
  attribute(0, 0);
  begin(kTypeAbbreviation, DW_TAG_base_type, false);
  attribute(DW_AT_name, DW_FORM_string);
  attribute(DW_AT_byte_size, DW_FORM_data1);
  attribute(DW_AT_encoding, DW_FORM_data1);
  attribute(0, 0);
  begin(kBlockAbbreviation, DW_TAG_lexical_block, true);
  attribute(DW_AT_low_pc, DW_FORM_addr);
  attribute(DW_AT_high_pc, DW_FORM_data8);
  attribute(0, 0);
  begin(kConstantAbbreviation, DW_TAG_variable, false);
  attribute(DW_AT_name, DW_FORM_string);
  attribute(DW_AT_type, DW_FORM_ref4);
  attribute(DW_AT_const_value, DW_FORM_udata);
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

// .debug_info: a compile unit, in it the functions, in those the forms of loop bodies.
class InfoSection {
public:
  InfoSection(size_t text, size_t abbrev, size_t line, const MachineCode& code,
              const SourceName& source)
      : text_(text), code_(code) {
    const size_t length = w_.begin_length();
    w_.u16(kVersion);
    info_.start_of(abbrev);
    w_.u8(sizeof(uint64_t)); // bytes of an address
    w_.uleb(kUnitAbbreviation);
    w_.string("mini-opt");
    w_.u16(DW_LANG_C99);
    w_.string(source.name);
    w_.string(source.directory);
    range(0, code.text.size());
    info_.start_of(line);
    unsigned_int();
    for (const MachineCode::Part& part : code.parts)
      function(part);
    w_.uleb(kNoMoreChildren);
    w_.end_length(length);
  }

  DebugSection take() { return std::move(info_); }

private:
  static constexpr uint8_t kNoMoreChildren = 0;

  void range(size_t begin, size_t end) {
    info_.address(text_, begin);
    w_.u64(end - begin);
  }

  void unsigned_int() {
    unsigned_int_ = static_cast<uint32_t>(w_.size());
    w_.uleb(kTypeAbbreviation);
    w_.string("unsigned int");
    w_.u8(sizeof(unsigned));
    w_.u8(DW_ATE_unsigned);
  }

  void function(const MachineCode::Part& part) {
    w_.uleb(kFunctionAbbreviation);
    w_.string(part.name);
    w_.u8(part.global);
    w_.u8(1); // the first and only file of the line table
    w_.uleb(part.loc.line);
    range(part.begin, part.end);
    loop_bodies_before(part.end);
    w_.uleb(kNoMoreChildren);
  }

  // Those not written yet that begin before `end`. A debugger keeps one address per line and block,
  // and drops blocks without variables: so each has some, which also say what form this is.
  void loop_bodies_before(size_t end) {
    const std::vector<MachineCode::LoopBody>& bodies = code_.loop_bodies;
    while (next_body_ < bodies.size() && bodies[next_body_].begin < end) {
      const MachineCode::LoopBody& body = bodies[next_body_++];
      w_.uleb(kBlockAbbreviation);
      range(body.begin, body.end);
      constant("lanes", body.lanes);
      constant("vectors", body.vectors);
      loop_bodies_before(body.end);
      w_.uleb(kNoMoreChildren);
    }
  }

  void constant(std::string_view name, unsigned value) {
    w_.uleb(kConstantAbbreviation);
    w_.string(name);
    w_.u32(unsigned_int_);
    w_.uleb(value);
  }

  DebugSection info_;
  ByteWriter& w_ = info_.bytes;
  size_t text_;
  const MachineCode& code_;
  uint32_t unsigned_int_ = 0; // where the type stands: its offset in the unit
  size_t next_body_ = 0;      // of code_.loop_bodies
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
  InfoSection(text, abbrev, line, code, source).take().add_to(file, ".debug_info");
}

} // namespace mo

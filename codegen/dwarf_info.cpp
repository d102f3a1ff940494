// Names, types, and where values are: .debug_abbrev, .debug_info and .debug_loc.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "codegen/dwarf_section.h"

namespace mo {
namespace {

// Names and numbers of DWARF 4, section 7; those that are used.
enum : uint8_t {
  DW_TAG_array_type = 0x01,
  DW_TAG_lexical_block = 0x0b,
  DW_TAG_compile_unit = 0x11,
  DW_TAG_subrange_type = 0x21,
  DW_TAG_base_type = 0x24,
  DW_TAG_subprogram = 0x2e,
  DW_TAG_variable = 0x34,
};
enum : uint8_t {
  DW_AT_location = 0x02,
  DW_AT_name = 0x03,
  DW_AT_byte_size = 0x0b,
  DW_AT_stmt_list = 0x10,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_AT_language = 0x13,
  DW_AT_comp_dir = 0x1b,
  DW_AT_const_value = 0x1c,
  DW_AT_producer = 0x25,
  DW_AT_upper_bound = 0x2f,
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
enum : uint8_t { DW_ATE_float = 0x04, DW_ATE_signed = 0x05, DW_ATE_unsigned = 0x07 };
enum : uint8_t { DW_OP_reg0 = 0x50, DW_OP_regx = 0x90, DW_OP_piece = 0x93 };
constexpr uint16_t DW_LANG_C99 = 0x0c;

enum class Entry : uint8_t {
  None, // no more in this scope
  Unit,
  Function,
  LeafFunction, // with nothing in it
  Block,
  BaseType,
  ArrayType,
  Extent,
  Constant,
  Value,
};

struct Abbreviation {
  Entry code;
  uint8_t tag;
  bool has_children;
  std::vector<std::pair<uint8_t, uint8_t>> attributes; // name and form
};

std::vector<std::byte> abbreviations() {
  static const std::vector<std::pair<uint8_t, uint8_t>> kOfFunctions = {
      {DW_AT_name, DW_FORM_string},     {DW_AT_external, DW_FORM_flag},
      {DW_AT_decl_file, DW_FORM_data1}, {DW_AT_decl_line, DW_FORM_udata},
      {DW_AT_low_pc, DW_FORM_addr},     {DW_AT_high_pc, DW_FORM_data8}};
  static const Abbreviation kAll[] = {
      {Entry::Unit,
       DW_TAG_compile_unit,
       true,
       {{DW_AT_producer, DW_FORM_string},
        {DW_AT_language, DW_FORM_data2},
        {DW_AT_name, DW_FORM_string},
        {DW_AT_comp_dir, DW_FORM_string},
        {DW_AT_low_pc, DW_FORM_addr},
        {DW_AT_high_pc, DW_FORM_data8},
        {DW_AT_stmt_list, DW_FORM_sec_offset}}},
      {Entry::Function, DW_TAG_subprogram, true, kOfFunctions},
      {Entry::LeafFunction, DW_TAG_subprogram, false, kOfFunctions},
      {Entry::Block,
       DW_TAG_lexical_block,
       true,
       {{DW_AT_low_pc, DW_FORM_addr}, {DW_AT_high_pc, DW_FORM_data8}}},
      {Entry::BaseType,
       DW_TAG_base_type,
       false,
       {{DW_AT_name, DW_FORM_string},
        {DW_AT_byte_size, DW_FORM_data1},
        {DW_AT_encoding, DW_FORM_data1}}},
      {Entry::ArrayType, DW_TAG_array_type, true, {{DW_AT_type, DW_FORM_ref4}}},
      {Entry::Extent, DW_TAG_subrange_type, false, {{DW_AT_upper_bound, DW_FORM_udata}}},
      {Entry::Constant,
       DW_TAG_variable,
       false,
       {{DW_AT_name, DW_FORM_string},
        {DW_AT_type, DW_FORM_ref4},
        {DW_AT_const_value, DW_FORM_udata}}},
      {Entry::Value,
       DW_TAG_variable,
       false,
       {{DW_AT_name, DW_FORM_string},
        {DW_AT_type, DW_FORM_ref4},
        {DW_AT_location, DW_FORM_sec_offset}}},
  };
  ByteWriter w;
  for (const Abbreviation& a : kAll) {
    w.u8(static_cast<uint8_t>(a.code));
    w.uleb(a.tag);
    w.u8(a.has_children);
    for (const auto& [name, form] : a.attributes) {
      w.uleb(name);
      w.uleb(form);
    }
    w.u16(0);
  }
  w.u8(0);
  return w.take();
}

// Where a value is, as a location expression; empty where DWARF has no words for it.
std::vector<std::byte> location(const MachineCode::Value& value) {
  // The numbers of xmm0 to xmm15 (System V ABI for AMD64, figure 3.36) stand for the low 32 bytes
  // where the CPU has those. Debuggers know none of the registers behind them, nor of the upper
  // halves of 64 bytes.
  constexpr uint8_t kXmm0 = 17, kRegisters = 16, kLargestShort = 31;
  constexpr unsigned kKnownBytes = 32;
  ByteWriter w;
  if (value.reg >= kRegisters)
    return {};
  const auto number = static_cast<uint8_t>(kXmm0 + value.reg);
  if (number <= kLargestShort) {
    w.u8(static_cast<uint8_t>(DW_OP_reg0 + number));
  } else {
    w.u8(DW_OP_regx);
    w.uleb(number);
  }
  if (const unsigned bytes = value.lanes * byte_size(value.type); bytes > kKnownBytes) {
    w.u8(DW_OP_piece);
    w.uleb(kKnownBytes);
    w.u8(DW_OP_piece); // of nowhere
    w.uleb(bytes - kKnownBytes);
  }
  return w.take();
}

// A compile unit; in it types and functions, in those their values and the forms of loop bodies.
class InfoSections {
public:
  InfoSections(size_t text, size_t abbrev, size_t line, size_t loc, const MachineCode& code,
               const SourceName& source)
      : text_(text), loc_section_(loc), code_(code) {
    const size_t length = w_.begin_length();
    w_.u16(kDwarfVersion);
    info_.place_in(abbrev);
    w_.u8(sizeof(uint64_t)); // bytes of an address
    begin(Entry::Unit);
    w_.string("mini-opt");
    w_.u16(DW_LANG_C99);
    w_.string(source.name);
    w_.string(source.directory);
    range(0, code.text.size());
    info_.place_in(line);
    unsigned_int_ = base_type("unsigned int", sizeof(unsigned), DW_ATE_unsigned);
    for (const MachineCode::Value& value : code.values)
      if (!types_.contains({value.type, value.lanes}))
        add_type(value.type, value.lanes);
    for (const MachineCode::Part& part : code.parts)
      function(part);
    begin(Entry::None);
    w_.end_length(length);
  }

  DebugSection info() { return std::move(info_); }
  std::vector<std::byte> locations() { return locations_.take(); }

private:
  void begin(Entry entry) { w_.u8(static_cast<uint8_t>(entry)); }

  void range(size_t begin, size_t end) {
    info_.address(text_, begin);
    w_.u64(end - begin);
  }

  // Both return where the type stands: its offset in the unit.
  uint32_t base_type(std::string_view name, unsigned bytes, uint8_t encoding) {
    const auto place = static_cast<uint32_t>(w_.size());
    begin(Entry::BaseType);
    w_.string(name);
    w_.u8(static_cast<uint8_t>(bytes));
    w_.u8(encoding);
    return place;
  }
  uint32_t array_type(uint32_t element, unsigned lanes) {
    const auto place = static_cast<uint32_t>(w_.size());
    begin(Entry::ArrayType);
    w_.u32(element);
    begin(Entry::Extent);
    w_.uleb(lanes - 1);
    begin(Entry::None);
    return place;
  }

  void add_type(ElementType type, unsigned lanes) {
    const auto [element, is_new] = types_.try_emplace({type, 1u}, 0);
    if (is_new)
      element->second =
          base_type(spelling(type), byte_size(type), is_float(type) ? DW_ATE_float : DW_ATE_signed);
    if (lanes > 1)
      types_[{type, lanes}] = array_type(element->second, lanes);
  }

  bool is_leaf(const MachineCode::Part& part) const {
    return (next_body_ == code_.loop_bodies.size() ||
            code_.loop_bodies[next_body_].begin >= part.end) &&
           (next_value_ == code_.values.size() || code_.values[next_value_].begin >= part.end);
  }

  void function(const MachineCode::Part& part) {
    const bool leaf = is_leaf(part);
    begin(leaf ? Entry::LeafFunction : Entry::Function);
    w_.string(part.name);
    w_.u8(part.global);
    w_.u8(1); // the first and only file of the line table
    w_.uleb(part.loc.line);
    range(part.begin, part.end);
    if (leaf)
      return;
    scope(part.end);
    begin(Entry::None);
  }

  // The loop bodies and values that begin before `end` and are not written yet. A value's code may
  // be unrolled: then it is one variable, at several places.
  void scope(size_t end) {
    const std::vector<MachineCode::LoopBody>& bodies = code_.loop_bodies;
    const std::vector<MachineCode::Value>& values = code_.values;
    std::map<uint32_t, std::vector<const MachineCode::Value*>> own; // by number
    for (;;) {
      const size_t body = next_body_ < bodies.size() ? bodies[next_body_].begin : SIZE_MAX;
      const size_t value = next_value_ < values.size() ? values[next_value_].begin : SIZE_MAX;
      if (std::min(body, value) >= end)
        break;
      if (value < body) {
        own[values[next_value_].number].push_back(&values[next_value_]);
        ++next_value_;
      } else {
        loop_body(bodies[next_body_++]);
      }
    }
    for (const auto& [number, places] : own)
      variable(places, end);
  }

  // A debugger keeps one address per line and block, and drops blocks without variables: so each
  // has some, which also say what form of the body this is.
  void loop_body(const MachineCode::LoopBody& body) {
    begin(Entry::Block);
    range(body.begin, body.end);
    constant("lanes", body.lanes);
    constant("vectors", body.vectors);
    scope(body.end);
    begin(Entry::None);
  }

  void constant(std::string_view name, unsigned value) {
    begin(Entry::Constant);
    w_.string(name);
    w_.u32(unsigned_int_);
    w_.uleb(value);
  }

  void variable(const std::vector<const MachineCode::Value*>& places, size_t end) {
    const MachineCode::Value& first = *places.front();
    begin(Entry::Value);
    const bool is_name = !first.name.empty() && !(first.name[0] >= '0' && first.name[0] <= '9');
    w_.string(is_name ? first.name : "_" + first.name); // "%0": a debugger would read a number
    w_.u32(types_.at({first.type, first.lanes}));
    info_.place_in(loc_section_, locations_.size());
    for (const MachineCode::Value* place : places) {
      const std::vector<std::byte> where = location(*place);
      const size_t last = std::min(place->end, end);
      if (where.empty() || last <= place->begin)
        continue;
      locations_.u64(place->begin); // the unit begins at 0 of the code
      locations_.u64(last);
      locations_.u16(static_cast<uint16_t>(where.size()));
      locations_.raw(where.data(), where.size());
    }
    locations_.u64(0);
    locations_.u64(0);
  }

  DebugSection info_;
  ByteWriter& w_ = info_.bytes;
  ByteWriter locations_;
  size_t text_, loc_section_;
  const MachineCode& code_;
  uint32_t unsigned_int_ = 0;                                  // where the type stands
  std::map<std::pair<ElementType, unsigned>, uint32_t> types_; // of so many lanes: where it stands
  size_t next_body_ = 0, next_value_ = 0;                      // of code_
};

} // namespace

void add_info_sections(ElfFile& file, size_t text, size_t line, const MachineCode& code,
                       const SourceName& source) {
  const size_t abbrev = file.sections.size(), loc = abbrev + 1;
  InfoSections sections(text, abbrev, line, loc, code, source);
  file.sections.push_back({".debug_abbrev", SHT_PROGBITS, 0, 1, abbreviations(), {}});
  file.sections.push_back({".debug_loc", SHT_PROGBITS, 0, 1, sections.locations(), {}});
  sections.info().add_to(file, ".debug_info");
}

} // namespace mo

// Call frame information. The CFA, the address above the return address, is rsp + 8 where a
// function starts and rbp + 16 once rbp is set; registers that were pushed stand below it.
#include <array>
#include <utility>

#include "codegen/byte_writer.h"
#include "codegen/dwarf.h"

namespace mo {
namespace {

using FrameStep = MachineCode::FrameStep;

// DWARF 4, section 7.23, and the numbers of registers in the System V ABI for AMD64, figure 3.36.
enum : uint8_t {
  DW_CFA_advance_loc = 0x40, // the distance in the low bits
  DW_CFA_offset = 0x80,      // the register in the low bits
  DW_CFA_advance_loc4 = 0x04,
  DW_CFA_def_cfa = 0x0c,
  DW_CFA_def_cfa_register = 0x0d,
  DW_CFA_def_cfa_offset = 0x0e,
};
constexpr uint8_t kRbp = 6, kRsp = 7, kReturnAddress = 16;
constexpr uint8_t kPcRelative4Bytes = 0x1b; // DW_EH_PE_pcrel | DW_EH_PE_sdata4
constexpr uint64_t kWord = 8;
constexpr size_t kAlignment = 8;

uint8_t dwarf_number(uint8_t reg) {
  constexpr std::array<uint8_t, 8> kLegacy = {0, 2, 1, 3, kRsp, kRbp, 4, 5};
  return reg < kLegacy.size() ? kLegacy[reg] : reg;
}

// How the section writes the addresses of functions, and what its entries refer to.
struct FrameFormat {
  bool is_eh_frame;
  void common_entry(ByteWriter& w) const;
  void begin_entry(ByteWriter& w) const;
  void range(ByteWriter& w, std::vector<ElfRelocation>& relocations, size_t text, size_t begin,
             size_t end) const;
};

void FrameFormat::common_entry(ByteWriter& w) const {
  constexpr uint32_t kIsCommon = UINT32_MAX; // in .debug_frame
  const size_t length = w.begin_length();
  w.u32(is_eh_frame ? 0 : kIsCommon);
  w.u8(is_eh_frame ? 1 : 4);         // version
  w.string(is_eh_frame ? "zR" : ""); // with augmentation data: how addresses are written
  if (!is_eh_frame) {
    w.u8(kWord); // bytes of an address
    w.u8(0);     // and of a segment selector
  }
  w.uleb(1);                            // code offsets in bytes
  w.sleb(-static_cast<int64_t>(kWord)); // data offsets in words, downwards
  w.u8(kReturnAddress);
  if (is_eh_frame) {
    w.uleb(1);
    w.u8(kPcRelative4Bytes);
  }
  w.u8(DW_CFA_def_cfa);
  w.uleb(kRsp);
  w.uleb(kWord);
  w.u8(DW_CFA_offset | kReturnAddress);
  w.uleb(1);
  w.align(kAlignment);
  w.end_length(length);
}

// The common entry stands at 0: .eh_frame counts backwards from here, .debug_frame from the start.
void FrameFormat::begin_entry(ByteWriter& w) const {
  w.u32(is_eh_frame ? static_cast<uint32_t>(w.size()) : 0);
}

void FrameFormat::range(ByteWriter& w, std::vector<ElfRelocation>& relocations, size_t text,
                        size_t begin, size_t end) const {
  const uint32_t type = is_eh_frame ? R_X86_64_PC32 : R_X86_64_64;
  relocations.push_back(
      {w.size(), type, ElfRelocation::Target::Section, text, static_cast<int64_t>(begin)});
  if (is_eh_frame) {
    w.u32(0);
    w.u32(static_cast<uint32_t>(end - begin));
    w.uleb(0); // no augmentation data
  } else {
    w.u64(0);
    w.u64(end - begin);
  }
}

class FrameProgram {
public:
  FrameProgram(ByteWriter& w, size_t begin) : w_(w), offset_(begin) {}

  void add(const FrameStep& step) {
    advance_to(step.offset);
    switch (step.kind) {
    case FrameStep::Kind::Pushed:
      ++words_;
      if (!by_rbp_) {
        w_.u8(DW_CFA_def_cfa_offset);
        w_.uleb(words_ * kWord);
      }
      w_.u8(DW_CFA_offset | dwarf_number(step.reg));
      w_.uleb(words_);
      break;
    case FrameStep::Kind::FramePointer:
      w_.u8(DW_CFA_def_cfa_register);
      w_.uleb(kRbp);
      by_rbp_ = true;
      break;
    case FrameStep::Kind::AboutToReturn:
      w_.u8(DW_CFA_def_cfa);
      w_.uleb(kRsp);
      w_.uleb(kWord);
      break;
    }
  }

private:
  void advance_to(size_t offset) {
    const size_t distance = offset - offset_;
    if (distance < DW_CFA_advance_loc) {
      w_.u8(static_cast<uint8_t>(DW_CFA_advance_loc | distance));
    } else {
      w_.u8(DW_CFA_advance_loc4);
      w_.u32(static_cast<uint32_t>(distance));
    }
    offset_ = offset;
  }

  ByteWriter& w_;
  size_t offset_;
  uint64_t words_ = 1; // pushed, the return address among them
  bool by_rbp_ = false;
};

ElfSection frame_section(const FrameFormat& format, size_t text,
                         const std::vector<MachineCode::Part>& parts,
                         const std::vector<FrameStep>& steps) {
  ByteWriter w;
  std::vector<ElfRelocation> relocations;
  format.common_entry(w);
  for (const MachineCode::Part& part : parts) {
    const size_t length = w.begin_length();
    format.begin_entry(w);
    format.range(w, relocations, text, part.begin, part.end);
    FrameProgram program(w, part.begin);
    for (const FrameStep& step : steps)
      if (step.offset >= part.begin && step.offset < part.end)
        program.add(step);
    w.align(kAlignment);
    w.end_length(length);
  }
  ElfSection section;
  section.alignment = kAlignment;
  section.bytes = w.take();
  section.relocations = std::move(relocations);
  return section;
}

} // namespace

void add_eh_frame(ElfFile& file, size_t text, const MachineCode& code) {
  ElfSection section = frame_section({true}, text, code.parts, code.frame_steps);
  section.name = ".eh_frame";
  section.type = SHT_X86_64_UNWIND;
  section.flags = SHF_ALLOC;
  file.sections.push_back(std::move(section));
}

void add_debug_frame(ElfFile& file, size_t text, const std::vector<MachineCode::Part>& parts,
                     const std::vector<MachineCode::FrameStep>& steps) {
  ElfSection section = frame_section({false}, text, parts, steps);
  section.name = ".debug_frame";
  file.sections.push_back(std::move(section));
}

} // namespace mo

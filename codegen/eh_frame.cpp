// Call frame information. The CFA, the address above the return address, is rsp + 8 where a
// function starts and rbp + 16 once rbp is set; registers that were pushed stand below it.
#include <array>

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

void common_entry(ByteWriter& w) {
  const size_t length = w.begin_length();
  w.u32(0);                             // it is a common entry
  w.u8(1);                              // version
  w.string("zR");                       // with augmentation data: how addresses are written
  w.uleb(1);                            // code offsets in bytes
  w.sleb(-static_cast<int64_t>(kWord)); // data offsets in words, downwards
  w.u8(kReturnAddress);
  w.uleb(1);
  w.u8(kPcRelative4Bytes);
  w.u8(DW_CFA_def_cfa);
  w.uleb(kRsp);
  w.uleb(kWord);
  w.u8(DW_CFA_offset | kReturnAddress);
  w.uleb(1);
  w.align(kAlignment);
  w.end_length(length);
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

} // namespace

void add_eh_frame(ElfFile& file, size_t text, const MachineCode& code) {
  ByteWriter w;
  std::vector<ElfRelocation> relocations;
  common_entry(w);
  for (const MachineCode::Part& part : code.parts) {
    const size_t length = w.begin_length();
    w.u32(static_cast<uint32_t>(w.size())); // back to the common entry at 0
    relocations.push_back({w.size(), R_X86_64_PC32, ElfRelocation::Target::Section, text,
                           static_cast<int64_t>(part.begin)});
    w.u32(0);
    w.u32(static_cast<uint32_t>(part.end - part.begin));
    w.uleb(0); // no augmentation data
    FrameProgram program(w, part.begin);
    for (const FrameStep& step : code.frame_steps)
      if (step.offset >= part.begin && step.offset < part.end)
        program.add(step);
    w.align(kAlignment);
    w.end_length(length);
  }
  file.sections.push_back(
      {".eh_frame", SHT_X86_64_UNWIND, SHF_ALLOC, kAlignment, w.take(), std::move(relocations)});
}

} // namespace mo

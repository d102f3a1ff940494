#include "codegen/jit_link.h"

#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "codegen/external_functions.h"

namespace mo {
namespace {

constexpr size_t kJumpBytes = 16;

size_t round_up(size_t bytes, size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

// jmp qword ptr [rip]; the address.
void write_jump(std::byte* place, uint64_t address) {
  constexpr uint8_t kJump[] = {0xff, 0x25, 0, 0, 0, 0};
  std::memcpy(place, kJump, sizeof(kJump));
  std::memcpy(place + sizeof(kJump), &address, sizeof(address));
}

} // namespace

std::optional<LinkedCode> link_into_pages(const MachineCode& code) {
  std::map<std::string_view, size_t> jumps; // by symbol, offsets
  size_t end = round_up(code.text.size(), kJumpBytes);
  std::vector<MachineCode::Part> jump_parts;
  for (const MachineCode::Relocation& relocation : code.relocations)
    if (!relocation.symbol.empty() && jumps.try_emplace(relocation.symbol, end).second) {
      const size_t begin = end;
      end += kJumpBytes;
      jump_parts.push_back({"jump_to_" + std::string(relocation.symbol), begin, end, false, {}});
    }
  const size_t rodata = round_up(end, JitPages::page_bytes());

  std::optional<JitPages> pages = JitPages::map(rodata + code.rodata.size());
  if (!pages)
    return std::nullopt;
  std::byte* base = pages->data();
  std::memcpy(base, code.text.data(), code.text.size());
  if (!code.rodata.empty())
    std::memcpy(base + rodata, code.rodata.data(), code.rodata.size());
  for (const auto& [symbol, offset] : jumps)
    write_jump(base + offset, external_address(symbol));
  for (const MachineCode::Relocation& relocation : code.relocations) {
    const size_t target = relocation.symbol.empty() ? rodata : jumps.at(relocation.symbol);
    const auto distance =
        static_cast<int32_t>(static_cast<int64_t>(target - relocation.offset) + relocation.addend);
    std::memcpy(base + relocation.offset, &distance, sizeof(distance));
  }
  if (!pages->seal(end))
    return std::nullopt;
  return LinkedCode{std::move(*pages), std::move(jump_parts)};
}

} // namespace mo

// Little-endian numbers and what DWARF makes of them, one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace mo {

class ByteWriter {
public:
  size_t size() const { return bytes_.size(); }
  std::vector<std::byte> take() { return std::move(bytes_); }

  void u8(uint8_t v) { number(v); }
  void u16(uint16_t v) { number(v); }
  void u32(uint32_t v) { number(v); }
  void u64(uint64_t v) { number(v); }
  /// LEB128 (DWARF 4, section 7.6).
  void uleb(uint64_t v) {
    for (; v >= 0x80; v >>= 7)
      u8(static_cast<uint8_t>(v | 0x80));
    u8(static_cast<uint8_t>(v));
  }
  void sleb(int64_t v) {
    for (; v < -0x40 || v >= 0x40; v >>= 7)
      u8(static_cast<uint8_t>(v | 0x80));
    u8(static_cast<uint8_t>(v & 0x7f));
  }
  /// With a zero behind it.
  void string(std::string_view text) {
    raw(text.data(), text.size());
    u8(0);
  }
  void raw(const void* data, size_t size) {
    const auto* first = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), first, first + size);
  }
  /// Fills up with `filler`.
  void align(size_t alignment, uint8_t filler = 0) {
    while (size() % alignment != 0)
      u8(filler);
  }

  /// Four bytes for a length that is known later: of what stands behind them.
  size_t begin_length() {
    u32(0);
    return size();
  }
  void end_length(size_t begun) {
    const auto length = static_cast<uint32_t>(size() - begun);
    std::memcpy(&bytes_[begun - sizeof(length)], &length, sizeof(length));
  }

private:
  template <class T> void number(T v) { raw(&v, sizeof(v)); }

  std::vector<std::byte> bytes_;
};

} // namespace mo

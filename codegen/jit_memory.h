// Pages for generated code: writable first, executable afterwards, never both.
#pragma once

#include <cstddef>
#include <optional>

namespace mo {

/// Owns one anonymous mapping; unmapped with the object. Move-only.
class JitPages {
public:
  JitPages() = default;
  /// Zeroed, readable and writable, `bytes` rounded up to whole pages. Nothing where the system has
  /// no memory to give.
  static std::optional<JitPages> map(size_t bytes);

  JitPages(JitPages&& other) noexcept;
  JitPages& operator=(JitPages&& other) noexcept;
  ~JitPages();

  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }

  /// The pages that hold the first `code_bytes` become readable and executable, the rest readable;
  /// nothing stays writable. False where the system refuses: then nothing may be run.
  bool seal(size_t code_bytes);

  static size_t page_bytes();

private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

} // namespace mo

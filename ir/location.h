// A place in the source text.
#pragma once

#include <cstdint>

namespace mo {

/// Line and column count from 1, columns in bytes. {0, 0} means "nowhere": made by a test or a
/// tool.
struct Loc {
  uint32_t line = 0;
  uint32_t col = 0;
  bool operator==(const Loc&) const = default;
};

} // namespace mo

// The flags of mini-opt: one row each, from which parsing and --help are made.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tools/options.h"

namespace mo {

enum class FlagValue : uint8_t {
  None,     // --timing
  Optional, // --fuse or --fuse=mlir
  Required, // --isa=avx2; -o takes its value from the next argument
};

struct Flag {
  std::string_view name; // "--fuse"
  FlagValue value;
  std::string_view shown; // how --help spells it: "--fuse[=mlir]"
  std::string_view help;  // empty: the flag stands in one row with the next
  std::string_view group; // headline it stands under in --help
  /// Applies the flag; `value` is empty where none was written. Returns what is wrong, or "".
  std::string (*apply)(Options& options, std::string_view value);
  bool in_pipeline = false; // says what is done to the IR: a reproducer keeps it
};

std::span<const Flag> flags();

/// The flag whose name is nearest to `name` by edit distance, or "" where none is near.
std::string_view nearest_flag(std::string_view name);

} // namespace mo

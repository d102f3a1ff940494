// What the rows of flags.cpp do with the value of a flag.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tools/options.h"

namespace mo {

/// "--isa does not take 'neon'; it takes one of ..."
std::string wrong_value(std::string_view flag, std::string_view value, std::string_view allowed);

/// A string option that may be given once. Returns what is wrong, or "", as all that follow.
std::string set_once(std::string& slot, std::string_view flag, std::string_view value);

/// One word of several; the same flag with another word is a contradiction.
template <class T>
std::string choose(std::optional<T>& slot, std::string_view flag, std::string_view value,
                   std::initializer_list<std::pair<std::string_view, T>> words) {
  std::string allowed;
  for (const auto& [word, meaning] : words) {
    if (word == value) {
      if (slot && *slot != meaning)
        return fmt::format("{} is given twice, and not the same: the last one is '{}'", flag,
                           value);
      slot = meaning;
      return "";
    }
    allowed += (allowed.empty() ? "" : ", ") + std::string(word);
  }
  return wrong_value(flag, value, "one of " + allowed);
}

// A list of passes, "fuse,elim"; the flag may be repeated.
std::string apply_print_ir_before(Options& o, std::string_view value);
std::string apply_print_ir_after(Options& o, std::string_view value);

std::string apply_print_changed(Options& o, std::string_view value); // "" or "diff"
std::string apply_bisect_limit(Options& o, std::string_view value);  // -1, 0, 1, ...

} // namespace mo

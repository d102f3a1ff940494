// What changed between two texts, line by line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mo {

/// The lines of a text without their line breaks; a last line may lack its break.
std::vector<std::string_view> lines_of(std::string_view text);

/// `count` lines of the one text and `new_count` of the other. A diff is a list of these that
/// covers both texts in order, a Same (count == new_count) never next to a Same, a Changed never
/// next to a Changed.
struct DiffPiece {
  enum class Kind : uint8_t { Same, Changed } kind = Kind::Same;
  uint32_t first = 0, count = 0;         // in the text before, from 0
  uint32_t new_first = 0, new_count = 0; // in the text after
};

/// Few changed lines, and those where a person would see them: lines that occur once in each text
/// are held together first (patience), the stretches between them are compared by Myers' greedy
/// walk. A stretch with more than a thousand differences is called changed as a whole, so time and
/// memory stay near linear in the texts.
std::vector<DiffPiece> diff_lines(const std::vector<std::string_view>& before,
                                  const std::vector<std::string_view>& after);

struct DiffStyle {
  std::string before_name = "before", after_name = "after";
  unsigned context = 3; // lines shown around a change
  bool color = false;   // red, green and cyan, as terminals show diffs
};

/// As `diff -u` writes it, so that `patch` reads it; "" where the texts have the same lines.
std::string unified_diff(std::string_view before, std::string_view after, const DiffStyle& style);

} // namespace mo

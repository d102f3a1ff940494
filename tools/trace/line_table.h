// The lines of all texts of a trace, each stored once. The texts of one compilation repeat each
// other, and so a page that holds dozens of them stays small.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/located_text.h"

namespace mo {

class LineTable {
public:
  /// Its lines, as indices into lines().
  using Text = std::vector<uint32_t>;
  /// Two lines are one if their text, their place and the values they name are the same.
  Text add(const LocatedText& text);

  struct Mention {
    size_t at = 0, size = 0; // bytes of the line
    uint32_t value = 0;      // the same number is the same value
  };
  struct Line {
    std::string text; // without its line break
    Loc loc;          // of its first character that is not blank
    std::vector<Mention> mentions;
  };
  const std::vector<Line>& lines() const { return lines_; }
  /// Of the lines, about: what it takes to write them down.
  size_t bytes() const { return bytes_; }

private:
  uint32_t number_of(Line line);
  uint32_t value_of(const LocatedText::Mention& mention);

  std::vector<Line> lines_;
  std::unordered_map<std::string, uint32_t> number_of_; // by all that makes up a line
  std::unordered_map<std::string, uint32_t> value_of_;  // by name and place of the definition
  size_t bytes_ = 0;
};

} // namespace mo

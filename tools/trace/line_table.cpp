#include "tools/trace/line_table.h"

#include <fmt/format.h>

#include <utility>

namespace mo {

LineTable::Text LineTable::add(const LocatedText& located) {
  const std::string& text = located.text;
  Text numbers;
  size_t place = 0, mention = 0; // the next ones
  Loc loc;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const size_t first = std::min(text.find_first_not_of(" \t", begin), end);
    for (; place < located.places.size() && located.places[place].at <= first; ++place)
      loc = located.places[place].loc;
    Line line{text.substr(begin, end - begin), loc, {}};
    for (; mention < located.mentions.size() && located.mentions[mention].at < end; ++mention) {
      const LocatedText::Mention& m = located.mentions[mention];
      line.mentions.push_back({m.at - begin, m.size, value_of(m)});
    }
    numbers.push_back(number_of(std::move(line)));
    begin = end + 1;
  }
  return numbers;
}

uint32_t LineTable::number_of(Line line) {
  std::string key = fmt::format("{}:{}:", line.loc.line, line.loc.col);
  for (const Mention& m : line.mentions)
    key += fmt::format("{},", m.value);
  key += line.text;
  const auto [it, is_new] = number_of_.try_emplace(std::move(key), lines_.size());
  if (is_new) {
    bytes_ += line.text.size() + 12 * (line.mentions.size() + 1);
    lines_.push_back(std::move(line));
  }
  return it->second;
}

uint32_t LineTable::value_of(const LocatedText::Mention& m) {
  std::string key = fmt::format("{}:{}:{}", m.defined.line, m.defined.col, m.name);
  return value_of_.try_emplace(std::move(key), static_cast<uint32_t>(value_of_.size()))
      .first->second;
}

} // namespace mo

#include "codegen/assembly_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace mo {
namespace {

// How asmjit's logger spells the start of a line, and how GNU as does.
constexpr std::pair<std::string_view, std::string_view> kSpellings[] = {
    {"align ", ".balign "}, {"short j", "j"},   {".db ", ".byte "},
    {".dw ", ".short "},    {".dd ", ".long "}, {".dq ", ".quad "},
};

std::string respelt(std::string_view line) {
  for (const auto& [logged, gnu] : kSpellings)
    if (line.starts_with(logged))
      return std::string(gnu) + std::string(line.substr(logged.size()));
  return std::string(line);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// L7 -> .L0_7 in the part of a line that is not a comment.
std::string with_local_labels(std::string_view line, unsigned number) {
  const size_t comment = std::min(line.find('#'), line.size());
  std::string text;
  for (size_t i = 0; i < comment; ++i) {
    const bool starts_word = i == 0 || !is_word(line[i - 1]);
    if (starts_word && line[i] == 'L' && i + 1 < comment && line[i + 1] >= '0' &&
        line[i + 1] <= '9')
      text += fmt::format(".L{}_", number);
    else
      text += line[i];
  }
  return text + std::string(line.substr(comment));
}

} // namespace

std::string gnu_assembly(std::string_view listing, std::string_view name, unsigned number) {
  // A name of the IR may hold what a symbol may not, unless it is quoted.
  std::string text = fmt::format(
      ".intel_syntax noprefix\n.text\n.globl \"{0}\"\n.type \"{0}\", @function\n\"{0}\":\n", name);
  while (!listing.empty()) {
    const std::string_view line = listing.substr(0, listing.find('\n'));
    listing.remove_prefix(std::min(listing.size(), line.size() + 1));
    if (!line.starts_with(".section")) // there is one section only
      text += with_local_labels(respelt(line), number) + "\n";
  }
  return text + fmt::format(".size \"{0}\", . - \"{0}\"\n", name);
}

} // namespace mo

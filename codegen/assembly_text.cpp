#include "codegen/assembly_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
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

// L7 -> .L0_7 in the part of a line that is not a comment.
std::string with_local_labels(const std::string& line, unsigned number) {
  static const std::regex kLabel(R"(\bL([0-9]+)\b)");
  const size_t comment = std::min(line.find('#'), line.size());
  return std::regex_replace(line.substr(0, comment), kLabel, fmt::format(".L{}_$1", number)) +
         line.substr(comment);
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

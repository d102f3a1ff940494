#include "passes/remarks_yaml.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/lexer.h"

namespace mo {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Words that YAML reads as something else than a string.
bool is_reserved(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (std::string_view word : {"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
    if (lower == word)
      return true;
  return false;
}

bool is_plain(std::string_view text) {
  return !text.empty() && is_letter(text[0]) && !is_reserved(text) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '/' || c == '-';
         });
}

// Control characters of C0 and C1, the byte order mark, and the line breaks of Unicode: not in
// single quotes.
bool needs_escape(std::string_view character) {
  const auto c = static_cast<unsigned char>(character[0]);
  if (character.size() == 1)
    return c < 0x20 || c == 0x7F;
  const auto second = static_cast<unsigned char>(character[1]);
  return (c == 0xC2 && second < 0xA0) || character == "\xE2\x80\xA8" ||
         character == "\xE2\x80\xA9" || character == "\xEF\xBB\xBF" ||
         character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";
}

unsigned code_point(std::string_view character) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 2)
    return (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu);
  if (character.size() == 3)
    return (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
  return byte(0);
}

std::string debug_loc(Loc loc, const SourceFile& source) {
  return fmt::format("{{ File: {}, Line: {}, Column: {} }}", yaml_scalar(source.name), loc.line,
                     loc.col);
}

std::string argument(std::string_view key, std::string_view value, Loc loc,
                     const SourceFile& source) {
  std::string text = fmt::format("  - {:<16} {}\n", fmt::format("{}:", key), yaml_scalar(value));
  if (loc != Loc{})
    text += fmt::format("    DebugLoc:        {}\n", debug_loc(loc, source));
  return text;
}

std::string_view tag(Remark::Kind kind) {
  switch (kind) {
  case Remark::Kind::Passed: return "!Passed";
  case Remark::Kind::Missed: return "!Missed";
  case Remark::Kind::Analysis: return "!Analysis";
  }
  return {};
}

} // namespace

std::string yaml_scalar(std::string_view text) {
  if (is_plain(text))
    return std::string(text);
  std::string single = "'", twice = "\"";
  bool single_will_do = true;
  while (!text.empty()) {
    const unsigned length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max(1u, length));
    text.remove_prefix(character.size());
    if (length == 0 || needs_escape(character)) {
      single_will_do = false;
      twice += length == 0             ? std::string("\\uFFFD")
               : character.size() == 1 ? fmt::format("\\x{:02X}", code_point(character))
                                       : fmt::format("\\u{:04X}", code_point(character));
      continue;
    }
    single += character == "'" ? "''" : character;
    twice += (character == "\"" || character == "\\" ? "\\" : "");
    twice += character;
  }
  return single_will_do ? single + "'" : twice + "\"";
}

std::string to_yaml(const Remark& remark, const SourceFile& source, bool is_attempt) {
  std::string text =
      fmt::format("--- {}\nPass:            {}\nName:            {}\n", tag(remark.kind),
                  yaml_scalar(remark.pass), yaml_scalar(remark.reason));
  if (remark.loc != Loc{})
    text += fmt::format("DebugLoc:        {}\n", debug_loc(remark.loc, source));
  text += fmt::format("Function:        {}\nArgs:\n", yaml_scalar(remark.function));
  text += argument("String", remark.message, {}, source);
  for (const Fact& fact : remark.facts)
    text += argument(fact.key, fact.value, fact.loc, source);
  for (const Note& note : remark.notes)
    text += argument("Note", note.message, note.loc, source);
  if (is_attempt)
    text += argument("Attempt", "true", {}, source);
  return text + "...\n";
}

} // namespace mo

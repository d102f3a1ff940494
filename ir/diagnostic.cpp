#include "ir/diagnostic.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "ir/lexer.h"

namespace mo {

namespace {

constexpr std::array kIds = {
#define DIAG(Name, Id, What) std::string_view(Id),
#include "ir/diagnostic.def"
};

constexpr std::string_view kRed = "\033[1;31m", kCyan = "\033[1;36m", kGreen = "\033[1;32m",
                           kBold = "\033[1m", kPlain = "\033[0m";

constexpr size_t kTabStop = 8;
constexpr size_t kWindow = 200; // bytes of a line that are shown

/// A line of the source made safe to show, and where the caret goes under it.
struct ShownLine {
  std::string text;
  size_t caret = 0; // columns
};

bool continues_utf8(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// `at`: index of the byte that the caret points to, at most line.size().
ShownLine show(std::string_view line, size_t at) {
  size_t begin = at > kWindow / 2 && line.size() > kWindow ? at - kWindow / 2 : 0;
  size_t end = std::min(line.size(), begin + kWindow);
  for (int i = 0; i < 3 && begin > 0 && continues_utf8(line[begin]); ++i)
    --begin; // do not cut a character in two
  for (int i = 0; i < 3 && end < line.size() && continues_utf8(line[end]); ++i)
    ++end;

  ShownLine shown;
  size_t columns = 0;
  const auto add = [&](std::string_view text, size_t width) {
    shown.text += text;
    columns += width;
  };
  if (begin > 0)
    add("...", 3);
  for (size_t i = begin; i < end;) {
    if (i <= at)
      shown.caret = columns;
    const auto c = static_cast<unsigned char>(line[i]);
    const unsigned length = utf8_length(line.substr(i));
    if (c == '\t') {
      const size_t width = kTabStop - columns % kTabStop;
      add(std::string(width, ' '), width);
    } else if (length == 0 || c < 0x20 || c == 0x7F) {
      add(fmt::format("<{:02X}>", c), 4);
    } else {
      add(line.substr(i, length), 1);
    }
    i += std::max(1u, length);
  }
  if (at >= end)
    shown.caret = columns;
  if (end < line.size())
    add("...", 3);
  return shown;
}

} // namespace

std::string_view LineIndex::line(std::string_view text, uint32_t number) {
  if (text.data() != text_.data() || text.size() != text_.size() || starts_.empty()) {
    text_ = text;
    starts_ = {0};
  }
  while (starts_.size() <= number && starts_.back() <= text.size())
    starts_.push_back(std::min(text.find('\n', starts_.back()), text.size()) + 1);
  if (number == 0 || starts_.size() <= number)
    return {};
  const size_t begin = starts_[number - 1];
  std::string_view found = text.substr(begin, starts_[number] - 1 - begin);
  if (found.ends_with('\r'))
    found.remove_suffix(1);
  return found;
}

std::string_view spelling(DiagId id) {
  return kIds[static_cast<size_t>(id)];
}
unsigned num_diag_ids() {
  return kIds.size();
}

void Diagnostics::error(DiagId id, Loc loc, std::string message, std::vector<Note> notes) {
  if (count_++ < kMaxErrors)
    kept_.push_back({id, loc, std::move(message), std::move(notes)});
}

std::string render_message(std::string_view label, std::string_view label_color, Loc loc,
                           std::string_view message, const SourceFile& source, bool color) {
  const std::string place =
      loc == Loc{} ? source.name + ":" : fmt::format("{}:{}:{}:", source.name, loc.line, loc.col);
  std::string out = color ? fmt::format("{}{}{} {}{}:{} {}{}{}\n", kBold, place, kPlain,
                                        label_color, label, kPlain, kBold, message, kPlain)
                          : fmt::format("{} {}: {}\n", place, label, message);
  if (loc == Loc{})
    return out;
  const std::string_view line = source.lines.line(source.text, loc.line);
  const size_t at = std::min<size_t>(loc.col - 1, line.size());
  const ShownLine shown = show(line, at);
  out += fmt::format("{}\n{}", shown.text, std::string(shown.caret, ' '));
  out += color ? fmt::format("{}^{}\n", kGreen, kPlain) : "^\n";
  return out;
}

std::string render(const Diagnostic& diagnostic, const SourceFile& source, bool color) {
  std::string out =
      render_message("error", kRed, diagnostic.loc, diagnostic.message, source, color);
  for (const Note& note : diagnostic.notes)
    out += render_message("note", kCyan, note.loc, note.message, source, color);
  return out;
}

std::string render(const Diagnostics& diagnostics, const SourceFile& source, bool color) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.all())
    out += render(diagnostic, source, color);
  const size_t hidden = diagnostics.count() - diagnostics.all().size();
  if (hidden > 0)
    out += fmt::format("{}: {} more error{}\n", source.name, hidden, hidden == 1 ? "" : "s");
  return out;
}

} // namespace mo

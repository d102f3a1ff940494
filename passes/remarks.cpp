#include "passes/remarks.h"

#include <fmt/format.h>

namespace mo {

std::string_view spelling(Remark::Kind kind) {
  switch (kind) {
  case Remark::Kind::Passed: return "passed";
  case Remark::Kind::Missed: return "missed";
  case Remark::Kind::Analysis: return "analysis";
  }
  return {};
}

// Green for what was done, yellow for what was not, blue for facts.
static std::string_view color_of(Remark::Kind kind) {
  switch (kind) {
  case Remark::Kind::Passed: return "\x1b[1;32m";
  case Remark::Kind::Missed: return "\x1b[1;33m";
  case Remark::Kind::Analysis: return "\x1b[1;34m";
  }
  return {};
}

std::string render(const Remark& remark, const SourceFile& source, bool color, bool is_attempt) {
  std::string text = render_message("remark", color_of(remark.kind), remark.loc,
                                    fmt::format("{} {} [{}]: {}", remark.pass,
                                                is_attempt ? "attempt" : spelling(remark.kind),
                                                remark.reason, remark.message),
                                    source, color);
  for (const Note& note : remark.notes)
    text += render_message("note", "\x1b[1;36m", note.loc, note.message, source, color);
  return text;
}

} // namespace mo

// Diagnostics: what is wrong with the input, where, and which two facts disagree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/location.h"

namespace mo {

/// Every kind of complaint has a name, listed in diagnostic.def; a test covers each.
enum class DiagId : uint16_t {
#define DIAG(Name, Id, What) Name,
#include "ir/diagnostic.def"
};

std::string_view spelling(DiagId id); // "map-count"
unsigned num_diag_ids();

struct Note {
  Loc loc;
  std::string message;
};

struct Diagnostic {
  DiagId id;
  Loc loc;
  std::string message; // both facts, no full stop: "map #1 gives 4 where the tensor has 3"
  std::vector<Note> notes;
};

/// Collects errors; keeps the first kMaxErrors and counts the rest.
class Diagnostics {
public:
  static constexpr size_t kMaxErrors = 100;
  void error(DiagId id, Loc loc, std::string message, std::vector<Note> notes = {});
  bool has_errors() const { return count_ > 0; }
  size_t count() const { return count_; }
  const std::vector<Diagnostic>& all() const { return kept_; }

private:
  std::vector<Diagnostic> kept_;
  size_t count_ = 0;
};

/// Where the lines of a text start: found as far as a line was asked for, and kept, so that showing
/// many places takes one walk over the text. Not for several threads at once.
class LineIndex {
public:
  /// Line `number`, counted from 1, without its line break; empty where the text has no such line.
  /// Requires the text of the calls before; another one (a copy, say) starts the index afresh.
  std::string_view line(std::string_view text, uint32_t number);

private:
  std::string_view text_;
  std::vector<size_t> starts_; // of lines 1, 2, ...; at the end of the text, where a next would be
};

/// A text and the name it is shown under. The text does not change once something is rendered.
struct SourceFile {
  std::string name; // as the user typed it; "<stdin>" for -
  std::string text;
  mutable LineIndex lines = {}; // of the text; rendering fills it
};

/// "file:3:7: error: ...", the line and a caret, then the notes in the same form. Control bytes and
/// very long lines are shown safely. `color` adds ANSI colours.
std::string render(const Diagnostic& diagnostic, const SourceFile& source, bool color);
/// All of them, and "N more errors" where some were not kept.
std::string render(const Diagnostics& diagnostics, const SourceFile& source, bool color);
/// One "file:line:col: <label>: message" with line and caret; remarks use it too.
std::string render_message(std::string_view label, std::string_view label_color, Loc loc,
                           std::string_view message, const SourceFile& source, bool color);

} // namespace mo

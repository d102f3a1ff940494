// Diagnostics: what is wrong with the input, where, and which two facts disagree.
#pragma once

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

/// A text and the name it is shown under.
struct SourceFile {
  std::string name; // as the user typed it; "<stdin>" for -
  std::string text;
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

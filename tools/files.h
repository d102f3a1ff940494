// Reading the input and writing what comes out, with every error in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ir/diagnostic.h"

namespace mo {

struct FileError {
  std::string message; // "cannot read x.tir: No such file or directory"
};

/// The whole text of a file, or of stdin for "-" (then named "<stdin>"). Directories, unreadable
/// files and texts over kMaxInputBytes are errors.
std::variant<SourceFile, FileError> read_source(const std::string& path);
inline constexpr size_t kMaxInputBytes = size_t{1} << 30;

/// Writes to a file, or to stdout where `path` is empty or "-". A reader of stdout that has gone
/// away is not an error: it wanted no more.
std::optional<FileError> write_text(const std::string& path, std::string_view text);

/// To stderr, where everything about the work goes. Nobody can be told if that fails.
void say(std::string_view text);

/// The same, but all of it or nothing: what was there stays until the new text is whole. Devices
/// and pipes are written to as they are.
std::optional<FileError> replace_file(const std::string& path, std::string_view text);

/// Why a file of that name could not be written, as far as can be told without touching it: to be
/// asked before a long work whose result goes there.
std::optional<FileError> cannot_write(const std::string& path);

/// Shall what goes to this file descriptor be coloured? Only on a terminal, and not if NO_COLOR is
/// set to anything (no-color.org) or TERM is "dumb".
bool wants_color(int fd);

/// One line on stderr that says what is being done, where stderr is a terminal; erased at the end.
/// Elsewhere it shows nothing.
class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(std::string_view what);

private:
  bool on_terminal_;
  bool shown_ = false;
};

} // namespace mo

// Where the keys of --step come from: single keys at a terminal, lines from anything else.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace mo {

enum class StepKey : char {
  Apply = 'a',
  Skip = 's',
  Next = 'n',
  Finish = 'f',
  Back = 'b',
  Why = 'w',
  Ir = 'i',
  Quit = 'q',
  Help = '?',
};

/// What was typed or read that is no key.
struct NoKey {
  std::string text; // made safe to show
};

/// No more keys: the end of the lines, or ^D or the end of the terminal.
struct EndOfKeys {};

using KeyRead = std::variant<StepKey, NoKey, EndOfKeys>;

/// Shows a prompt on stderr and reads stdin. A line is a key or its word ("a", "apply"); empty
/// lines and those that begin with # are passed over. At a terminal a key counts without Enter and
/// is not echoed; how the terminal was set is restored before next() returns, and by any signal
/// that ends or stops the process meanwhile.
class StepKeys {
public:
  StepKeys();
  bool at_terminal() const { return at_terminal_; }
  KeyRead next(std::string_view prompt);
  /// The number of the line that next() read last; 0 at a terminal.
  size_t line() const { return line_; }

private:
  KeyRead next_line();
  KeyRead next_press(std::string_view prompt);
  bool fill(); // false at the end

  bool at_terminal_;
  size_t line_ = 0;
  std::string pending_; // read and not yet used
};

} // namespace mo

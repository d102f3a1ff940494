// A terminal that hands over single keys.
#pragma once

namespace mo {

/// While one lives, reads of the terminal return each key at once, and nothing is echoed. ^C and ^Z
/// work as ever: before a signal ends or stops the process the terminal is as it was, and raw again
/// once it is continued. One at a time; on what is no terminal it does nothing.
class RawTerminal {
public:
  explicit RawTerminal(int fd);
  ~RawTerminal();
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

private:
  bool is_raw_ = false;
};

} // namespace mo

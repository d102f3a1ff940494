// A program at a pseudo-terminal, as a person would have it.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <string>
#include <vector>

namespace mo::testing {

class Terminal {
public:
  /// Starts argv[0] (looked up on the PATH) with all three streams at a terminal of its own.
  explicit Terminal(const std::vector<std::string>& argv);
  /// Ends what is still running.
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Types, without Enter unless it is in the text.
  void type(const std::string& keys);
  /// Reads until `text` has come since the last call, and returns all that came; throws after two
  /// minutes or where the program ends before.
  std::string wait_for(const std::string& text);
  /// Reads to the end. The exit status, 128 + the signal where one ended it.
  int wait();
  /// Everything that was shown so far.
  const std::string& shown() const { return shown_; }
  /// Does the terminal collect lines and echo them, as it does for a shell?
  bool collects_lines() const;
  bool echoes() const;
  /// Until collects_lines() is so; false after two minutes.
  bool wait_until_collects_lines(bool so) const;
  pid_t child() const { return child_; }

private:
  bool read_some(int milliseconds); // false where nothing came
  termios settings() const;

  int master_ = -1, slave_ = -1; // the slave stays open: the settings outlive the program
  pid_t child_ = -1;
  std::string shown_;
  size_t waited_for_ = 0;
};

} // namespace mo::testing

#include "tools/step_keys.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "tools/files.h"
#include "tools/raw_terminal.h"

namespace mo {
namespace {

constexpr std::array<std::pair<std::string_view, StepKey>, 9> kWords = {{
    {"apply", StepKey::Apply},
    {"skip", StepKey::Skip},
    {"next", StepKey::Next},
    {"finish", StepKey::Finish},
    {"back", StepKey::Back},
    {"why", StepKey::Why},
    {"ir", StepKey::Ir},
    {"quit", StepKey::Quit},
    {"help", StepKey::Help},
}};

constexpr size_t kLongestLine = 256; // no key is that long

std::optional<StepKey> key_of(std::string_view text) {
  for (const auto& [word, key] : kWords)
    if (text == word || (text.size() == 1 && text[0] == static_cast<char>(key)))
      return key;
  return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string safe(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 40)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte >= 0x20 && byte < 0x7F ? std::string(1, c) : fmt::format("<{:02X}>", byte);
  }
  return shown + (text.size() > 40 ? "..." : "");
}

constexpr char kEscape = '\x1b', kEndOfTransmission = '\x04';

// An arrow key sends an escape and more: all of it is one key, and none of ours.
void pass_over_sequence() {
  pollfd in{STDIN_FILENO, POLLIN, 0};
  char rest = 0;
  while (::poll(&in, 1, 20) == 1 && ::read(STDIN_FILENO, &rest, 1) == 1) {
  }
}

} // namespace

StepKeys::StepKeys() : at_terminal_(::isatty(STDIN_FILENO) == 1) {}

KeyRead StepKeys::next(std::string_view prompt) {
  if (at_terminal_)
    return next_press(prompt);
  say(prompt);
  return next_line();
}

// Raw before the prompt is there, or the terminal would echo a key that comes at once.
KeyRead StepKeys::next_press(std::string_view prompt) {
  const RawTerminal raw(STDIN_FILENO);
  for (;;) {
    say(prompt);
    char c = 0;
    const ssize_t got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR)
      continue; // stopped and continued
    if (got <= 0 || c == kEndOfTransmission)
      return EndOfKeys{};
    if (c == kEscape)
      pass_over_sequence();
    if (const auto key = key_of({&c, 1}))
      return *key;
    return NoKey{safe({&c, 1})};
  }
}

bool StepKeys::fill() {
  char buffer[256];
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    pending_.append(buffer, static_cast<size_t>(got));
    return true;
  }
}

KeyRead StepKeys::next_line() {
  for (;;) {
    size_t end = 0;
    bool more = true;
    while ((end = pending_.find('\n')) == std::string::npos && more &&
           pending_.size() <= kLongestLine)
      more = fill();
    if (end == std::string::npos && pending_.empty())
      return EndOfKeys{};
    ++line_;
    const std::string line = pending_.substr(0, end);
    pending_.erase(0, end == std::string::npos ? end : end + 1);
    const std::string_view text = trimmed(line);
    if (text.empty() || text[0] == '#')
      continue;
    if (const auto key = key_of(text))
      return *key;
    return NoKey{safe(text)};
  }
}

} // namespace mo

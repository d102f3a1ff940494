// How the tests of the exercises say what is wrong: the rule, the input, what was expected, what
// came. `learn check` shows this to somebody who is just writing the function.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace mo::exercise {

/// A paragraph under its title; what has several lines starts on a line of its own.
inline std::string titled(const std::string& title, const std::string& text) {
  const size_t end = text.find_last_not_of('\n');
  const std::string trimmed = end == std::string::npos ? "(nothing)" : text.substr(0, end + 1);
  if (trimmed.find('\n') == std::string::npos)
    return title + std::string(10 - title.size(), ' ') + trimmed + "\n";
  std::string lines = title + "\n";
  for (size_t from = 0; from <= trimmed.size();) {
    const size_t to = std::min(trimmed.find('\n', from), trimmed.size());
    lines += "  " + trimmed.substr(from, to - from) + "\n";
    from = to + 1;
  }
  return lines;
}

/// One case: `rule` is what the function has to keep to, in a sentence.
inline void expect_case(const std::string& rule, const std::string& input,
                        const std::string& expected, const std::string& got) {
  if (expected != got)
    ADD_FAILURE() << titled("rule", rule) << titled("input", input) << titled("expected", expected)
                  << titled("got", got);
}

} // namespace mo::exercise

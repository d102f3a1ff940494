// How the tests of the exercises say what is wrong: the rule, the input, what was expected, what
// came. `learn check` shows this to somebody who is just writing the function.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
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

/// Broken into lines of at most 88 columns, each but the first under the text of a title.
inline std::string wrapped(const std::string& text) {
  std::string lines;
  size_t column = 0;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, to - from);
    const bool breaks = column > 0 && column + 1 + word.size() > 88;
    lines += column == 0 ? word : (breaks ? "\n          " : " ") + word;
    column = (column == 0 || breaks ? 0 : column + 1) + word.size();
    from = to + 1;
  }
  return lines;
}

/// One case: `rule` is what the function has to keep to, in a sentence.
inline void expect_case(const std::string& rule, const std::string& input,
                        const std::string& expected, const std::string& got) {
  if (expected != got)
    ADD_FAILURE() << "rule      " << wrapped(rule) << "\n"
                  << titled("input", input) << titled("expected", expected) << titled("got", got);
}

} // namespace mo::exercise

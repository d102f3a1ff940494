#include "tools/reproducer.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/flags.h"

namespace mo {
namespace {

constexpr std::string_view kMarker = "// mini-opt-pipeline:";

// The rest of the first comment line that has the marker; only comments and blank lines may come
// before it.
std::optional<std::string_view> marked_line(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.starts_with(kMarker))
      return line.substr(kMarker.size());
    if (!line.empty() && !line.starts_with("//"))
      return std::nullopt;
  }
  return std::nullopt;
}

// On one line, whatever the name of the file is.
std::string printable(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < ' ' || c >= 0x7f; }, '?');
  return line;
}

} // namespace

std::string pipeline_flags(const Options& options) {
  std::string text;
  for (PassKind pass : options.passes)
    text += fmt::format("{}--{}", text.empty() ? "" : " ", spelling(pass));
  if (options.bisect_limit)
    text += fmt::format(" --opt-bisect-limit={}", *options.bisect_limit);
  return text;
}

std::string reproducer_header(const Options& options, std::string_view input_name) {
  return fmt::format("{} {}\n// of {}; mini-opt --run-reproducer runs it\n", kMarker,
                     pipeline_flags(options), printable(input_name));
}

std::string take_pipeline(const SourceFile& source, Options& options) {
  const auto line = marked_line(source.text);
  if (!line)
    return fmt::format("{} is no reproducer: it does not start with a comment '{} --fuse ...'",
                       source.name, kMarker);
  const auto known = flags();
  for (std::string_view rest = *line;;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r"), rest.size()));
    if (rest.empty())
      break;
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r"));
    rest.remove_prefix(word.size());
    const std::string_view name = word.substr(0, word.find('='));
    const auto flag = std::find_if(known.begin(), known.end(),
                                   [&](const Flag& f) { return f.name == name && f.in_pipeline; });
    std::string error =
        flag == known.end()
            ? fmt::format("'{}' is no pass", printable(word))
            : flag->apply(options, name == word ? "" : word.substr(name.size() + 1));
    if (!error.empty())
      return fmt::format("the pipeline of {}: {}", source.name, error);
  }
  const std::string error = check_pipeline(options);
  return error.empty() ? "" : fmt::format("the pipeline of {}: {}", source.name, error);
}

} // namespace mo

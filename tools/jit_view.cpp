#include "tools/jit_view.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "ir/parse.h"
#include "ir/print.h"
#include "tools/files.h"

namespace mo {

namespace fs = std::filesystem;

namespace {

// What was printed, read back: the same function, with the places of its ops in the text.
Function parsed_again(const SourceFile& source) {
  Diagnostics diagnostics;
  auto module = parse_and_verify(source, diagnostics);
  if (!module || module->functions.size() != 1)
    throw std::logic_error("printed IR does not parse again:\n" +
                           render(diagnostics, source, false));
  return std::move(module->functions[0]);
}

} // namespace

std::string safe_file_name(std::string_view name) {
  constexpr size_t kLongest = 100; // file systems take 255 bytes; a variant and an ending follow
  std::string safe;
  for (const char c : name.substr(0, kLongest)) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    safe += is_plain || (c == '.' && !safe.empty()) ? c : '_';
  }
  return safe.empty() ? "_" : safe;
}

std::variant<JitView, std::string> JitView::open(const Options& options) {
  JitView view;
  view.input_ = options.input;
  if (options.jit_debug) {
    std::error_code code;
    fs::create_directories(*options.jit_debug, code);
    if (!code)
      view.directory_ = fs::canonical(*options.jit_debug, code).string();
    if (!code && !fs::is_directory(view.directory_))
      code = std::make_error_code(std::errc::not_a_directory);
    if (code)
      return fmt::format("cannot make the directory {}: {}", *options.jit_debug, code.message());
    view.shown_directory_ = *options.jit_debug;
  }
  if (options.perf_map) {
    auto perf = PerfMap::create();
    if (auto* error = std::get_if<std::string>(&perf))
      return std::move(*error);
    view.perf_ = std::get<PerfMap>(std::move(perf));
  }
  return view;
}

std::variant<ShownFunction, std::string> JitView::show(const Function& function,
                                                       std::string_view variant) {
  ShownFunction shown{function, {std::nullopt, perf_ ? &*perf_ : nullptr}};
  if (directory_.empty())
    return shown;
  std::string stem = safe_file_name(function.name);
  if (!variant.empty())
    stem += "." + safe_file_name(variant);
  std::string name = stem + ".jit.tir";
  for (unsigned k = 2; !taken_.insert(name).second; ++k)
    name = fmt::format("{}_{}.jit.tir", stem, k);
  const std::string path = (fs::path(shown_directory_) / name).string();
  std::error_code code;
  if (fs::equivalent(path, input_, code))
    return fmt::format("--jit-debug would write over its input, {}; name another directory",
                       input_);
  Module module;
  module.functions.push_back(function);
  const SourceFile printed{path, print(module)};
  if (auto error = replace_file(path, printed.text))
    return std::move(error->message);
  shown.function = parsed_again(printed);
  shown.audience.debugger = SourceName{name, directory_};
  say(fmt::format("mini-opt: a debugger shows the code of @{} by the lines of {}\n", function.name,
                  path));
  return shown;
}

} // namespace mo

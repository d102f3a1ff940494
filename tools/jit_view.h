// --jit-debug and --perf=map: the code that runs here, shown to debuggers and profilers.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

#include "ir/function.h"
#include "runtime/executable.h"
#include "runtime/perf_map.h"
#include "tools/options.h"

namespace mo {

/// What shall be compiled, and who is to know of it.
struct ShownFunction {
  Function function; // where a debugger is to show it: its places are those of the printed text
  CodeAudience audience;
};

class JitView {
public:
  /// Makes the directory and perf's file, where `options` ask for them; or says what is wrong.
  static std::variant<JitView, std::string> open(const Options& options);

  /// For --jit-debug: prints `function`, which works on buffers, into a file of its own in the
  /// directory, says so on stderr, and reads it back. `variant` tells the kernels of one function
  /// apart in the name of the file; it may be empty. Without the flag: the function as it is. The
  /// view must stay alive while the result is used.
  std::variant<ShownFunction, std::string> show(const Function& function,
                                                std::string_view variant = "");

private:
  std::string input_;
  std::string directory_;       // absolute; empty without --jit-debug
  std::string shown_directory_; // as it was given
  std::set<std::string> taken_; // names of files written
  std::optional<PerfMap> perf_;
};

/// The name of a function as the name of a file: of letters, digits and "._-", not too long, not
/// hidden.
std::string safe_file_name(std::string_view name);

} // namespace mo

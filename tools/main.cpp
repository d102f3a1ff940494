#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/isa.h"
#include "tools/driver.h"
#include "tools/files.h"
#include "tools/options.h"

namespace {

std::string version_text() {
  std::string isas;
  for (mo::Isa isa : {mo::Isa::SSE42, mo::Isa::AVX2, mo::Isa::AVX512})
    if (mo::host_supports(isa))
      isas += fmt::format(" {}", mo::spelling(isa));
  return fmt::format("mini-opt {}\ninstruction sets of this CPU that it generates code for:{}\n",
                     MO_VERSION, isas.empty() ? " none" : isas);
}

int print_and_exit(const std::string& text) {
  const auto error = mo::write_text("", text);
  return error ? mo::complain(error->message) : 0;
}

// As a shell reads it back.
std::string quoted(std::string_view argument) {
  if (!argument.empty() && argument.find_first_of(" \t\n\"'\\$`&|;<>()*?[]#~!{}") == argument.npos)
    return std::string(argument);
  std::string text = "'";
  for (char c : argument)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string command_line(const std::vector<std::string_view>& arguments) {
  std::string line = "mini-opt";
  for (std::string_view argument : arguments)
    line += " " + quoted(argument);
  return line;
}

int run(const std::vector<std::string_view>& arguments) {
  const auto parsed = mo::parse_options(arguments);
  if (const auto* error = std::get_if<mo::UsageError>(&parsed))
    return mo::complain(error->message);
  const auto& options = std::get<mo::Options>(parsed);
  if (options.action == mo::Action::Help)
    return print_and_exit(mo::help_text());
  if (options.action == mo::Action::Version)
    return print_and_exit(version_text());
  return mo::run_mini_opt(options, command_line(arguments));
}

} // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN); // a reader that goes away shows as EPIPE, see files.cpp
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    return mo::complain("out of memory");
  } catch (const std::exception& e) {
    return mo::complain(fmt::format("internal error: {}", e.what()));
  }
}

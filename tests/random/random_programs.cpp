// random_programs [--seed=N] [--count=N] [--seconds=N]: random programs through everything, for as
// long as one likes. Stops at the first failure, shrunk, with exit status 1.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "tests/random/random_check.h"

namespace {

struct Settings {
  uint64_t seed = 0, count = UINT64_MAX, seconds = UINT64_MAX;
};

bool read(std::string_view argument, Settings& s) {
  const auto number = [&](std::string_view name, uint64_t& slot) {
    if (!argument.starts_with(name))
      return false;
    const std::string_view digits = argument.substr(name.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), slot);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  return number("--seed=", s.seed) || number("--count=", s.count) ||
         number("--seconds=", s.seconds);
}

} // namespace

int main(int argc, char** argv) {
  Settings settings;
  for (int k = 1; k < argc; ++k)
    if (!read(argv[k], settings)) {
      fmt::print(stderr, "usage: random_programs [--seed=N] [--count=N] [--seconds=N]\n");
      return 1;
    }
  if (settings.count == UINT64_MAX && settings.seconds == UINT64_MAX)
    settings.count = 1;
  const bool terminal = isatty(STDERR_FILENO) == 1;
  const auto start = std::chrono::steady_clock::now();
  uint64_t done = 0;
  for (; done < settings.count; ++done) {
    const auto spent = std::chrono::steady_clock::now() - start;
    if (spent >= std::chrono::seconds(std::min<uint64_t>(settings.seconds, 1u << 30)))
      break;
    if (terminal && done % 50 == 0)
      fmt::print(stderr, "\r{} programs, all right so far", done);
    if (const auto story = mo::testing::run_seed(settings.seed + done)) {
      fmt::print("{}{}", terminal ? "\n" : "", *story);
      return 1;
    }
  }
  fmt::print("{}{} programs from seed {} on: all right\n", terminal ? "\r" : "", done,
             settings.seed);
  return 0;
}

#include "runtime/environment.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>

extern char** environ;

namespace mo {
namespace {

std::string first_line_of(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("model name"))
      continue;
    const size_t colon = line.find(": ");
    return colon == std::string::npos ? "" : line.substr(colon + 2);
  }
  return "";
}

int usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  // The kernel's mask is larger than cpu_set_t, 1024 CPUs: all that are online, then.
  return static_cast<int>(std::max(0L, sysconf(_SC_NPROCESSORS_ONLN)));
}

// The kernel's own view, cache by cache: "32K", "1024K", "32768K"; sysconf knows less on some
// machines.
std::optional<int64_t> cache_bytes(int level) {
  for (int index = 0; index < 8; ++index) {
    const std::string dir = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    if (first_line_of(dir + "level") != std::to_string(level) ||
        first_line_of(dir + "type") == "Instruction")
      continue;
    const std::string size = first_line_of(dir + "size");
    int64_t n = 0;
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), n);
    if (error != std::errc())
      return std::nullopt;
    const std::string_view unit(end);
    return n << (unit == "M" ? 20 : unit == "K" ? 10 : 0);
  }
  return std::nullopt;
}

// "always [madvise] never" -> "madvise"
std::string huge_page_state() {
  const std::string line = first_line_of("/sys/kernel/mm/transparent_hugepage/enabled");
  const size_t open = line.find('['), close = line.find(']');
  return open == std::string::npos || close == std::string::npos || close < open
             ? ""
             : line.substr(open + 1, close - open - 1);
}

std::string malloc_variables() {
  std::string found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (text.starts_with("MALLOC_") || text.starts_with("GLIBC_TUNABLES=") ||
        text.starts_with("LD_PRELOAD="))
      found += (found.empty() ? "" : " ") + std::string(text);
  }
  return found;
}

std::optional<int64_t> number_from_environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? std::optional<int64_t>(std::strtoll(text, nullptr, 0)) : std::nullopt;
}

std::string compiler_name() {
#if defined(__clang__)
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "";
#endif
}

// GCC says it by a macro, Clang by a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MO_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define MO_ADDRESS_SANITIZER
#endif

std::string build_kind() {
#if defined(MO_ADDRESS_SANITIZER)
  return "with sanitizers, times mean nothing";
#elif defined(__OPTIMIZE__)
  return "optimised";
#else
  return "not optimised";
#endif
}

} // namespace

Environment environment() {
  Environment env;
  env.date = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time(nullptr)));
  env.cpu = cpu_model();
  env.cpus = usable_cpus();
  env.l1d_bytes = cache_bytes(1);
  env.l2_bytes = cache_bytes(2);
  env.l3_bytes = cache_bytes(3);
  env.page_bytes = sysconf(_SC_PAGESIZE);
  env.huge_pages = huge_page_state();
  utsname name{};
  if (uname(&name) == 0)
    env.kernel = fmt::format("{} {}", name.sysname, name.release);
  env.compiler = compiler_name();
  env.build = build_kind();
  env.malloc_tuning = malloc_variables();
  return env;
}

int64_t last_level_cache_bytes() {
  for (int level : {4, 3, 2})
    if (const auto bytes = cache_bytes(level))
      return *bytes;
  return 32 << 20;
}

int64_t predicted_faults(int64_t bytes, int64_t page_bytes) {
  constexpr int64_t kDefault = 128 << 10;       // of all three where they are fixed
  constexpr int64_t kLargestDynamic = 32 << 20; // DEFAULT_MMAP_THRESHOLD_MAX on 64-bit systems
  const auto mmap_threshold = number_from_environment("MALLOC_MMAP_THRESHOLD_");
  const auto trim_threshold = number_from_environment("MALLOC_TRIM_THRESHOLD_");
  const auto top_pad = number_from_environment("MALLOC_TOP_PAD_");
  const bool fixed = mmap_threshold || trim_threshold || top_pad;
  const auto pages = [&](int64_t n) { return (n + page_bytes - 1) / page_bytes; };

  if (bytes >= mmap_threshold.value_or(fixed ? kDefault : kLargestDynamic))
    return pages(bytes);
  if (!fixed || bytes <= trim_threshold.value_or(kDefault))
    return 0;
  return pages(std::max<int64_t>(0, bytes - top_pad.value_or(kDefault)));
}

} // namespace mo

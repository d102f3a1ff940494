#include "tools/crash_guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tools/driver.h"
#include "tools/files.h"

namespace mo {
namespace {

struct CrashSignal {
  int number;
  std::string_view name;
};
constexpr std::array<CrashSignal, 5> kSignals = {{{SIGSEGV, "a bad memory access (SIGSEGV)"},
                                                  {SIGBUS, "a bad memory access (SIGBUS)"},
                                                  {SIGILL, "an invalid instruction (SIGILL)"},
                                                  {SIGFPE, "a trap of the CPU (SIGFPE)"},
                                                  {SIGABRT, "an abort (SIGABRT)"}}};

// What the handler needs. It runs in the middle of anything: it calls what POSIX lets a handler
// call, allocates nothing, and formats nothing.
const Reproducer* reproducer_now = nullptr;
const Timing* timing_now = nullptr;
std::array<struct sigaction, kSignals.size()> actions_before;
stack_t stack_before;
std::array<char, 64 * 1024> handler_stack; // the usual one may be what has run out

void put(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return;
    text.remove_prefix(static_cast<size_t>(n));
  }
}

void say_now(std::initializer_list<std::string_view> texts) {
  for (std::string_view text : texts)
    put(STDERR_FILENO, text);
}

bool write_now(const Reproducer& r) {
  const int fd = ::open(r.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return false;
  put(fd, r.header);
  put(fd, r.input);
  return ::close(fd) == 0;
}

void handle(int signal, siginfo_t* info, void*) {
  const int saved_errno = errno;
  std::string_view name = "a signal";
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i].number, &actions_before[i], nullptr); // once is enough
    if (kSignals[i].number == signal)
      name = kSignals[i].name;
  }
  const Reproducer& r = *reproducer_now;
  say_now({"mini-opt: internal error in ", timing_now->where(), ": ", name, "\n"});
  if (r.is_written || write_now(r))
    say_now({"mini-opt: to see it again: mini-opt --run-reproducer ", r.path, "\n"});
  errno = saved_errno;
  // A fault happens again when the handler returns; what was sent has to be sent again.
  if (info->si_code <= 0)
    ::raise(signal);
}

} // namespace

std::string reproducer_path() {
  std::error_code code;
  std::filesystem::path directory = std::filesystem::temp_directory_path(code);
  if (code)
    directory = "/tmp";
  for (unsigned n = 0;; ++n) {
    const auto path = directory / fmt::format("mini-opt-{}-{}.tir", ::getpid(), n);
    if (!std::filesystem::exists(std::filesystem::symlink_status(path, code)))
      return path.string();
  }
}

CrashGuard::CrashGuard(const Reproducer& reproducer, const Timing& timing) {
  reproducer_now = &reproducer;
  timing_now = &timing;
  const stack_t stack = {handler_stack.data(), 0, handler_stack.size()};
  ::sigaltstack(&stack, &stack_before);
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i].number, &action, &actions_before[i]);
}

CrashGuard::~CrashGuard() {
  for (size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i].number, &actions_before[i], nullptr);
  ::sigaltstack(&stack_before, nullptr);
  reproducer_now = nullptr;
  timing_now = nullptr;
}

int report_internal_error(const Reproducer& r, std::string_view where, std::string_view what) {
  complain(fmt::format("internal error{}{}: {}; please report it", where.empty() ? "" : " in ",
                       where, what));
  if (!r.is_written && !write_now(r))
    return complain(fmt::format("cannot write {}: {}", r.path, std::strerror(errno)));
  say(fmt::format("mini-opt: to see it again: mini-opt --run-reproducer {}\n", r.path));
  return 1;
}

} // namespace mo

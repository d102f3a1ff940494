// What mini-opt does about a bug of its own: it says where, and keeps what is needed to see it
// again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/timing.h"

namespace mo {

/// Where a reproducer is, and what is in it.
struct Reproducer {
  std::string header;
  std::string_view input; // follows the header
  std::string path;
  bool is_written = false; // or it is only once there is an internal error
};

/// A file of the directory for temporaries that no other process will name.
std::string reproducer_path();

/// While it lives, a crash (a bad access, an abort, an instruction that the CPU has not) writes the
/// reproducer and says so on stderr before it takes its course: the signal ends the process as it
/// would have. One at a time.
class CrashGuard {
public:
  /// Both must outlive the guard and stay as they are.
  CrashGuard(const Reproducer& reproducer, const Timing& timing);
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
};

/// "internal error in pass 2 elim: ..." and where the reproducer is, on stderr; writes it.
/// Returns 1, the exit status.
int report_internal_error(const Reproducer& reproducer, std::string_view where,
                          std::string_view what);

} // namespace mo

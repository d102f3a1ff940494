// Running gdb on mini-opt by tools/gdb/mini-opt-gdb.
#pragma once

#include <string>
#include <vector>

namespace mo::testing {

/// Why nothing can be debugged here (no gdb, or nobody may trace a process); "" where it can.
std::string why_no_gdb();

/// What gdb and mini-opt say, on both outputs in the order it came, to commands of gdb (one per
/// line; one that fails does not end the session) and arguments of mini-opt. The ir and passes of
/// that mini-opt are compiled as the debug preset does.
std::string in_gdb(const std::string& commands, const std::vector<std::string>& arguments);

} // namespace mo::testing

/// At the start of a test that needs gdb.
#define MO_SKIP_WITHOUT_GDB()                                                                      \
  if (const std::string why = ::mo::testing::why_no_gdb(); !why.empty())                           \
  GTEST_SKIP() << why

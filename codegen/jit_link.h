// Machine code at an address in this process.
#pragma once

#include <optional>
#include <vector>

#include "codegen/jit_memory.h"
#include "codegen/machine_code.h"

namespace mo {

struct LinkedCode {
  JitPages pages; // the code at their start
  /// The jumps to functions of the C library behind it, named after them, in ascending order.
  std::vector<MachineCode::Part> jumps;
};

/// Copies the code to executable pages and its constants to read-only pages behind them, and puts
/// in the addresses. A function of the C library, which may be too far away for a call, is called
/// by way of a jump behind the code. Nothing where the system refuses the pages.
std::optional<LinkedCode> link_into_pages(const MachineCode& code);

} // namespace mo

// Calls a function with any number of arguments of any kinds, by the C calling convention.
#pragma once

#include <cstdint>
#include <vector>

namespace mo::testing {

struct CArgument {
  bool is_float = false;
  uint64_t bits = 0; // all 64 of the register or the stack slot
};

/// int function(arguments...).
int call_c_function(void* function, const std::vector<CArgument>& arguments);

} // namespace mo::testing

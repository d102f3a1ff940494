// The instruction sets that tests of machine code run on.
#pragma once

#include <vector>

#include "codegen/isa.h"

namespace mo::testing {

/// Those that this machine has, the narrowest first. The tests of isa_test.cpp show the others as
/// skipped.
inline std::vector<Isa> host_isas() {
  std::vector<Isa> isas;
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512})
    if (host_supports(isa))
      isas.push_back(isa);
  return isas;
}

} // namespace mo::testing

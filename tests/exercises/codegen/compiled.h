// Compiles a kernel for one instruction set and calls it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/compile.h"
#include "codegen/loop_nest.h"
#include "tests/codegen/host_isas.h"
#include "tests/codegen/kernel_builder.h"

namespace mo::exercise {

/// Runs it on these addresses, one per argument; one that does not compile stops the test.
inline void call(const Kernel& kernel, Isa isa, const std::vector<void*>& arguments) {
  Diagnostics diagnostics;
  const std::optional<CompiledKernel> compiled = compile(kernel, isa, diagnostics);
  if (!compiled)
    throw std::runtime_error(std::string(spelling(isa)) + ": " + diagnostics.all().at(0).message);
  compiled->entry(arguments.data());
}

} // namespace mo::exercise

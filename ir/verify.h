// Is this function valid IR of its level?
#pragma once

#include "ir/diagnostic.h"
#include "ir/function.h"

namespace mo {

/// Checks everything a pass or codegen relies on and reports every violation, not the first:
/// definitions before uses, one definition each, operand, map, iterator, block argument and yield
/// counts and types, map ranges against shapes, every loop with one extent, no tensors at buffer
/// level, no in-place ops at tensor level. Runs after the parser and after every pass.
void verify(const Function& function, Level level, Diagnostics& diagnostics);

/// Verifies every function of the module at its own level, and that names are unique.
void verify(const Module& module, Diagnostics& diagnostics);

/// Was what the verifier complained of at least sound data: may it be indexed, printed, copied?
bool is_sound(const Diagnostics& of_verify);

} // namespace mo

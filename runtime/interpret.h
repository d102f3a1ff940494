// The reference interpreter: what a program means, for both levels. The oracle of every test.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ir/function.h"
#include "runtime/array.h"

namespace mo {

struct RunError {
  std::string message;
};

/// Runs a verified function. `args` one per argument, of its type (else an error that names both);
/// memrefs are updated in place, tensors are not. Returns the results in order: the returned
/// tensors and scalars at tensor level, nothing at buffer level, as results are arguments there. A
/// returned scalar comes as an array of rank 0. Loops run in row-major order, one body after the
/// other, as far as anyone can tell; float sums are in that order. What MLIR leaves undefined, the
/// contents of tensor.empty and memref.alloc, is zero. Works block by block: about a second for 16
/// M elements of the lab. A value is freed at its last use.
std::variant<std::vector<Array>, RunError> interpret(const Function& function,
                                                     std::vector<RuntimeValue>& args);

} // namespace mo

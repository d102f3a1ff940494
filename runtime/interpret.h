// The reference interpreter: what a program means, for both levels. The oracle of every test.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "ir/function.h"
#include "runtime/array.h"
#include "runtime/compiled_math.h"

namespace mo {

struct RunError {
  std::string message;
};

/// What is in memory that nobody wrote, the contents of tensor.empty and memref.alloc: MLIR leaves
/// it undefined.
enum class UndefinedContents : uint8_t {
  Zeros,
  Odd, // NaN, true, 0x5A5A...: what comes out different with these depends on undefined contents
};

struct InterpretOptions {
  /// The approximated functions (exp, ...) give what compiled code of its instruction set gives;
  /// null: what libm gives.
  CompiledMath* math = nullptr;
  UndefinedContents undefined = UndefinedContents::Zeros;
};

/// Runs a verified function. `args` one per argument, of its type (else an error that names both);
/// memrefs are updated in place, tensors are not. Returns the results in order: the returned
/// tensors and scalars at tensor level, nothing at buffer level, as results are arguments there. A
/// returned scalar comes as an array of rank 0. Loops run in row-major order, one body after the
/// other, as far as anyone can tell; float sums are in that order. Works block by block: about a
/// second for 16 M elements of the lab. A value is freed at its last use.
std::variant<std::vector<Array>, RunError> interpret(const Function& function,
                                                     std::vector<RuntimeValue>& args,
                                                     const InterpretOptions& options = {});

} // namespace mo

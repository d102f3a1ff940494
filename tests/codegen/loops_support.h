// What the tests of loop nests share: kernels from text, comparing what kernels compute.
#pragma once

#include <string>
#include <string_view>

#include "codegen/loop_nest.h"
#include "ir/function.h"
#include "tests/codegen/evaluate_loops.h"

namespace mo::testing {

/// The only function of a buffer-level text; a failed test, and an empty function, if it does not
/// parse.
Function parse_function(std::string_view text);

/// Verified IR: lowering may rely on it.
bool is_valid(const Function& function);

/// The arguments after the kernel ran on a copy of them.
LoopArguments result_of(const Kernel& kernel, LoopArguments arguments,
                        VectorLoops vector_loops = VectorLoops::InOrder);

/// The arguments after the interpreter ran the function on a copy of them.
LoopArguments interpreted(const Function& function, const LoopArguments& arguments);

/// Empty if both hold the same bits (any NaN is like any other), else the first difference.
std::string difference(const LoopArguments& expected, const LoopArguments& got,
                       const Function& function);

} // namespace mo::testing

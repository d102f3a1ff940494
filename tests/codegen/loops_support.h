// What the tests of loop nests share: kernels from text, comparing what kernels compute.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/loop_nest.h"
#include "ir/function.h"
#include "tests/codegen/evaluate_loops.h"

namespace mo::testing {

/// The only function of a buffer-level text; a failed test, and an empty function, if it does not
/// parse.
Function parse_function(std::string_view text);

/// "func.func @f(arguments) { body return }".
std::string function_text(std::string_view arguments, std::string_view body);

/// A generic on buffers. `maps`: the right-hand sides, in order of ins and outs.
std::string generic_text(std::string_view dims, const std::vector<std::string>& maps,
                         std::string_view iterators, std::string_view operands,
                         std::string_view body);

/// Bodies over f32: the sum of the input and the old element; the input as it is.
inline constexpr std::string_view kAddBody =
    "^bb0(%in: f32, %acc: f32): %s = arith.addf %acc, %in : f32 linalg.yield %s : f32";
inline constexpr std::string_view kCopyBody = "^bb0(%in: f32, %old: f32): linalg.yield %in : f32";

Kernel lowered(std::string_view text);
/// Lowered, simplified, printed.
std::string simplified(std::string_view text);
/// What print shows between the braces of the kernel.
std::string body_of(const Kernel& kernel);

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

/// Empty if the kernel is well-formed and leaves `expected` of `before`, with its vector loops in
/// any order that they allow.
std::string complaint(const Kernel& kernel, const Function& function, const LoopArguments& before,
                      const LoopArguments& expected);

} // namespace mo::testing

// What a run must give: the function as it was written, interpreted, and how far each element of a
// compiled run may be from that.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/compiled_math.h"
#include "tools/invocation.h"

namespace mo {

struct ExpectedOutput {
  NamedArray output;
  /// By element, see compare; empty where every element must agree to the bit. More than 0 for what
  /// is computed from float sums, whose order is open. Infinite for elements that are not defined.
  std::vector<double> leeway;
  int64_t undefined = 0; // elements
};

/// The arguments of a call, made anew for each interpretation.
using MakeArguments = std::function<std::variant<std::vector<RuntimeValue>, RunError>()>;

/// Interprets the function with wide sums (reference.h) and the math functions of an instruction
/// set, then again for every reason for an element to be off:
/// * float sums: with the sums moved to both ends of their tolerance, a few of them at a time. What
///   comes out then is how far what is computed from them may be off, whatever that is;
/// * contents that nobody wrote (a tensor.empty that is returned): with something else in their
///   place. What comes out different then is not defined.
std::variant<std::vector<ExpectedOutput>, RunError>
expected_outputs(const Function& original, const MakeArguments& arguments, CompiledMath* math);

/// What is wrong with the output that `got` has for `expected`, in words: the first element that is
/// off, or that there is no such output.
std::optional<std::string> mismatch(const std::vector<NamedArray>& got,
                                    const ExpectedOutput& expected);

/// Does the function use functions that codegen approximates?
bool uses_approximated_math(const Function& function);

/// For each output of floats that the function writes, how far it is from an interpretation with
/// libm's functions: "within 2.0 ulp and 6.0e-08 of what libm's functions give"; empty for others.
std::variant<std::vector<std::string>, RunError>
distances_from_libm(const Function& original, const MakeArguments& arguments,
                    const std::vector<NamedArray>& got,
                    const std::vector<ExpectedOutput>& expected);

} // namespace mo

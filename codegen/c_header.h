// How a C program calls compiled functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/isa.h"
#include "codegen/loop_nest.h"
#include "ir/function.h"

namespace mo {

/// "int f(const float *x, float *out, float s)", without a semicolon. `kernel` is made of
/// `function`: buffers that it does not write are const.
std::string c_prototype(const Function& function, const Kernel& kernel);

/// The prototype and, in a comment, what it asks of its arguments and what it gives.
std::string c_declaration(const Function& function, const Kernel& kernel);

/// A header for C and C++ that holds these declarations, of code for `isa` made from `source`.
std::string c_header(const std::vector<std::string>& declarations, Isa isa,
                     std::string_view source);

} // namespace mo

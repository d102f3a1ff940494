// Is this a well-formed kernel? What every step of the simplification has to leave behind.
#pragma once

#include <string>
#include <vector>

#include "codegen/loop_nest.h"

namespace mo {

/// Every violation as one line, naming both facts; empty for a well-formed kernel. Checks that
/// - a register is defined once, before its uses, in their block or in one around it;
/// - operand, element and result types agree;
/// - an access has one stride per enclosing loop and stays inside its buffer;
/// - a temp is used between its Alloc and its Free, which stand in the outermost block;
/// - what loops carry is of one type, and a `combine` is what the loop does with it;
/// - a vectorizable loop is innermost, and only stores with a unit stride in one are streaming.
/// Linear in the steps and their strides, and made for asserts.
std::vector<std::string> check(const Kernel& kernel);

} // namespace mo

// Does a lane know its neighbours?
#pragma once

#include <string>

#include "codegen/isa.h"
#include "tests/math/inputs.h"
#include "tests/math/math_op.h"

namespace mo::testing {

/// Whether a lane's result depends on its neighbours, or on how many there are: runs kernels of few
/// elements, so of few lanes and of partly filled registers, on inputs in random order. Empty if
/// every bit is as in a full register (NaNs are equal to each other), else where it is not, or why
/// the op does not compile.
std::string lanes_that_differ(const MathOp& op, ElementType type, Isa isa,
                              const MathInputs& inputs);

} // namespace mo::testing

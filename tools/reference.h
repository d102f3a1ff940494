// The function that results are compared with.
#pragma once

#include "ir/function.h"

namespace mo {

/// `function` with every sum of f32 elements carried out in f64 and rounded once at the end; the
/// rest as it is. The order of a float sum is open, and the order that the interpreter takes, one
/// term after the other, is no good judge: 16 M terms of about 1 lose the last digits of each once
/// the sum passes 2^24. In f64 the sum is the one that every order is near. Works at both levels;
/// the result verifies.
Function with_wide_sums(const Function& function);

} // namespace mo

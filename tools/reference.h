// The functions that results are compared with, where the order of float sums is open.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/function.h"

namespace mo {

/// yield `init` of a generic is `insts[add]`, an addf of the init's element and operand `term`:
/// several points of the loops add up in one element, in whatever order is fast.
struct FloatSum {
  unsigned init;
  size_t add;
  unsigned term;
  int64_t terms; // that one element adds up; 2 or more
};
std::optional<FloatSum> float_sum(const Function& function, const GenericOp& op, unsigned init);

/// The number of float sums in a function, and of terms in the longest one; 0 if there is none.
struct FloatSums {
  unsigned count = 0;
  int64_t longest = 0;
};
FloatSums float_sums(const Function& function);

/// How far an f32 sum of n terms may be from the exact one, in half units in the last place of the
/// sum of the terms' magnitudes: 4 sqrt(n). The rounding errors of n additions grow like sqrt(n),
/// not n (N. Higham, Accuracy and Stability of Numerical Algorithms, section 2.8), unless they have
/// something in common, as where all terms are the same: so twice what the sum in order is off by
/// is allowed too, if that is more. f64 sums: n half units, the bound for any terms and any order.
double sum_tolerance(int64_t terms);

/// Moves sums to an end of what is allowed: up (sign 1) or down (-1) all those whose
/// number in the function, modulo `groups`, is `group`.
struct SumNudge {
  unsigned group, groups;
  double sign;
};

/// `function` with every sum of f32 elements carried out in f64 and rounded once at the end; the
/// rest as it is. The order of a float sum is open, and the order that the interpreter takes, one
/// term after the other, is no good judge: 16 M terms of about 1 lose the last digits of each once
/// the sum passes 2^24. In f64 the sum is the one that every order is near. With `nudge` some sums,
/// f64 ones included, are off by what is allowed; what they make of the results tells how far those
/// may be off. Works at both levels; the result verifies.
Function with_wide_sums(const Function& function, std::optional<SumNudge> nudge = std::nullopt);

} // namespace mo

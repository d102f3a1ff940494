// What a math function should give, and how far a result is from it.
#pragma once

#include "ir/scalar_op.h"

namespace mo::testing {

/// The C library's function of the op, in the wider type: double for f32, long double for f64.
double exact(ScalarOp op, double a, double b);
long double exact(ScalarOp op, long double a, long double b);

/// Where the C standard (Annex F) fixes the result to the bit: at zeros, infinities and NaN, and
/// for powers of 1 and -1.
bool has_fixed_result(ScalarOp op, double a, double b);

/// |result - exact| in units in the last place of T, which are the distance of the numbers of T
/// around `exact`, in the denormals as well. Beyond the largest number, infinity counts as the next
/// power of two. A special value that is not as it should be (NaN, infinity, zero, the sign of
/// zero) is infinitely wrong; an exact result that overflows in T asks for infinity.
double ulp_error(float result, double exact);
double ulp_error(double result, long double exact);

} // namespace mo::testing

// Arithmetic on f64 with some 100 bits: a number is the sum of two f64, of which the second is at
// most about half a unit in the last place of the first (Dekker, "A floating-point technique for
// extending the available precision", 1971).
#pragma once

#include "codegen/vector_asm.h"

namespace mo {

struct DoubleDouble {
  VecReg high, low;
};

/// a + b for |a| >= |b| or a = 0, exactly.
DoubleDouble exact_sum(VectorAsm& as, const VecReg& a, const VecReg& b);
/// a * b; exactly where there is a fused multiply-add, else but for some 2^-106 of it.
DoubleDouble exact_product(VectorAsm& as, const VecReg& a, const VecReg& b);
/// Their errors are a few units of 2^-106 of the result.
DoubleDouble multiply(VectorAsm& as, const DoubleDouble& a, const VecReg& b);
DoubleDouble multiply(VectorAsm& as, const DoubleDouble& a, const DoubleDouble& b);
/// |high| >= |a.high|; high + low is a constant.
DoubleDouble add_to_constant(VectorAsm& as, double high, double low, const DoubleDouble& a);

} // namespace mo

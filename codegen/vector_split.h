// A float taken apart: x = 2^exponent (1 + r) with 1 + r in [sqrt(1/2), sqrt(2)), so that near 1
// the exponent is 0 and r is exactly x - 1.
#pragma once

#include "codegen/vector_asm.h"

namespace mo {

/// The layout of a type's bits, and constants around it.
struct FloatLayout {
  int mantissa_bits;
  uint64_t mantissa_mask;
  uint64_t one, root_half; // the bits of 1 and of about sqrt(1/2)
  double root_two;
  double bias;            // of the exponent
  uint64_t integral_bits; // of the least float of which the unit is 1, and its value
  double integral;
  double least_normal;
};
const FloatLayout& layout_of(ElementType type);

struct SplitFloat {
  VecReg exponent, r; // both floats; r is exact
};

/// Whether denormals may be among the values: an f32 in an f64 never is one.
enum class Denormals : uint8_t { Possible, None };

/// For finite x > 0. On AVX-512 moreover zeros have an exponent of -infinity and infinity has one
/// of infinity, with r = 0 in both, and what is negative or NaN has an r of NaN; elsewhere all
/// these give some number.
SplitFloat split_float(VectorAsm& as, ElementType type, const VecReg& x,
                       Denormals denormals = Denormals::Possible);

/// The exponent as a float, from x's bits less (root_half - one); x normal and greater than zero.
VecReg exponent_of(VectorAsm& as, ElementType type, const VecReg& shifted);

} // namespace mo

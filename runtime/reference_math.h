// The functions that rows of ir/scalar_op.def name, written to be read: they say what an op means
// where C++ has no operator for it, or where its operator is undefined and mini-opt is not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace mo::reference_math {

// --- Floats ---

/// The larger one; NaN if either is NaN; -0 < +0 (IEEE 754-2019 maximum).
template <class T> T maximum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b) // equal, or zeros of two signs
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

/// The smaller one; NaN if either is NaN; -0 < +0 (IEEE 754-2019 minimum).
template <class T> T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// The larger one; if one is NaN, the other (IEEE 754-2019 maximumNumber).
template <class T> T maximum_number(T a, T b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  return maximum(a, b);
}

/// The smaller one; if one is NaN, the other (IEEE 754-2019 minimumNumber).
template <class T> T minimum_number(T a, T b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  return minimum(a, b);
}

/// a - b * trunc(a / b), exactly; has the sign of a.
template <class T> T remainder_toward_zero(T a, T b) {
  return std::fmod(a, b);
}

/// To the nearest integer, halfway cases to the even one. Requires the rounding mode that a process
/// starts in, which nothing here changes.
template <class T> T round_half_even(T a) {
  return std::nearbyint(a);
}

// --- Integers ---

// An i1 arrives as a 32-bit number, 0 or -1 signed, 0 or 1 unsigned; the caller cuts the result.

/// a / b rounded toward zero; 0 where b is 0; the smallest number / -1 is itself.
template <class T> T divide(T a, T b) {
  if (b == 0)
    return 0;
  if (b == -1) // not a / b: the smallest number has no negation
    return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
  return a / b;
}

/// a - b * divide(a, b): a where b is 0, otherwise |result| < |b| and it has the sign of a.
template <class T> T modulo(T a, T b) {
  if (b == 0)
    return a;
  if (b == -1)
    return 0;
  return a % b;
}

/// a / b rounded toward +inf; 0 where b is 0; the smallest number / -1 is itself.
template <class T> T divide_up(T a, T b) {
  const bool exact = modulo(a, b) == 0;
  const bool rounded_down = (a > 0) == (b > 0); // the quotient is positive
  return b != 0 && !exact && rounded_down ? divide(a, b) + 1 : divide(a, b);
}

/// a / b rounded toward -inf; 0 where b is 0; the smallest number / -1 is itself.
template <class T> T divide_down(T a, T b) {
  const bool exact = modulo(a, b) == 0;
  const bool rounded_up = (a > 0) != (b > 0); // the quotient is negative
  return b != 0 && !exact && rounded_up ? divide(a, b) - 1 : divide(a, b);
}

/// a / b; 0 where b is 0.
template <class U> U divide_unsigned(U a, U b) {
  return b == 0 ? 0 : a / b;
}

/// The rest of a / b; a where b is 0.
template <class U> U modulo_unsigned(U a, U b) {
  return b == 0 ? a : a % b;
}

// --- Casts ---

// To: float, double, int32_t, int64_t, or bool for an i1.

/// Toward zero; the smallest To for NaN and what does not fit. To = bool: bit 0 of the int32_t.
template <class To, class From> To float_to_signed(From a) {
  if constexpr (std::is_same_v<To, bool>) {
    return (float_to_signed<int32_t>(a) & 1) != 0;
  } else {
    const From limit = std::ldexp(From{1}, std::numeric_limits<To>::digits); // exact
    const From t = std::trunc(a);
    return t >= -limit && t < limit ? static_cast<To>(t) : std::numeric_limits<To>::min();
  }
}

/// Toward zero; all ones for NaN and what does not fit an unsigned To. To = bool: bit 0 of the
/// int32_t.
template <class To, class From> To float_to_unsigned(From a) {
  if constexpr (std::is_same_v<To, bool>) {
    return (float_to_unsigned<int32_t>(a) & 1) != 0;
  } else {
    using Unsigned = std::make_unsigned_t<To>;
    const From limit = std::ldexp(From{1}, std::numeric_limits<Unsigned>::digits);
    const From t = std::trunc(a);
    return static_cast<To>(t >= 0 && t < limit ? static_cast<Unsigned>(t)
                                               : std::numeric_limits<Unsigned>::max());
  }
}

/// The same bits as another type of the same width.
template <class To, class From> To bit_cast(From a) {
  if constexpr (std::is_same_v<To, bool>)
    return (a & 1) != 0; // i1 to i1
  else if constexpr (sizeof(To) == sizeof(From))
    return std::bit_cast<To>(a);
  else
    return To{}; // the widths differ: no such cast passes the verifier
}

} // namespace mo::reference_math

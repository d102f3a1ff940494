// The rows of ir/scalar_op.def, one struct each, and how the values they compute on are held in
// C++. For scalar_eval.cpp alone.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "ir/scalar_op.h"
#include "runtime/reference_math.h"

namespace mo::scalar_rows {

/// How elements of a type are stored, and computed on: signed (or float), and unsigned. An i1 is
/// computed on in 32 bits, 0 or -1 signed, 0 or 1 unsigned. Named is what `To` means in a row.
template <ElementType E> struct Held;
template <> struct Held<ElementType::F32> {
  using Stored = float;
  using Value = float;
  using Named = float;
};
template <> struct Held<ElementType::F64> {
  using Stored = double;
  using Value = double;
  using Named = double;
};
template <> struct Held<ElementType::I1> {
  using Stored = uint8_t;
  using Value = int32_t;
  using Unsigned = uint32_t;
  using Named = bool;
};
template <> struct Held<ElementType::I32> {
  using Stored = int32_t;
  using Value = int32_t;
  using Unsigned = uint32_t;
  using Named = int32_t;
};
template <> struct Held<ElementType::I64> {
  using Stored = int64_t;
  using Value = int64_t;
  using Unsigned = uint64_t;
  using Named = int64_t;
};
template <> struct Held<ElementType::Index> : Held<ElementType::I64> {};

template <ElementType E> auto load(const std::byte* block, size_t i) {
  const auto stored = reinterpret_cast<const typename Held<E>::Stored*>(block)[i];
  if constexpr (E == ElementType::I1)
    return -static_cast<int32_t>(stored & 1);
  else
    return stored;
}

template <ElementType E> auto as_unsigned(typename Held<E>::Value a) {
  const auto ua = static_cast<typename Held<E>::Unsigned>(a);
  if constexpr (E == ElementType::I1)
    return ua & 1;
  else
    return ua;
}

/// Cuts to the width of E.
template <ElementType E, class T> void store(std::byte* block, size_t i, T value) {
  using Stored = typename Held<E>::Stored;
  auto* elements = reinterpret_cast<Stored*>(block);
  if constexpr (E == ElementType::I1)
    elements[i] = static_cast<Stored>(static_cast<uint32_t>(value) & 1);
  else
    elements[i] = static_cast<Stored>(value);
}

// --- The rows ---

using namespace reference_math;

#define FLOAT_UNARY(Name, Spelling, Cost, Expr)                                                    \
  struct Name {                                                                                    \
    template <class T> static T of(T a) { return Expr; }                                           \
  };
#define FLOAT_BINARY(Name, Spelling, Cost, Expr)                                                   \
  struct Name {                                                                                    \
    template <class T> static T of(T a, T b) { return Expr; }                                      \
  };
#define FLOAT_TERNARY(Name, Spelling, Cost, Expr)                                                  \
  struct Name {                                                                                    \
    template <class T> static T of(T a, T b, T c) { return Expr; }                                 \
  };
#define INT_BINARY(Name, Spelling, Cost, Expr)                                                     \
  struct Name {                                                                                    \
    template <class T, class U>                                                                    \
    static U of([[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] U ua,                 \
                [[maybe_unused]] U ub, [[maybe_unused]] U bits) {                                  \
      return static_cast<U>(Expr);                                                                 \
    }                                                                                              \
  };
// For a float source ua is the value itself; no row reads that as unsigned.
#define CAST(Name, Spelling, Rule, Expr)                                                           \
  struct Name {                                                                                    \
    static constexpr TypeRule kRule = TypeRule::Rule;                                              \
    template <class To, class T, class U>                                                          \
    static auto of([[maybe_unused]] T a, [[maybe_unused]] U ua) {                                  \
      return Expr;                                                                                 \
    }                                                                                              \
  };
#include "ir/scalar_op.def"

template <CmpFPredicate P, class T> bool answer(T a, T b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (P) {
  case CmpFPredicate::False: return false;
  case CmpFPredicate::OEQ: return a == b;
  case CmpFPredicate::OGT: return a > b;
  case CmpFPredicate::OGE: return a >= b;
  case CmpFPredicate::OLT: return a < b;
  case CmpFPredicate::OLE: return a <= b;
  case CmpFPredicate::ONE: return !unordered && a != b;
  case CmpFPredicate::ORD: return !unordered;
  case CmpFPredicate::UEQ: return unordered || a == b;
  case CmpFPredicate::UGT: return unordered || a > b;
  case CmpFPredicate::UGE: return unordered || a >= b;
  case CmpFPredicate::ULT: return unordered || a < b;
  case CmpFPredicate::ULE: return unordered || a <= b;
  case CmpFPredicate::UNE: return unordered || a != b;
  case CmpFPredicate::UNO: return unordered;
  case CmpFPredicate::True: return true;
  }
  return false;
}

template <CmpIPredicate P, class T, class U> bool answer(T a, T b, U ua, U ub) {
  switch (P) {
  case CmpIPredicate::EQ: return ua == ub;
  case CmpIPredicate::NE: return ua != ub;
  case CmpIPredicate::SLT: return a < b;
  case CmpIPredicate::SLE: return a <= b;
  case CmpIPredicate::SGT: return a > b;
  case CmpIPredicate::SGE: return a >= b;
  case CmpIPredicate::ULT: return ua < ub;
  case CmpIPredicate::ULE: return ua <= ub;
  case CmpIPredicate::UGT: return ua > ub;
  case CmpIPredicate::UGE: return ua >= ub;
  }
  return false;
}

} // namespace mo::scalar_rows

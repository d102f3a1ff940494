// Loops over a block, one kind per kind of row, and the choice of the loop for an op and its types.
// What a row computes is in scalar_rows.h.
#include "runtime/scalar_eval.h"

#include <cstring>

#include "runtime/scalar_rows.h"

namespace mo {

namespace {

using namespace scalar_rows;

// --- Loops over a block ---

template <class Row, ElementType E>
void float_unary(std::byte* result, const std::byte* const* operands, size_t n) {
  const std::byte* a = operands[0];
  for (size_t i = 0; i < n; ++i)
    store<E>(result, i, Row::of(load<E>(a, i)));
}

template <class Row, ElementType E>
void float_binary(std::byte* result, const std::byte* const* operands, size_t n) {
  const std::byte *a = operands[0], *b = operands[1];
  for (size_t i = 0; i < n; ++i)
    store<E>(result, i, Row::of(load<E>(a, i), load<E>(b, i)));
}

template <class Row, ElementType E>
void float_ternary(std::byte* result, const std::byte* const* operands, size_t n) {
  const std::byte *a = operands[0], *b = operands[1], *c = operands[2];
  for (size_t i = 0; i < n; ++i)
    store<E>(result, i, Row::of(load<E>(a, i), load<E>(b, i), load<E>(c, i)));
}

template <class Row, ElementType E>
void int_binary(std::byte* result, const std::byte* const* operands, size_t n) {
  constexpr typename Held<E>::Unsigned kBits{bit_width(E)};
  const std::byte *lhs = operands[0], *rhs = operands[1];
  for (size_t i = 0; i < n; ++i) {
    const auto a = load<E>(lhs, i), b = load<E>(rhs, i);
    store<E>(result, i, Row::of(a, b, as_unsigned<E>(a), as_unsigned<E>(b), kBits));
  }
}

template <class Row, ElementType From, ElementType To>
void cast(std::byte* result, const std::byte* const* operands, size_t n) {
  using Named = typename Held<To>::Named;
  const std::byte* source = operands[0];
  for (size_t i = 0; i < n; ++i) {
    const auto a = load<From>(source, i);
    if constexpr (is_float(From))
      store<To>(result, i, Row::template of<Named>(a, a));
    else
      store<To>(result, i, Row::template of<Named>(a, as_unsigned<From>(a)));
  }
}

template <CmpFPredicate P, ElementType E>
void compare_floats(std::byte* result, const std::byte* const* operands, size_t n) {
  const std::byte *a = operands[0], *b = operands[1];
  for (size_t i = 0; i < n; ++i)
    store<ElementType::I1>(result, i, answer<P>(load<E>(a, i), load<E>(b, i)));
}

template <CmpIPredicate P, ElementType E>
void compare_integers(std::byte* result, const std::byte* const* operands, size_t n) {
  const std::byte *lhs = operands[0], *rhs = operands[1];
  for (size_t i = 0; i < n; ++i) {
    const auto a = load<E>(lhs, i), b = load<E>(rhs, i);
    store<ElementType::I1>(result, i, answer<P>(a, b, as_unsigned<E>(a), as_unsigned<E>(b)));
  }
}

/// By stored bytes, so that a NaN comes through as it is.
template <size_t kBytes>
void select(std::byte* result, const std::byte* const* operands, size_t n) {
  const auto* condition = reinterpret_cast<const uint8_t*>(operands[0]);
  for (size_t i = 0; i < n; ++i) {
    const std::byte* chosen = (condition[i] & 1) != 0 ? operands[1] : operands[2];
    std::memmove(result + i * kBytes, chosen + i * kBytes, kBytes);
  }
}

// --- Which loop ---

// One choice per kind of row. An index is held as an i64 is.

template <class Row> BlockKernel float_unary_kernel(ElementType type) {
  switch (type) {
  case ElementType::F32: return float_unary<Row, ElementType::F32>;
  case ElementType::F64: return float_unary<Row, ElementType::F64>;
  default: return nullptr;
  }
}

template <class Row> BlockKernel float_binary_kernel(ElementType type) {
  switch (type) {
  case ElementType::F32: return float_binary<Row, ElementType::F32>;
  case ElementType::F64: return float_binary<Row, ElementType::F64>;
  default: return nullptr;
  }
}

template <class Row> BlockKernel float_ternary_kernel(ElementType type) {
  switch (type) {
  case ElementType::F32: return float_ternary<Row, ElementType::F32>;
  case ElementType::F64: return float_ternary<Row, ElementType::F64>;
  default: return nullptr;
  }
}

template <class Row> BlockKernel int_binary_kernel(ElementType type) {
  switch (type) {
  case ElementType::I1: return int_binary<Row, ElementType::I1>;
  case ElementType::I32: return int_binary<Row, ElementType::I32>;
  case ElementType::I64:
  case ElementType::Index: return int_binary<Row, ElementType::I64>;
  default: return nullptr;
  }
}

/// Whether a cast of this rule is between such kinds of type, so that its expression makes sense.
/// Which widths it takes is types_agree's to say.
constexpr bool kinds_agree(TypeRule rule, ElementType from, ElementType to) {
  switch (rule) {
  case TypeRule::IntToFloat: return is_integer(from) && is_float(to);
  case TypeRule::FloatToInt: return is_float(from) && is_integer(to);
  case TypeRule::FloatWiden:
  case TypeRule::FloatNarrow: return is_float(from) && is_float(to);
  case TypeRule::SameWidth: return bit_width(from) == bit_width(to);
  default: return is_integer(from) && is_integer(to);
  }
}

template <class Row, ElementType From, ElementType To> BlockKernel cast_between() {
  if constexpr (kinds_agree(Row::kRule, From, To))
    return cast<Row, From, To>;
  else
    return nullptr;
}

template <class Row, ElementType From> BlockKernel cast_from(ElementType to) {
  switch (to) {
  case ElementType::F32: return cast_between<Row, From, ElementType::F32>();
  case ElementType::F64: return cast_between<Row, From, ElementType::F64>();
  case ElementType::I1: return cast_between<Row, From, ElementType::I1>();
  case ElementType::I32: return cast_between<Row, From, ElementType::I32>();
  case ElementType::I64:
  case ElementType::Index: return cast_between<Row, From, ElementType::I64>();
  }
  return nullptr;
}

template <class Row> BlockKernel cast_kernel(ElementType from, ElementType to) {
  if (!types_agree(Row::kRule, from, to))
    return nullptr;
  switch (from) {
  case ElementType::F32: return cast_from<Row, ElementType::F32>(to);
  case ElementType::F64: return cast_from<Row, ElementType::F64>(to);
  case ElementType::I1: return cast_from<Row, ElementType::I1>(to);
  case ElementType::I32: return cast_from<Row, ElementType::I32>(to);
  case ElementType::I64:
  case ElementType::Index: return cast_from<Row, ElementType::I64>(to);
  }
  return nullptr;
}

template <CmpFPredicate P> BlockKernel compare_floats_as(ElementType type) {
  switch (type) {
  case ElementType::F32: return compare_floats<P, ElementType::F32>;
  case ElementType::F64: return compare_floats<P, ElementType::F64>;
  default: return nullptr;
  }
}

template <CmpIPredicate P> BlockKernel compare_integers_as(ElementType type) {
  switch (type) {
  case ElementType::I1: return compare_integers<P, ElementType::I1>;
  case ElementType::I32: return compare_integers<P, ElementType::I32>;
  case ElementType::I64:
  case ElementType::Index: return compare_integers<P, ElementType::I64>;
  default: return nullptr;
  }
}

BlockKernel compare_floats_kernel(CmpFPredicate predicate, ElementType type) {
  using P = CmpFPredicate;
  switch (predicate) {
  case P::False: return compare_floats_as<P::False>(type);
  case P::OEQ: return compare_floats_as<P::OEQ>(type);
  case P::OGT: return compare_floats_as<P::OGT>(type);
  case P::OGE: return compare_floats_as<P::OGE>(type);
  case P::OLT: return compare_floats_as<P::OLT>(type);
  case P::OLE: return compare_floats_as<P::OLE>(type);
  case P::ONE: return compare_floats_as<P::ONE>(type);
  case P::ORD: return compare_floats_as<P::ORD>(type);
  case P::UEQ: return compare_floats_as<P::UEQ>(type);
  case P::UGT: return compare_floats_as<P::UGT>(type);
  case P::UGE: return compare_floats_as<P::UGE>(type);
  case P::ULT: return compare_floats_as<P::ULT>(type);
  case P::ULE: return compare_floats_as<P::ULE>(type);
  case P::UNE: return compare_floats_as<P::UNE>(type);
  case P::UNO: return compare_floats_as<P::UNO>(type);
  case P::True: return compare_floats_as<P::True>(type);
  }
  return nullptr;
}

BlockKernel compare_integers_kernel(CmpIPredicate predicate, ElementType type) {
  using P = CmpIPredicate;
  switch (predicate) {
  case P::EQ: return compare_integers_as<P::EQ>(type);
  case P::NE: return compare_integers_as<P::NE>(type);
  case P::SLT: return compare_integers_as<P::SLT>(type);
  case P::SLE: return compare_integers_as<P::SLE>(type);
  case P::SGT: return compare_integers_as<P::SGT>(type);
  case P::SGE: return compare_integers_as<P::SGE>(type);
  case P::ULT: return compare_integers_as<P::ULT>(type);
  case P::ULE: return compare_integers_as<P::ULE>(type);
  case P::UGT: return compare_integers_as<P::UGT>(type);
  case P::UGE: return compare_integers_as<P::UGE>(type);
  }
  return nullptr;
}

BlockKernel select_kernel(ElementType type) {
  switch (byte_size(type)) {
  case 1: return select<1>;
  case 4: return select<4>;
  default: return select<8>;
  }
}

} // namespace

BlockKernel block_kernel(ScalarOp op, uint8_t predicate, ElementType operand_type,
                         ElementType result_type) {
  const bool same = operand_type == result_type;
  switch (op) {
#define FLOAT_UNARY(Name, Spelling, Cost, Expr)                                                    \
  case ScalarOp::Name:                                                                             \
    return same ? float_unary_kernel<scalar_rows::Name>(operand_type) : nullptr;
#define FLOAT_BINARY(Name, Spelling, Cost, Expr)                                                   \
  case ScalarOp::Name:                                                                             \
    return same ? float_binary_kernel<scalar_rows::Name>(operand_type) : nullptr;
#define FLOAT_TERNARY(Name, Spelling, Cost, Expr)                                                  \
  case ScalarOp::Name:                                                                             \
    return same ? float_ternary_kernel<scalar_rows::Name>(operand_type) : nullptr;
#define INT_BINARY(Name, Spelling, Cost, Expr)                                                     \
  case ScalarOp::Name:                                                                             \
    return same ? int_binary_kernel<scalar_rows::Name>(operand_type) : nullptr;
#define CAST(Name, Spelling, Rule, Expr)                                                           \
  case ScalarOp::Name:                                                                             \
    return cast_kernel<scalar_rows::Name>(operand_type, result_type);
#include "ir/scalar_op.def"
  case ScalarOp::CmpF:
    return result_type == ElementType::I1
               ? compare_floats_kernel(static_cast<CmpFPredicate>(predicate), operand_type)
               : nullptr;
  case ScalarOp::CmpI:
    return result_type == ElementType::I1
               ? compare_integers_kernel(static_cast<CmpIPredicate>(predicate), operand_type)
               : nullptr;
  case ScalarOp::Select: return same ? select_kernel(operand_type) : nullptr;
  case ScalarOp::Constant:
  case ScalarOp::LoopIndex: return nullptr;
  }
  return nullptr;
}

uint64_t eval_scalar(ScalarOp op, uint8_t predicate, ElementType operand_type,
                     ElementType result_type, const uint64_t* operand_bits) {
  // Little-endian: the first bytes of the bits are the element as it lies in memory.
  alignas(8) std::byte elements[3][8];
  const std::byte* operands[3] = {elements[0], elements[1], elements[2]};
  for (unsigned k = 0; k < info(op).arity; ++k)
    std::memcpy(elements[k], &operand_bits[k], 8);
  alignas(8) std::byte result[8] = {};
  block_kernel(op, predicate, operand_type, result_type)(result, operands, 1);
  uint64_t bits = 0;
  std::memcpy(&bits, result, byte_size(result_type));
  return bits;
}

} // namespace mo

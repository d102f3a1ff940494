// The rows of ir/scalar_op.def as functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ir/scalar_op.h"
#include "ir/type.h"

namespace mo {

/// result[i] = op(operands[0][i], ...) for 0 <= i < n. Elements lie one behind the other as in
/// memory (byte_size wide, an i1 a byte that is 0 or 1), aligned to their width. `result` may be
/// one of the operands if they are of the same type; otherwise they do not overlap.
using BlockKernel = void (*)(std::byte* result, const std::byte* const* operands, size_t n);

/// The kernel of one op; `predicate` matters to CmpF and CmpI only. `operand_type` is the type of
/// the operands, for Select that of the last two. Null where the op takes no such types, and for
/// Constant and LoopIndex, which compute nothing from elements.
BlockKernel block_kernel(ScalarOp op, uint8_t predicate, ElementType operand_type,
                         ElementType result_type);

/// One element: operand_bits holds as many as the arity, each cut to its bit_width; so is the
/// result. Requires that block_kernel is not null for these types.
uint64_t eval_scalar(ScalarOp op, uint8_t predicate, ElementType operand_type,
                     ElementType result_type, const uint64_t* operand_bits);

} // namespace mo

// Copies that turn rows into columns, by square tiles in registers.
//
// Recognised in the loop nest, where such a copy is two ordinary loops: a load that has unit stride
// along one of them, a store that has unit stride along the other, and nothing else.
#pragma once

#include <cstdint>
#include <optional>

#include "codegen/emit_address.h"
#include "codegen/emit_context.h"

namespace mo {

/// to[c * to_pitch + r] = from[r * from_pitch + c] for r in 0..rows and c in 0..columns
struct TransposingCopy {
  const Load* load = nullptr;
  const Store* store = nullptr;
  int64_t rows = 0, columns = 0;
  int64_t from_pitch = 0, to_pitch = 0; // in elements; may be negative
  unsigned tile = 0;                    // rows and columns of a tile: at most `rows` and `columns`
  bool streams = false; // the store goes around the caches where its address permits
};

/// Nothing where the loop, at `depth`, is not such a copy, or is smaller than the smallest tile.
std::optional<TransposingCopy> plan_transposing_copy(const Kernel& kernel, const Loop& loop,
                                                     unsigned depth, Isa isa);

/// Where a tile would reach past the last row or column it starts earlier and copies again what
/// the tile before it has copied, so that no access goes past the end.
void emit_transposing_copy(EmitContext& context, const TransposingCopy& copy,
                           const Addresses& addresses);

} // namespace mo

// Vectors of elements that stand at a constant distance: whole stretches of memory, permuted,
// where that is cheaper than element by element (gather_lanes and scatter_lanes do those).
#pragma once

#include <asmjit/x86.h>

#include <cstdint>

#include "codegen/loop_nest.h"
#include "codegen/vector_ops.h"

namespace mo {

/// stride: elements between neighbouring lanes; not 0, not 1.
bool loads_by_permuting(unsigned lanes, ElementType type, int64_t stride);
bool stores_by_permuting(Isa isa, unsigned lanes, const Buffer& to, int64_t stride);

/// `lowest`: the element with the lowest address, lane 0 or, where the stride is negative, the last
/// lane. Reads nothing outside of the elements from the lowest to the highest one.
Vec load_strided(VectorOps& ops, const asmjit::x86::Mem& lowest, ElementType type, int64_t stride);
/// Writes these elements alone.
void store_strided(VectorOps& ops, const Vec& v, const asmjit::x86::Mem& lowest, int64_t stride);

} // namespace mo

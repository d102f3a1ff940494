// Elements between memory and vector registers: contiguous, masked, one address per lane,
// streaming.
//
// In registers an i1 is a mask of 32 bits a lane (vector_ops.h), in memory a byte that is 0 or 1;
// all other types have the same bits in both.
#pragma once

#include <asmjit/x86.h>

#include <span>

#include "codegen/emit_bytes.h"

namespace mo {

/// The low `lanes` lanes of a wider vector; the same virtual register.
Vec narrow(const Vec& v, unsigned lanes);

/// ops.lanes() elements that lie side by side at `from`, at any alignment. Reads no byte beyond
/// them, nor of an element whose lane is masked out (that lane becomes 0).
Vec load_lanes(VectorOps& ops, const asmjit::x86::Mem& from, ElementType type,
               const LaneMask& mask = {});
void store_lanes(VectorOps& ops, const Vec& v, const asmjit::x86::Mem& to,
                 const LaneMask& mask = {});

/// Can a vector of `lanes` elements be stored around the caches? It has to fill a register.
bool can_stream(unsigned lanes, ElementType type);
/// The same as store_lanes, around the caches. `to` is aligned to lanes * byte_size. Needs
/// can_stream.
void stream_lanes(VectorOps& ops, const Vec& v, const asmjit::x86::Mem& to);

/// Lane k from and to an address of its own; ops.lanes() addresses.
Vec gather_lanes(VectorOps& ops, std::span<const asmjit::x86::Mem> from, ElementType type);
void scatter_lanes(VectorOps& ops, const Vec& v, std::span<const asmjit::x86::Mem> to);

/// Which registers elements go through on their way from memory to memory. Two general registers
/// are stored in the time that one vector register takes; to memory beyond the caches vector
/// registers are the faster ones (measured: every second of 4-byte elements, 0.49 against 0.52 ns
/// an element). A byte always takes a general register.
enum class MoveBy : uint8_t { GeneralRegisters, VectorRegisters };

/// from[k] to to[k], one by one; ops.lanes() of them.
void move_elements(VectorOps& ops, std::span<const asmjit::x86::Mem> from,
                   std::span<const asmjit::x86::Mem> to, ElementType type, MoveBy by);

} // namespace mo

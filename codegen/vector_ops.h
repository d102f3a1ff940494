// One emitter per scalar op, for all lanes at once.
#pragma once

#include <asmjit/x86.h>

#include <array>
#include <optional>
#include <vector>

#include "codegen/isa.h"
#include "codegen/kernel_compiler.h"
#include "codegen/loop_nest.h"
#include "ir/scalar_op.h"

namespace mo {

/// `lanes` elements in one vector register.
///
/// Layout: f32, i32 and i1 take 32 bits a lane, f64, i64 and index 64. An i1 lane is all zeros or
/// all ones (a mask). The register is the narrowest of xmm, ymm, zmm that holds lanes * width;
/// lanes that are not part of the value may hold anything, and no op may fault on what they hold.
struct Vec {
  asmjit::x86::Vec reg;
  ElementType type = ElementType::F32;
};

/// Emits vector code for scalar ops into a function that is being compiled.
class VectorOps {
public:
  /// lanes: 1 (scalar code in lane 0), or up to vector_bytes(isa) / 4, a power of two; values of 64
  /// bits need lanes * 8 <= vector_bytes(isa).
  VectorOps(KernelCompiler& cc, Isa isa, unsigned lanes) : cc_(cc), isa_(isa), lanes_(lanes) {}

  Isa isa() const { return isa_; }
  unsigned lanes() const { return lanes_; }
  KernelCompiler& cc() { return cc_; }

  Vec new_vec(ElementType type, const char* name = "v");
  /// The same bits in every lane.
  Vec constant(uint64_t bits, ElementType type);
  /// dst = src; the registers differ.
  void move(const Vec& dst, const Vec& src);
  /// Lane 0 of `scalar` in every lane. Also how a value of an outer loop enters a vector loop.
  Vec broadcast(const Vec& scalar);
  /// first + lane number: counters of a vectorised loop. `first` is a 64-bit general register.
  Vec lane_counters(const asmjit::x86::Gp& first);

  /// The op applied to every lane. `operands` as many as the arity. Not for Constant and LoopIndex,
  /// which have none.
  Vec emit(const Compute& op, std::array<Vec, 3> operands, ElementType result_type);

  /// All lanes of v combined into lane 0 of the result, pairwise. combine is one of the ops that
  /// Carried::combine may hold.
  Vec reduce_lanes(ScalarOp combine, const Vec& v);
  /// The value e with combine(e, x) == x for every x, bit for bit, if there is one (-0.0 for addf).
  static std::optional<uint64_t> neutral_element(ScalarOp combine, ElementType type);

private:
  KernelCompiler& cc_;
  Isa isa_;
  unsigned lanes_;
  std::vector<asmjit::x86::Mem> scratch_; // stack slots shared by the ops that work lane by lane
};

} // namespace mo

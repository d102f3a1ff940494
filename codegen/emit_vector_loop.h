// An innermost loop, several elements at a time.
//
//     streams:  [up to the first aligned address] [unrolled vectors, streaming] [vectors,
//     streaming] else:     [unrolled vectors] then:     [vectors that are left] [elements that are
//     left]
//
// Whether the streaming half may be used is asked at run time: all its stores have to become
// aligned at the same iteration. The elements at the ends go by masked or narrower vectors
// (VectorPlan).
#pragma once

#include <vector>

#include "codegen/emit_steps.h"
#include "codegen/vector_plan.h"

namespace mo {

/// `values` hold one lane each: what the loop uses from outside, and afterwards its results.
/// `counters` are those of the loops around it.
void emit_vector_loop(EmitContext& context, const Loop& loop, const VectorPlan& plan,
                      Addresses& addresses, std::vector<asmjit::x86::Gp>& counters, Values& values);

/// Compares a 64-bit register with a number of any size.
void compare_with(asmjit::x86::Compiler& cc, const asmjit::x86::Gp& reg, int64_t number);

} // namespace mo

// The steps of the simplification, each a rewrite of its own that keeps what the kernel computes.
// simplify() runs them in this order; a test calls them one by one.
#pragma once

#include "codegen/loop_nest.h"

namespace mo {

/// A loop without iterations goes, with all that is in it. After it every loop runs.
void drop_empty_loops(Kernel& kernel);

/// A loop of one iteration is its body, its counter 0. Leaves loops that carry values.
void drop_unit_loops(Kernel& kernel);

/// Within one block: a Compute equal to an earlier one (op, predicate, operands, immediate, type),
/// and a Load of an element that was loaded before and not stored to since, are that earlier one.
/// No algebra, so no bit changes.
void merge_equal_steps(Kernel& kernel);

/// Permutes the loops of a perfect nest so that the ones that walk memory in small steps are
/// inside, a unit stride innermost, as far as dependences allow (dependence.h).
void order_loops(Kernel& kernel);

/// Of two loops, one directly in the other, one: where for every access the outer stride is what
/// the inner loop walks in all, and neither counter is asked for. The order of the points stays as
/// it is, so no dependence matters.
void merge_contiguous_loops(Kernel& kernel);

/// An element that every iteration of the innermost loops updates is loaded before them, handed on
/// in a register, and stored after them.
void carry_in_registers(Kernel& kernel);

/// What does not depend on a loop is done before it. Loads only where the loop runs and does not
/// store to that buffer.
void hoist_invariants(Kernel& kernel);

/// Steps whose value nobody reads go; so do loops that hold nothing.
void remove_dead_steps(Kernel& kernel);

/// Sets Loop::vectorizable on every loop.
void mark_vectorizable(Kernel& kernel);

} // namespace mo

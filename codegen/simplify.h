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
/// and a Load of an element that was loaded or stored before and not stored to since, are the value
/// that is there already. No algebra, so no bit changes.
void merge_equal_steps(Kernel& kernel);

/// Permutes the loops of a perfect nest so that the ones that walk memory in small steps are
/// inside, a unit stride innermost, as far as dependences allow (dependence.h).
void order_loops(Kernel& kernel);

/// Neighbouring nests take turns in one outer loop where every dependence between them stays within
/// an iteration: for nests of which one reduces what another one reads too, or whose result another
/// one reads. The reduction makes at least `min_row` steps in one iteration of the shared loop:
/// what shares a loop with others is no longer innermost, hence scalar, so the rows inside have to
/// pay for it. Inside a shared loop the same again, as long as there are loops inside.
void share_outer_loops(Kernel& kernel, int64_t min_row = 64);

/// Innermost loops next to each other in a shared loop become one where they are both vectorizable
/// or both not. After reductions are carried in registers, which lets more of them pass; requires
/// mark_vectorizable.
void share_inner_loops(Kernel& kernel);

/// A temp of which every iteration of a loop uses a part of its own becomes as small as that part:
/// all iterations use the same. Not for innermost loops, whose iterations run side by side.
void contract_temps(Kernel& kernel);

/// A temp that nothing is loaded from goes, with the stores to it and what only they needed.
void remove_unread_temps(Kernel& kernel);

/// Of two loops, one directly in the other, one: where for every access the outer stride is what
/// the inner loop walks in all, and neither counter is asked for. The order of the points stays as
/// it is, so no dependence matters.
void merge_contiguous_loops(Kernel& kernel);

/// What is read or written by neighbours along one loop and by jumps along the innermost one goes
/// through a scratch, block by block. For nests that order_loops has been through; leaves loops of
/// one iteration and loops to merge.
void tile_transposes(Kernel& kernel);

/// A nest that updates a row of results once per iteration of its outer loop does so for several
/// iterations at a time.
void jam_column_reductions(Kernel& kernel);

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

/// In vectorizable loops over large buffers, elements that stand apart, and those of buffers that
/// are read side by side, are asked for ahead of their use.
void prefetch_ahead(Kernel& kernel);

/// Where vector loops take turns in a loop over rows, one after the first asks for what the first
/// will read in the next iteration, if that is a row of a large buffer. Requires mark_vectorizable.
void prefetch_next_rows(Kernel& kernel);

} // namespace mo

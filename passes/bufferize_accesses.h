// What an op reads and writes, as far as sharing buffers is concerned.
#pragma once

#include "ir/function.h"

namespace mo {

/// How many tensors the op computes, one per init; none for other ops.
unsigned num_inits(const Op& op);
/// Init number `init` of an op that has it: what result `init` is computed from or into.
ValueId init_of(const Op& op, unsigned init);
/// The number that for_each_operand gives to init `init`.
unsigned operand_of_init(const Op& op, unsigned init);

/// Do the old contents of the init matter: does the body read them, or do some elements keep them?
/// Requires op to be one of `function`.
bool reads_old_contents(const Function& function, const Op& op, unsigned init);

/// May the op read `read_operand` from the very buffer that it writes through `written_operand`?
/// Yes for one and the same operand; and where all loops are parallel and both maps the identity,
/// so that every element is read before it is written and by nobody else. Another *init* that reads
/// is no obstacle either: as two inits never share a buffer, what it reads is copied before the op
/// runs.
bool may_read_while_writing(const Op& op, unsigned read_operand, unsigned written_operand);

} // namespace mo

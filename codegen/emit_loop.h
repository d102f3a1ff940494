// Counted loops, one element at a time; an innermost loop that permits it is handed to
// emit_vector_loop.h.
#pragma once

#include <vector>

#include "codegen/emit_steps.h"

namespace mo {

/// Emits `nodes`, a run of the outermost block: loops and steps, no allocations. Values that it
/// needs from before are loaded from the kernel's state, and those it defines are left there.
void emit_run(EmitContext& context, const Node* nodes, size_t count);

} // namespace mo

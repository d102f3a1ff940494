// The kernel's state in memory: scalar arguments in, values of the outermost block in and out.
#pragma once

#include "codegen/emit_context.h"
#include "codegen/vector_ops.h"

namespace mo {

/// A scalar argument, or a value that an earlier node of the outermost block left; one lane.
Vec load_from_state(EmitContext& context, Reg reg);
void store_to_state(EmitContext& context, Reg reg, const Vec& v);

} // namespace mo

// The machine functions of a kernel: its entry, its parts, allocations, and the one way out.
#pragma once

#include "codegen/isa.h"
#include "codegen/kernel_compiler.h"
#include "codegen/loop_nest.h"

namespace mo {

/// Emits the whole kernel into `cc`, its constants into a section of their own, on pages of their
/// own. The first function is the entry: uint64_t(void* const* arguments), see
/// CompiledKernel::Entry.
///
/// A long kernel is cut into parts, each a machine function (void* const* arguments, state): the
/// work of register allocation grows faster than the function, so this keeps it linear in the
/// kernel.
void emit_kernel(KernelCompiler& cc, const Kernel& kernel, Isa isa, bool comments);

} // namespace mo

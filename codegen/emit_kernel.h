// The machine functions of a kernel: its entry, its parts, allocations, and the one way out.
#pragma once

#include <asmjit/x86.h>

#include "codegen/isa.h"
#include "codegen/loop_nest.h"

namespace mo {

/// Emits the whole kernel into `cc`, its constants into a section of their own, aligned to a page.
/// The first function is the entry: uint64_t(void* const* arguments), see CompiledKernel::Entry.
///
/// A long kernel is cut into parts, each a machine function (void* const* arguments, state): the
/// work of register allocation grows faster than the function, so this keeps it linear in the
/// kernel.
void emit_kernel(asmjit::CodeHolder& code, asmjit::x86::Compiler& cc, const Kernel& kernel, Isa isa,
                 bool comments);

} // namespace mo

// The machine functions of a kernel: its entry, its parts, allocations, and the one way out.
#pragma once

#include <string>

#include "codegen/isa.h"
#include "codegen/kernel_compiler.h"
#include "codegen/loop_nest.h"

namespace mo {

/// What CompiledKernel::Entry is to asmjit.
using EntrySignature = asmjit::FuncSignatureT<uint64_t, void* const*>;

/// Emits the whole kernel into `cc`: first `entry`, a function with EntrySignature that is not
/// emitted yet. A long kernel is cut into parts, each a machine function (void* const* arguments,
/// state): the work of register allocation grows faster than the function, so this keeps it linear
/// in the kernel.
/// Their symbols are the kernel's name with `entry_suffix`, and with ".part0", ....
void emit_kernel(KernelCompiler& cc, const Kernel& kernel, Isa isa, asmjit::FuncNode* entry,
                 const std::string& entry_suffix);

} // namespace mo

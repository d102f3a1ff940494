// The function that a C program calls.
#pragma once

#include "codegen/isa.h"
#include "codegen/kernel_compiler.h"
#include "codegen/loop_nest.h"

namespace mo {

/// int name(arguments...), by the C calling convention of System V: a pointer for each buffer,
/// scalars by value (an i1 is a bool, an index an int64_t), in the order of the kernel's arguments.
/// It puts them into memory as CompiledKernel::Entry wants them and calls `entry`, whose status it
/// returns.
void emit_c_function(KernelCompiler& cc, const Kernel& kernel, Isa isa, const asmjit::Label& entry);

} // namespace mo

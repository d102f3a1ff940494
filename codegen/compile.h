// Buffer-level IR to machine code; asmjit is not seen through it. With isa.h, loop_nest.h and, for
// what debuggers are told, object_file.h all that runtime needs of codegen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/isa.h"
#include "codegen/jit_memory.h"
#include "codegen/loop_nest.h"
#include "codegen/machine_code.h"
#include "ir/diagnostic.h"

namespace mo {

struct CompileOptions {
  Isa isa = Isa::SSE42;
  NtStores nt_stores = NtStores::Auto;
  ShareLoops share_loops = ShareLoops::Auto;
  int64_t cache_bytes = 32 << 20; // of the last-level cache
};

/// Loops as --emit=loops shows them and as compile emits them: lowered, simplified, stores chosen.
Kernel build_loops(const Function& function, const CompileOptions& options);

struct CodeForm {
  bool c_function =
      false;           // with a function for C (emit_c_function.h), global, of the kernel's name
  bool text = false;   // with MachineCode::assembly
  bool values = false; // with MachineCode::values
  unsigned number = 0; // in the labels of the assembly: several kernels go into one text
};

/// Machine code at no address yet. An op without an emitter is an error at its location; nothing is
/// returned then. Allocs and Frees stand in the outermost block.
std::optional<MachineCode> assemble(const Kernel& kernel, Isa isa, const CodeForm& form,
                                    Diagnostics& diagnostics);

/// Code in pages that are executable and not writable; freed with the object.
struct CompiledKernel {
  /// `arguments[k]` is the k-th argument of the function: a buffer's address, or the address of a
  /// scalar's value (as wide as byte_size says). Returns 0, or 1 + the index into Kernel::buffers
  /// of the allocation that failed; then nothing has leaked. Reentrant: all state is on the stack.
  using Entry = uint64_t (*)(void* const* arguments);
  Entry entry = nullptr;
  size_t code_bytes = 0;
  JitPages pages; // the code, and behind it the constants
  /// Jumps to functions of the C library, between the two: where in `pages`.
  std::vector<MachineCode::Part> jumps;
};

/// Puts the code of `kernel` where it can run.
std::optional<CompiledKernel> load(const Kernel& kernel, const MachineCode& code,
                                   Diagnostics& diagnostics);
/// Assembles and loads.
std::optional<CompiledKernel> compile(const Kernel& kernel, Isa isa, Diagnostics& diagnostics);
/// From a function of buffer-level IR.
std::optional<CompiledKernel> compile(const Function& function, const CompileOptions& options,
                                      Diagnostics& diagnostics);

} // namespace mo

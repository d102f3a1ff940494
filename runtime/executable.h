// A compiled function, ready to be called with arrays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/compile.h"
#include "codegen/dwarf.h"
#include "runtime/array.h"
#include "runtime/interpret.h"
#include "runtime/perf_map.h"

namespace mo {

/// Who else is to know of the code that is made.
struct CodeAudience {
  /// A debugger: the text that the function's places refer to.
  std::optional<SourceName> debugger;
  PerfMap* perf = nullptr;
};

/// A function at buffer level and its machine code.
class Executable {
public:
  static std::optional<Executable> compile(const Function& function, const CompileOptions& options,
                                           Diagnostics& diagnostics,
                                           const CodeAudience& audience = {});
  /// The second half of it: `loops` are those of the function.
  static std::optional<Executable> compile(const Function& function, const Kernel& loops, Isa isa,
                                           Diagnostics& diagnostics,
                                           const CodeAudience& audience = {});
  /// `args` one per argument of the buffer-level function, {bufferize.result} ones included;
  /// memrefs are updated in place. An error, before anything runs, where an argument does not fit;
  /// and where the kernel does not get the memory for a temp, which it names.
  std::optional<RunError> run(std::vector<RuntimeValue>& args) const;
  /// The bare call, for timing: what Entry takes.
  const CompiledKernel& kernel() const { return kernel_; }

private:
  std::vector<Type> arg_types_;
  std::vector<std::string> buffer_names_; // by index into Kernel::buffers, with the size
  CompiledKernel kernel_;
};

/// What CompiledKernel::Entry takes: the address of each array's elements or of a scalar's bits.
/// Valid as long as `args` is not changed.
std::vector<void*> entry_arguments(std::vector<RuntimeValue>& args);

} // namespace mo

#include "codegen/compile.h"

namespace mo {

Kernel build_loops(const Function& function, const CompileOptions& options) {
  Kernel kernel = lower_to_loops(function);
  simplify(kernel);
  choose_streaming_stores(kernel, options.nt_stores, options.cache_bytes);
  return kernel;
}

} // namespace mo

#include "codegen/compile.h"

#include <cassert>

#include "codegen/check_loops.h"

namespace mo {

Kernel build_loops(const Function& function, const CompileOptions& options) {
  Kernel kernel = lower_to_loops(function);
  assert(check(kernel).empty());
  simplify(kernel, options.share_loops);
  assert(check(kernel).empty());
  choose_streaming_stores(kernel, options.nt_stores, options.cache_bytes);
  return kernel;
}

} // namespace mo

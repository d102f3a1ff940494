// The passes in the order given, verified after each.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/diagnostic.h"
#include "ir/function.h"
#include "passes/observer.h"

namespace mo {

enum class PassKind : uint8_t {
  Fuse,         // elementwise fusion where the maps line up (fuse.h, strict)
  FuseMlir,     // mlir-opt's rules, with canonicalize
  Canonicalize, // the clean-ups (canonicalize.h)
  Bufferize,    // tensors to buffers, every result copied to where it is wanted (bufferize.h)
  Elim,         // bufferize in destination-passing style
};
std::string_view spelling(PassKind pass); // "fuse", "fuse=mlir", ...

/// Reason of the Analysis remark for a function that a pass does not apply to.
inline constexpr std::string_view kNotTensorLevel = "not-tensor-level";

/// Runs the passes over every function of the module. A pass that leaves invalid IR is a bug of
/// ours: the violations are returned in `diagnostics` and the pipeline stops. A pass that does not
/// apply (fuse on buffers) does nothing and says so in a remark.
bool run_pipeline(Module& module, const std::vector<PassKind>& passes, Observer& observer,
                  Diagnostics& diagnostics);

/// What the lab's rows count, over one function.
struct Counts {
  unsigned generics = 0, fills = 0, empties = 0, allocs = 0, copies = 0;
};
Counts count(const Function& function);

} // namespace mo

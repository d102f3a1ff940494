// The IR between passes as text: what the views that dump it share.
#pragma once

#include <string>
#include <string_view>

#include "ir/function.h"
#include "passes/observer.h"

namespace mo {

/// The pipeline that dumps are of, as their headers name it.
struct DumpedPipeline {
  std::string flags; // "--fuse --elim"
  size_t num_passes = 0;
};

/// "fuse: pass 1 of 2, pipeline: --fuse --elim"
std::string describe(const PassRun& run, const DumpedPipeline& pipeline);

/// "// IR Dump <what>" and the module: text that mini-opt and mlir-opt read.
std::string ir_dump(std::string_view what, const Module& module);

/// Stands before each dump where several follow each other, so that `mlir-opt --split-input-file`
/// takes them one by one. (It wants a line before its first separator.)
inline constexpr std::string_view kDumpSeparator = "\n// -----\n";

/// What to show where a pass has failed: the IR, or why there is none.
std::string failed_dump(const PassRun& run, const DumpedPipeline& pipeline, const Module& module,
                        const Diagnostics& why);

} // namespace mo

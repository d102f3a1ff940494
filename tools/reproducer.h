// A program and the pipeline that it goes through, in one file: what a bug report needs.
//
//   // mini-opt-pipeline: --fuse --elim --opt-bisect-limit=7
//   // ... the input as it was
//
// The file is MLIR like any other; mini-opt --run-reproducer reads the pipeline from it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/diagnostic.h"
#include "tools/options.h"

namespace mo {

/// The flags that make the pipeline: "--fuse --elim", "--fuse --opt-bisect-limit=3"; "" where there
/// is nothing to run.
std::string pipeline_flags(const Options& options);

/// What stands before the input in a reproducer: comments, the pipeline in the first.
std::string reproducer_header(const Options& options, std::string_view input_name);

/// Sets the passes and the limit in `options` to those of the leading comments of `source`. Returns
/// what is wrong, or "".
std::string take_pipeline(const SourceFile& source, Options& options);

} // namespace mo

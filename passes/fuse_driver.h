// Inside the fusion pass: its parts, for the pipeline that runs it interleaved with canonicalize.
#pragma once

#include "ir/walk.h"
#include "passes/fuse.h"
#include "passes/rewrite_log.h"

namespace mo {

/// Fuses until nothing more fuses. True if anything changed. Values keep their ids.
bool fuse_sweeps(Function& function, FusionMode mode, RewriteLog& log);

/// One Missed remark per edge that is there still, and an Analysis remark if nothing was rewritten.
void report_missed_fusions(const Function& function, FusionMode mode, RewriteLog& log);

} // namespace mo

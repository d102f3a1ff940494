// What becomes of a function after the passes: loops, instructions, walks over memory.
#pragma once

#include "tools/trace/trace.h"

namespace mo {

/// "fuse+elim"; "as written" where there is no pass.
std::string name_of(const std::vector<PassKind>& passes);

/// Loops and assembly of a function as --emit=loops and --emit=asm print them, with the places of
/// their lines; why there is none where there is none.
TraceCode code_of(const Function& function, const CompileOptions& options, LineTable& lines,
                  const TraceLimits& limits);

/// What a function of any level does to memory; of tensors, once it is bufferized as --run does.
TraceVariant variant_of(const Function& function, const CompileOptions& options);

/// The four corners of the lab for a function as it was parsed; without what it became (`traced`,
/// by `passes`), where that is not one of the four. None of those of a function of buffers, which
/// has no corners, or of one that is too long.
std::vector<TraceVariant> variants_of(const Function& parsed, const Function& traced,
                                      const std::vector<PassKind>& passes,
                                      const CompileOptions& options, const TraceLimits& limits);

} // namespace mo

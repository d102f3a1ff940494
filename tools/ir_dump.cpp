#include "tools/ir_dump.h"

#include <fmt/format.h>

#include "ir/print.h"
#include "ir/verify.h"

namespace mo {

std::string describe(const PassRun& run, const DumpedPipeline& pipeline) {
  return fmt::format("{}: pass {} of {}, pipeline: {}", run.pass, run.number, pipeline.num_passes,
                     pipeline.flags);
}

std::string ir_dump(std::string_view what, const Module& module) {
  return fmt::format("// IR Dump {}\n{}", what, print(module));
}

std::string failed_dump(const PassRun& run, const DumpedPipeline& pipeline, const Module& module,
                        const Diagnostics& why) {
  const std::string what = "After (does not verify) " + describe(run, pipeline);
  return is_sound(why) ? ir_dump(what, module)
                       : fmt::format("// IR Dump {}; too broken to be printed\n", what);
}

} // namespace mo

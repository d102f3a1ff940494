// --print-ir-before, --print-ir-after and their -all: the IR around passes, on stderr.
#pragma once

#include <string>
#include <vector>

#include "passes/pipeline.h"
#include "tools/ir_dump.h"
#include "tools/options.h"
#include "tools/views.h"

namespace mo {

class IrPrinter final : public View {
public:
  IrPrinter(const DumpRequest& before, const DumpRequest& after, DumpedPipeline pipeline)
      : before_(before), after_(after), pipeline_(std::move(pipeline)) {}
  void pass_begins(const PassRun& run, const Module& module) override;
  void pass_ends(const PassRun& run, const Module& module) override;
  void pass_failed(const PassRun& run, const Module& module, const Diagnostics& why) override;

private:
  const DumpRequest &before_, &after_;
  DumpedPipeline pipeline_;
};

} // namespace mo

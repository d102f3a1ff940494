// --print-changed: the IR at the start and after each pass that changed it, on stderr; or only what
// changed, as a diff.
#pragma once

#include <string>

#include "tools/ir_dump.h"
#include "tools/options.h"
#include "tools/views.h"

namespace mo {

class ChangePrinter final : public View {
public:
  ChangePrinter(ChangeForm form, DumpedPipeline pipeline);
  std::optional<FileError> begin(const Module& input) override;
  void pass_ends(const PassRun& run, const Module& module) override;
  void pass_failed(const PassRun& run, const Module& module, const Diagnostics& why) override;

private:
  ChangeForm form_;
  DumpedPipeline pipeline_;
  bool color_;
  std::string last_;      // the IR, as text
  std::string last_name_; // "input", "1 fuse"
};

} // namespace mo

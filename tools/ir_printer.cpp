#include "tools/ir_printer.h"

#include "tools/files.h"

namespace mo {

void IrPrinter::pass_begins(const PassRun& run, const Module& module) {
  if (!before_.asks_for(run.pass))
    return;
  say(kDumpSeparator);
  say(ir_dump("Before " + describe(run, pipeline_), module));
}

void IrPrinter::pass_ends(const PassRun& run, const Module& module) {
  if (!after_.asks_for(run.pass))
    return;
  say(kDumpSeparator);
  say(ir_dump("After " + describe(run, pipeline_), module));
}

void IrPrinter::pass_failed(const PassRun& run, const Module& module, const Diagnostics& why) {
  if (!after_.asks_for(run.pass))
    return;
  say(kDumpSeparator);
  say(failed_dump(run, pipeline_, module, why));
}

} // namespace mo

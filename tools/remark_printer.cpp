#include "tools/remark_printer.h"

#include <unistd.h>

#include "passes/remarks.h"
#include "tools/files.h"

namespace mo {
namespace {

bool is_wanted(const RemarkKinds& kinds, Remark::Kind kind) {
  switch (kind) {
  case Remark::Kind::Passed: return kinds.passed;
  case Remark::Kind::Missed: return kinds.missed;
  case Remark::Kind::Analysis: return kinds.analysis;
  }
  return false;
}

} // namespace

RemarkPrinter::RemarkPrinter(const RemarkKinds& kinds, const SourceFile& source)
    : kinds_(kinds), source_(source), color_(wants_color(STDERR_FILENO)) {}

void RemarkPrinter::remark(const Remark& r) {
  if (is_wanted(kinds_, r.kind))
    say(render(r, source_, color_));
}

} // namespace mo

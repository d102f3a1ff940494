#include "tools/views.h"

#include <utility>

#include "tools/bisect.h"
#include "tools/change_printer.h"
#include "tools/debug_hook.h"
#include "tools/driver.h"
#include "tools/ir_printer.h"
#include "tools/remark_output.h"
#include "tools/reproducer.h"
#include "tools/statistics.h"
#include "tools/trace/page.h"
#include "tools/tree_writer.h"

namespace mo {

Views views_for(Session& session) {
  const Options& o = session.options;
  const DumpedPipeline pipeline{pipeline_flags(o), o.passes.size()};
  Views views;
  // Says which rewrites are done before anybody shows them.
  if (o.bisect_limit)
    views.add(std::make_unique<Bisect>(*o.bisect_limit));
  if (o.remarks.any() || !o.remarks_output.empty())
    views.add(std::make_unique<RemarkOutput>(o, session.source));
  if (o.step)
    views.add(std::make_unique<ReplayView>(session.step_answers));
  if (o.print_before.any() || o.print_after.any())
    views.add(std::make_unique<IrPrinter>(o.print_before, o.print_after, pipeline));
  if (o.print_changed)
    views.add(std::make_unique<ChangePrinter>(*o.print_changed, pipeline));
  if (!o.tree_dir.empty())
    views.add(std::make_unique<TreeWriter>(o.tree_dir, pipeline));
  if (o.stats)
    views.add(std::make_unique<Statistics>());
  if (!o.trace_html.empty())
    views.add(trace_view(session));
  views.add(std::make_unique<DebugHook>()); // last: what it shows, the others have heard of
  return views;
}

void Views::add(std::unique_ptr<View> view) {
  all_.add(*view);
  views_.push_back(std::move(view));
}

std::optional<FileError> Views::begin(const Module& input) {
  for (const auto& view : views_)
    if (auto error = view->begin(input))
      return error;
  return std::nullopt;
}

std::optional<FileError> Views::end(const Module& output) {
  std::optional<FileError> first;
  for (const auto& view : views_)
    if (auto error = view->end(output); error && !first)
      first = std::move(error);
  return first;
}

} // namespace mo

#include "tools/views.h"

#include <utility>

#include "tools/debug_hook.h"
#include "tools/driver.h"
#include "tools/remark_output.h"
#include "tools/timing.h"

namespace mo {

Views views_for(Session& session) {
  const Options& o = session.options;
  Views views;
  if (o.remarks.any() || !o.remarks_output.empty())
    views.add(std::make_unique<RemarkOutput>(o, session.source));
  if (o.step)
    views.add(std::make_unique<ReplayView>(session.step_answers));
  views.add(std::make_unique<PassTimer>(session.timing));
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

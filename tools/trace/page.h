// --trace-html: the page itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/files.h"
#include "tools/trace/trace.h"
#include "tools/views.h"

namespace mo {

struct Session;

/// Listens to the pipeline that is asked for, for session.trace.
std::unique_ptr<View> trace_view(Session& session);

/// Adds what there is to say once everything else is done (code, walks over memory, figures) and
/// writes the page to the file that --trace-html names. Says what went wrong and returns false, and
/// then there is no half-written page.
bool write_trace_page(Session& session, std::string_view command);

/// The HTML file: everything it needs is in it.
std::string html_of(const TracePage& page);

} // namespace mo

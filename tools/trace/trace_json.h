// A trace as JSON, the form in which the page reads it.
#pragma once

#include <string>

#include "tools/trace/trace.h"

namespace mo {

/// The layout is in tools/trace/README.md. Fit to stand inside of an HTML element: no '<', and
/// bytes that are not UTF-8 are replaced.
std::string json_of(const TracePage& page);

} // namespace mo

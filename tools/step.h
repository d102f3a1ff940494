// --step: a person decides about each rewrite, one after the other.
#pragma once

#include <optional>

#include "tools/replay.h"

namespace mo {

struct Session;

/// Shows each rewrite of session.options.passes on session.parsed before it happens, on stderr, and
/// asks. Returns the answers; nothing where the person quit or the keys cannot be understood, which
/// has been said. No pass of the session has run yet: that is for ReplayView.
std::optional<StepAnswers> step_through(const Session& session);

} // namespace mo

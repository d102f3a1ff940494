// When temporary buffers come and go.
#pragma once

#include <span>
#include <vector>

#include "ir/function.h"

namespace mo {

/// Allocates each of `temps` right before the op that uses it first and frees it right after the
/// one that uses it last, so that the allocator may hand the memory on within the same call. Temps
/// that nothing uses are not allocated. Requires that no op defines them yet. Returns where each op
/// is now.
std::vector<OpId> place_temps(Function& function, std::span<const ValueId> temps);

} // namespace mo

// Bufferization in words.
#pragma once

#include <string>
#include <string_view>

#include "ir/function.h"
#include "ir/walk.h"
#include "passes/bufferize.h"

namespace mo {

std::string_view pass_name(BufferizeMode mode); // "bufferize", "elim"

/// "%x", or "%x#1" where the op has several results.
std::string value_name(const Function& function, const DefUse& uses, ValueId v);

/// What taking the decision (InPlace or DestinationPassed) does: "compute %1 in the buffer of %e".
std::string describe_rewrite(const Function& function, const DefUse& uses,
                             const InitDecision& decision);

/// The remark for one decision about the result of an op.
Remark init_remark(const Function& function, const DefUse& uses, BufferizeMode mode,
                   const InitDecision& decision);

} // namespace mo

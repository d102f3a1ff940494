// Remarks as YAML, in the form of LLVM's remark files (llvm/Remarks, -pass-remarks-output).
#pragma once

#include <string>
#include <string_view>

#include "ir/diagnostic.h"
#include "passes/observer.h"

namespace mo {

/// One document: "--- !Missed", Pass, Name (the reason), DebugLoc, Function, and as Args the
/// message, the facts and the notes. Only the message is for reading in a row; as in LLVM, what
/// follows are extra arguments. `is_attempt` adds the argument Attempt.
std::string to_yaml(const Remark& remark, const SourceFile& source, bool is_attempt);

/// A string as a scalar of YAML, for any bytes: as it is where that is safe, else in single quotes;
/// in double quotes with escapes where it has control characters. What is no UTF-8 becomes U+FFFD,
/// byte by byte, as YAML has no other way.
std::string yaml_scalar(std::string_view text);

} // namespace mo

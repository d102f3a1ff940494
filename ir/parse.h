// Text to IR.
#pragma once

#include <optional>

#include "ir/diagnostic.h"
#include "ir/function.h"

namespace mo {

/// Parses a whole file: functions, or one `module { }` with functions in it. On errors returns
/// nothing and leaves every error found in `diagnostics`. Time and memory are linear in the text.
/// What comes back is well-formed (names resolve, types are written consistently); whether it means
/// something is for verify.h to say.
std::optional<Module> parse(const SourceFile& source, Diagnostics& diagnostics);

/// The same, but the functions that do parse are there even where others do not: with errors in
/// `diagnostics` it is not what the text says.
Module parse_what_parses(const SourceFile& source, Diagnostics& diagnostics);

/// parse, then verify each function at its own level: what tools and tests want. Functions that
/// parse are verified even where others do not, so that every error is heard of in one go.
std::optional<Module> parse_and_verify(const SourceFile& source, Diagnostics& diagnostics);

} // namespace mo

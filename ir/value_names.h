// The names that values are printed under.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"

namespace mo {

/// By ValueId::index, without the %: "x", "r#1", "0"; empty for rows that nothing defines.
/// Value::name is kept where it can be. Of several values that are visible together under one name
/// the first keeps it, and a later one gets a suffix that no value asks for: r, r_0, r_1. Values
/// without a name are numbered (arguments arg0, arg1, ..., block arguments in and out). Results of
/// one op that stand next to each other under one name share it and are told apart by #0, #1.
/// Linear in the function.
std::vector<std::string> value_names(const Function& function);

} // namespace mo

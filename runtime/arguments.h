// The arguments of a function that is run: checking them, and making them from what a user typed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/type.h"
#include "runtime/array.h"
#include "runtime/interpret.h"

namespace mo {

/// Do the arguments fit the types, in number, kind, shape and element type? Otherwise an error with
/// both facts; arguments are counted from 0 in it. A tensor or memref is given as an Array.
std::optional<RunError> check_arguments(const std::vector<Type>& types,
                                        const std::vector<RuntimeValue>& args);

/// The types of a function's arguments, in order.
std::vector<Type> argument_types(const Function& function);

/// The value of one `--arg=TEXT` for an argument of this type:
///   scalar           a number as C++ reads it (`-1.5`, `0x1p-3`, `inf`, `nan`; integers in range)
///                    or, for an i1, `true` and `false` too
///   tensor, memref   `zeros`, `ones`, `iota` (0, 1, 2, ... in row-major order), `random[:SEED]`,
///   or the
///                    path of a .npy file of this element type and shape
/// Random values depend on nothing but the seed (0 if absent) and the type: floats in [-1, 1),
/// integers from -100 to 99, indices from 0 to 99, truth values.
std::variant<RuntimeValue, RunError> parse_argument(std::string_view text, const Type& type);

} // namespace mo

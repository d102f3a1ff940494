// Names of the IR as names in C.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo {

/// What a function of that name is called in C and in object files: '_' for every character that an
/// identifier cannot have, '_' behind what C, C++ or the C library have taken already ("free_").
std::string c_function_name(std::string_view name);

/// The same for the parameters of one function, numbered where two would be the same. A name that
/// starts with a digit ("%0") gets "arg" in front.
std::vector<std::string> c_parameter_names(const std::vector<std::string>& names);

} // namespace mo

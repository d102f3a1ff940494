// The assembler's listing as a text that `as` reads.
#pragma once

#include <string>
#include <string_view>

namespace mo {

/// `listing` is CompiledKernel::assembly; the result is GNU as in Intel syntax, with `name` as a
/// global function. Instructions and comments stay as they are; directives are respelt (align,
/// short jumps, data), and the labels carry `number`, so that several functions go into one file.
/// Calls into C keep the addresses that they have in this process.
std::string gnu_assembly(std::string_view listing, std::string_view name, unsigned number);

} // namespace mo

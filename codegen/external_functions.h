// The C library's functions that generated code may call.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mo {

/// The symbol of the function at this address in this process; nothing where it is none of them.
std::optional<std::string_view> external_symbol(uint64_t address);
/// The address in this process. The symbol is one of external_symbols.
uint64_t external_address(std::string_view symbol);
bool is_external_symbol(std::string_view symbol);

} // namespace mo

// One file that uses everything in the language, written as the printer writes it.
#pragma once

#include <string>

namespace mo {

std::string rich_text();
/// Every scalar op of the table, in a body, on every type it takes.
std::string all_scalar_ops();

} // namespace mo

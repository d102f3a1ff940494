// How far a misspelt word is from a known one.
#pragma once

#include <cstddef>
#include <string_view>

namespace mo {

/// Levenshtein's distance: the fewest characters to insert, delete or replace. Takes a.size() *
/// b.size() steps: meant for words.
size_t edit_distance(std::string_view a, std::string_view b);

} // namespace mo

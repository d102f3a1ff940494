#include "ir/edit_distance.h"

#include <algorithm>
#include <vector>

namespace mo {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1); // of the table: from a's prefix to each prefix of b
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1] ? 1 : 0);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j - 1] + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

} // namespace mo

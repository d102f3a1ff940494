// A printed text that knows what each part of it is there for.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ir/location.h"

namespace mo {

struct LocatedText {
  /// From `at` on, up to the next one, the text is there for this place in the source; {0, 0}
  /// where it is there for none.
  struct Place {
    size_t at = 0;
    Loc loc;
  };
  /// text[at, at + size) names a value. What it is called and where it is defined tell whether two
  /// mentions mean the same value, in two texts also.
  struct Mention {
    size_t at = 0, size = 0;
    std::string name; // as Value::name
    Loc defined;
  };

  std::string text;
  std::vector<Place> places;     // ascending
  std::vector<Mention> mentions; // ascending, within one line each
};

} // namespace mo

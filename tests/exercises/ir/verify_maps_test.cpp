// Exercise: the verifier's check of a generic's maps.
#include "tests/exercises/cases.h"
#include "tests/ir/from_text.h"

namespace mo::exercise {
namespace {

/// A generic that copies %x to %o, with everything that maps can get wrong.
struct CopyGeneric {
  const char* maps = "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>";
  const char* loops = "\"parallel\"";
  const char* x = "memref<4xf32>";
  const char* o = "memref<4xf32>";

  std::string text() const {
    return std::string("func.func @f(%x: ") + x + ", %o: " + o + ") {\n" +
           "  linalg.generic {indexing_maps = [" + maps + "],\n      iterator_types = [" + loops +
           "]} ins(%x : " + x + ") outs(%o : " + o +
           ") {\n  ^bb0(%a: f32, %b: f32):\n    linalg.yield %a : f32\n  }\n  return\n}";
  }
};

Diagnostics diagnosed(const std::string& text) {
  Diagnostics diagnostics;
  verify(module_from(text), diagnostics);
  return diagnostics;
}

/// The ids of the errors, a line each.
std::string ids_of(const Diagnostics& diagnostics) {
  std::string ids;
  for (const Diagnostic& d : diagnostics.all())
    ids += std::string(spelling(d.id)) + "\n";
  return ids.empty() ? "no error" : ids.substr(0, ids.size() - 1);
}

struct Verdict {
  CopyGeneric generic;
  const char* expected;
};

void expect_verdicts(const char* rule, const std::vector<Verdict>& table) {
  for (const Verdict& c : table)
    expect_case(rule, c.generic.text(), c.expected, ids_of(diagnosed(c.generic.text())));
}

constexpr const char* kOne = "affine_map<(d0) -> (d0)>";
constexpr const char* kThree =
    "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>";

TEST(VerifyMaps, ThereIsOneMapPerOperand) {
  expect_verdicts("as many maps as operands, or DiagId::MapCount, once per generic",
                  {
                      {{.maps = kOne}, "map-count"},
                      {{.maps = kThree}, "map-count"},
                      {{}, "no error"},
                  });
}

TEST(VerifyMaps, TheDimsOfAMapAreTheLoops) {
  expect_verdicts(
      "each map has one dim per loop, or DiagId::MapDims, once per map",
      {
          {{.loops = "\"parallel\", \"parallel\""}, "map-dims\nmap-dims"},
          {{.maps = "affine_map<(d0, d1) -> (d0)>, affine_map<(d0) -> (d0)>"}, "map-dims"},
          {{.maps = "affine_map<(d0) -> (d0)>, affine_map<() -> (0)>"}, "map-dims"},
      });
}

TEST(VerifyMaps, TheResultsOfAMapAreTheDimensionsOfItsOperand) {
  expect_verdicts(
      "map k has one result per dimension of operand k, none for a scalar, or "
      "DiagId::MapRank",
      {
          {{.x = "memref<4x4xf32>"}, "map-rank"},
          {{.maps = "affine_map<(d0) -> (d0, d0)>, affine_map<(d0) -> (d0)>"}, "map-rank"},
          {{.x = "f32"}, "map-rank"},
          {{.maps = "affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>", .x = "f32"}, "no error"},
      });
}

TEST(VerifyMaps, EveryMapThatDoesNotFitIsReported) {
  expect_verdicts("all violations are reported, not only the first one",
                  {
                      {{.maps = "affine_map<(d0, d1) -> (d0)>", .x = "memref<4x4xf32>"},
                       "map-count\nmap-dims\nmap-rank"},
                      {{.maps = "affine_map<(d0, d1) -> (d0, d0)>, affine_map<() -> ()>"},
                       "map-dims\nmap-rank\nmap-dims\nmap-rank"},
                  });
}

TEST(VerifyMaps, OnlyWhereAllFitAreTheIndicesLookedAt) {
  expect_verdicts(
      "true where nothing is wrong: then the checks that index by map and shape follow",
      {
          {{.o = "memref<3xf32>"}, "extent-conflict"},
          {{.maps = "affine_map<(d0) -> (d0 + 1)>, affine_map<(d0) -> (d0)>"}, "map-range"},
          {{.x = "memref<4x4xf32>", .o = "memref<3xf32>"}, "map-rank"},
      });
}

TEST(VerifyMaps, TheMessageSaysWhichMapAndBothNumbers) {
  struct Fact {
    CopyGeneric generic;
    std::vector<const char*> parts;
  };
  for (const Fact& c :
       std::vector<Fact>{{{.maps = kThree}, {"2", "3"}},
                         {{.loops = "\"parallel\", \"parallel\""}, {"#0", "1", "2"}},
                         {{.o = "memref<4x4x4xf32>"}, {"#1", "1", "3", "%o"}}}) {
    const Diagnostics diagnostics = diagnosed(c.generic.text());
    const std::string message =
        diagnostics.all().empty() ? "no error" : diagnostics.all()[0].message;
    std::string missing;
    for (const char* part : c.parts)
      if (message.find(part) == std::string::npos)
        missing += std::string(missing.empty() ? "" : ", ") + part;
    expect_case("an error names what disagrees on both sides", c.generic.text(),
                "a message with everything in it",
                missing.empty() ? "a message with everything in it"
                                : "no " + missing + " in: " + message);
  }
}

} // namespace
} // namespace mo::exercise

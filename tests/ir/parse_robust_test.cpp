// Text that is cut off or damaged anywhere gives errors, and nothing worse.
#include <gtest/gtest.h>

#include <random>

#include "ir/parse.h"
#include "ir/print.h"
#include "tests/ir/bad_inputs.h"
#include "tests/ir/rich_text.h"

namespace mo {
namespace {

/// Parses, verifies, and renders what is wrong; true if nothing is. What is right has to print as
/// something that is right.
bool survives(const std::string& text) {
  const SourceFile source{"test.tir", text};
  Diagnostics diagnostics;
  const std::optional<Module> module = parse_and_verify(source, diagnostics);
  EXPECT_EQ(module.has_value(), !diagnostics.has_errors());
  if (!module) {
    EXPECT_FALSE(render(diagnostics.all()[0], source, true).empty());
    return false;
  }
  const SourceFile printed{"printed.tir", print(*module)};
  Diagnostics none;
  EXPECT_TRUE(parse_and_verify(printed, none).has_value()) << render(none, printed, false);
  return true;
}

TEST(ParseRobust, EveryPrefixIsReadOrRefused) {
  const std::string text = rich_text();
  for (size_t length = 0; length < text.size(); ++length)
    survives(text.substr(0, length));
}

TEST(ParseRobust, NoPrefixThatEndsInsideAFunctionIsRead) {
  const std::string text = rich_text();
  for (size_t length = text.find("@tensors"); length < text.size() - 2; length += 7)
    EXPECT_FALSE(survives(text.substr(0, length))) << length;
}

TEST(ParseRobust, DamagedBytesAreReadOrRefused) {
  const std::string text = rich_text() + "func.func @g(){return}";
  std::mt19937 random(1);
  const std::string pieces = "(){}[]<>,:=-+*%#@^\"/?!x01.\n\t \xFF";
  for (int round = 0; round < 1000; ++round) {
    std::string damaged = text;
    for (auto edits = random() % 3 + 1; edits > 0; --edits) {
      const size_t at = random() % damaged.size();
      switch (random() % 4) {
      case 0: damaged[at] = static_cast<char>(random()); break;
      case 1: damaged[at] = pieces[random() % pieces.size()]; break;
      case 2: damaged.erase(at, random() % 40); break;
      default: damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 60));
      }
    }
    survives(damaged);
  }
}

TEST(ParseRobust, SwappedLinesAreReadOrRefused) {
  std::vector<std::string> lines;
  const std::string text = rich_text();
  for (size_t at = 0; at < text.size();) {
    const size_t newline = text.find('\n', at);
    lines.push_back(text.substr(at, newline - at + 1));
    at = newline + 1;
  }
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> shuffled = lines;
    std::swap(shuffled[random() % lines.size()], shuffled[random() % lines.size()]);
    shuffled.erase(shuffled.begin() + static_cast<long>(random() % shuffled.size()));
    std::string joined;
    for (const std::string& line : shuffled)
      joined += line;
    survives(joined);
  }
}

TEST(ParseRobust, ALongFileOfOneThingIsReadOrRefused) {
  for (const std::string piece : {"(",
                                  "[",
                                  "{",
                                  "<",
                                  "module {\n",
                                  "loc(",
                                  "\"",
                                  "\"\n",
                                  "%x",
                                  "%x = ",
                                  "#m = ",
                                  "@",
                                  "^bb0(",
                                  "-",
                                  "affine_map<",
                                  "tensor<",
                                  "dense<[",
                                  "func.func @f(",
                                  "func.func @f() {\n",
                                  "0x",
                                  "1x",
                                  "/*",
                                  "// \n",
                                  "\xC3",
                                  "linalg.generic {indexing_maps = [",
                                  "%x, "}) {
    std::string text;
    while (text.size() < 60000)
      text += piece;
    survives(text);
    survives("func.func @f(%x: f32) {\n" + text);
    survives(in_body("linalg.yield " + text));
  }
}

} // namespace
} // namespace mo

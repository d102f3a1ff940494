// Every row of the tables of bad inputs gets its one error, at its place; every kind has a row.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "ir/parse.h"
#include "tests/ir/bad_inputs.h"

namespace mo {
namespace {

/// Where the $$ is, which is taken out of the text.
Loc take_marker(std::string& text) {
  const size_t at = text.find("$$");
  if (at == text.npos)
    return {};
  text.erase(at, 2);
  const auto line = static_cast<uint32_t>(std::count(text.begin(), text.begin() + at, '\n') + 1);
  const size_t newline = at == 0 ? text.npos : text.rfind('\n', at - 1);
  return {line, static_cast<uint32_t>(newline == text.npos ? at + 1 : at - newline)};
}

std::string shown(const Diagnostics& diagnostics) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all())
    out += std::to_string(d.loc.line) + ":" + std::to_string(d.loc.col) + " " +
           std::string(spelling(d.id)) + ": " + d.message + "\n";
  return out;
}

void expect_one_error_each(const std::vector<BadInput>& rows, bool parses) {
  for (const BadInput& row : rows) {
    SourceFile source{"bad.tir", row.text};
    const Loc place = take_marker(source.text);
    SCOPED_TRACE(std::string(spelling(row.id)) + "\n" + source.text.substr(0, 600));
    Diagnostics diagnostics, of_parser;
    EXPECT_EQ(parse(source, of_parser).has_value(), parses) << shown(of_parser);
    EXPECT_FALSE(parse_and_verify(source, diagnostics).has_value());
    EXPECT_EQ(diagnostics.count(), row.count) << shown(diagnostics);
    if (!diagnostics.has_errors())
      continue;
    const Diagnostic& d = diagnostics.all()[0];
    EXPECT_EQ(spelling(d.id), spelling(row.id)) << d.message;
    EXPECT_EQ(d.loc, place) << shown(diagnostics);
    EXPECT_NE(d.message.find(row.message), std::string::npos) << d.message;
  }
}

TEST(BadInputs, TheParserRefusesEachOnceAndAtItsPlace) {
  expect_one_error_each(bad_texts(), /*parses=*/false);
}

TEST(BadInputs, TheVerifierRefusesEachOnceAndAtItsPlace) {
  expect_one_error_each(bad_programs(), /*parses=*/true);
}

TEST(BadInputs, EveryKindOfErrorHasARow) {
  std::set<DiagId> seen = {
      DiagId::MalformedIr,   // no text gives such IR: verify_malformed_test.cpp
      DiagId::CodegenFailed, // from codegen
  };
  for (const BadInput& row : bad_texts())
    seen.insert(row.id);
  for (const BadInput& row : bad_programs())
    seen.insert(row.id);
  for (unsigned i = 0; i < num_diag_ids(); ++i)
    EXPECT_TRUE(seen.contains(static_cast<DiagId>(i))) << spelling(static_cast<DiagId>(i));
}

TEST(BadInputs, EveryErrorRendersWithItsLineAndACaret) {
  for (const BadInput& row : bad_texts()) {
    SourceFile source{"bad.tir", row.text};
    take_marker(source.text);
    Diagnostics diagnostics;
    parse(source, diagnostics);
    const std::string text = render(diagnostics, source, false);
    EXPECT_TRUE(text.starts_with("bad.tir:")) << text;
    EXPECT_TRUE(text.find("^\n") != text.npos) << text;
    EXPECT_EQ(text.find('\0'), text.npos);
  }
}

} // namespace
} // namespace mo

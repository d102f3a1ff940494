// Tests that start from text: a module or a function, or what the verifier says of it.
#pragma once

#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

#include "ir/parse.h"
#include "ir/verify.h"

namespace mo {

/// Parses without verifying. Text that does not parse is a mistake of the test: it throws the
/// errors.
inline Module module_from(const std::string& text) {
  const SourceFile source{"test.tir", text};
  Diagnostics diagnostics;
  std::optional<Module> module = parse(source, diagnostics);
  if (!module)
    throw std::runtime_error(render(diagnostics, source, false));
  return std::move(*module);
}

/// The first function of the text.
inline Function function_from(const std::string& text) {
  return std::move(module_from(text).functions.at(0));
}

/// "map-count: generic has 2 operands but 1 indexing map\n" per violation.
inline std::string listing(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.all())
    text += std::string(spelling(d.id)) + ": " + d.message + "\n";
  return text;
}

/// What the verifier finds in a module that parses; empty for valid IR.
inline std::string violations_in(const std::string& text) {
  Diagnostics diagnostics;
  verify(module_from(text), diagnostics);
  return listing(diagnostics);
}

inline std::string violations_in(const Function& function, Level level) {
  Diagnostics diagnostics;
  verify(function, level, diagnostics);
  return listing(diagnostics);
}

} // namespace mo

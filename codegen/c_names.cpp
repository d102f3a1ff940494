#include "codegen/c_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "codegen/external_functions.h"

namespace mo {
namespace {

// Keywords of C23 and C++23, and what <stdint.h> and <stdbool.h> define.
constexpr std::string_view kTaken[] = {
    "alignas",     "alignof",
    "and",         "and_eq",
    "asm",         "auto",
    "bitand",      "bitor",
    "bool",        "break",
    "case",        "catch",
    "char",        "char16_t",
    "char32_t",    "char8_t",
    "class",       "co_await",
    "co_return",   "co_yield",
    "compl",       "concept",
    "const",       "const_cast",
    "consteval",   "constexpr",
    "constinit",   "continue",
    "decltype",    "default",
    "delete",      "do",
    "double",      "dynamic_cast",
    "else",        "enum",
    "explicit",    "export",
    "extern",      "false",
    "float",       "for",
    "friend",      "goto",
    "if",          "inline",
    "int",         "int32_t",
    "int64_t",     "long",
    "main",        "mutable",
    "namespace",   "new",
    "noexcept",    "not",
    "not_eq",      "nullptr",
    "operator",    "or",
    "or_eq",       "private",
    "protected",   "public",
    "register",    "reinterpret_cast",
    "requires",    "restrict",
    "return",      "short",
    "signed",      "sizeof",
    "static",      "static_assert",
    "static_cast", "struct",
    "switch",      "template",
    "this",        "thread_local",
    "throw",       "true",
    "try",         "typedef",
    "typeid",      "typename",
    "typeof",      "typeof_unqual",
    "union",       "unsigned",
    "using",       "virtual",
    "void",        "volatile",
    "wchar_t",     "while",
    "xor",         "xor_eq",
};

bool is_taken(std::string_view name) {
  return std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken) ||
         is_external_symbol(name);
}

bool starts_with_digit(std::string_view name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0;
}

std::string identifier(std::string_view name) {
  std::string text;
  for (char c : name)
    text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (text.empty() || starts_with_digit(text))
    text.insert(0, "_");
  return is_taken(text) ? text + "_" : text;
}

} // namespace

std::string c_function_name(std::string_view name) {
  return identifier(name);
}

std::vector<std::string> c_parameter_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    const std::string plain = identifier(starts_with_digit(name) ? "arg" + name : name);
    std::string unique = plain;
    for (int n = 2; std::find(result.begin(), result.end(), unique) != result.end(); ++n)
      unique = fmt::format("{}_{}", plain, n);
    result.push_back(unique);
  }
  return result;
}

} // namespace mo

#include "tests/codegen/loops_support.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "codegen/check_loops.h"
#include "ir/diagnostic.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "runtime/interpret.h"
#include "tests/support/element_bits.h"

namespace mo::testing {

Function parse_function(std::string_view text) {
  const SourceFile source{"test.tir", std::string(text)};
  Diagnostics diagnostics;
  std::optional<Module> module = parse_and_verify(source, diagnostics);
  EXPECT_TRUE(module) << render(diagnostics, source, false);
  return module ? std::move(module->functions.front()) : Function{};
}

std::string function_text(std::string_view arguments, std::string_view body) {
  return fmt::format("func.func @f({}) {{\n{}return\n}}", arguments, body);
}

std::string generic_text(std::string_view dims, const std::vector<std::string>& maps,
                         std::string_view iterators, std::string_view operands,
                         std::string_view body) {
  std::string all;
  for (const std::string& map : maps)
    all += fmt::format("{}affine_map<({}) -> ({})>", all.empty() ? "" : ", ", dims, map);
  return fmt::format("linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} {} {{ {} }}\n",
                     all, iterators, operands, body);
}

Kernel lowered(std::string_view text) {
  return lower_to_loops(parse_function(text));
}

std::string simplified(std::string_view text) {
  Kernel kernel = lowered(text);
  simplify(kernel);
  return print(kernel);
}

std::string body_of(const Kernel& kernel) {
  const std::string text = print(kernel);
  const size_t begin = text.find('\n') + 1;
  return text.substr(begin, text.rfind('}') - begin);
}

bool is_valid(const Function& function) {
  Diagnostics diagnostics;
  verify(function, Level::Buffer, diagnostics);
  return !diagnostics.has_errors();
}

LoopArguments result_of(const Kernel& kernel, LoopArguments arguments, VectorLoops vector_loops) {
  evaluate(kernel, arguments, vector_loops);
  return arguments;
}

LoopArguments interpreted(const Function& function, const LoopArguments& arguments) {
  std::vector<RuntimeValue> values;
  for (size_t k = 0; k < arguments.size(); ++k) {
    const Type& type = function.type(function.args[k].value);
    if (type.is_scalar()) {
      values.emplace_back(std::in_place_type<Scalar>, type.element, arguments[k].at(0));
      continue;
    }
    std::optional<Array> array = Array::allocate(type.shape, type.element);
    for (size_t i = 0; i < arguments[k].size(); ++i)
      array->set_bits(static_cast<int64_t>(i), arguments[k][i]);
    values.push_back(std::move(*array));
  }
  const auto outcome = interpret(function, values);
  if (const RunError* error = std::get_if<RunError>(&outcome))
    ADD_FAILURE() << error->message;
  LoopArguments result = arguments;
  for (size_t k = 0; k < result.size(); ++k)
    if (const Array* array = std::get_if<Array>(&values[k]))
      for (size_t i = 0; i < result[k].size(); ++i)
        result[k][i] = array->bits(static_cast<int64_t>(i));
  return result;
}

std::string difference(const LoopArguments& expected, const LoopArguments& got,
                       const Function& function) {
  for (size_t k = 0; k < expected.size(); ++k) {
    const ElementType type = function.type(function.args[k].value).element;
    if (expected[k].size() != got[k].size())
      return fmt::format("argument {}: {} elements, not {}", k, got[k].size(), expected[k].size());
    for (size_t i = 0; i < expected[k].size(); ++i)
      if (expected[k][i] != got[k][i] && !(is_nan(expected[k][i], type) && is_nan(got[k][i], type)))
        return fmt::format("argument {}[{}]: {:#x}, not {:#x}", k, i, got[k][i], expected[k][i]);
  }
  return "";
}

std::string complaint(const Kernel& kernel, const Function& function, const LoopArguments& before,
                      const LoopArguments& expected) {
  const std::vector<std::string> violations = check(kernel);
  if (!violations.empty())
    return violations.front();
  for (VectorLoops order : {VectorLoops::InOrder, VectorLoops::SideBySide}) {
    const std::string differs = difference(expected, result_of(kernel, before, order), function);
    if (!differs.empty())
      return differs;
  }
  return "";
}

} // namespace mo::testing

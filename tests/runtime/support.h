// What the tests of the interpreter are written with.
#pragma once

#include <bit>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "ir/parse.h"
#include "runtime/arguments.h"
#include "runtime/array.h"
#include "runtime/interpret.h"

namespace mo::testing {

/// The only function of this text. A test that hands over text that does not verify is stopped.
inline Function parse_function(const std::string& text) {
  const SourceFile source{"test.tir", text};
  Diagnostics diagnostics;
  std::optional<Module> module = parse_and_verify(source, diagnostics);
  if (!module)
    throw std::runtime_error(render(diagnostics, source, false));
  return module->functions.at(0);
}

template <class T> constexpr ElementType element_of() {
  if constexpr (std::is_same_v<T, float>)
    return ElementType::F32;
  else if constexpr (std::is_same_v<T, double>)
    return ElementType::F64;
  else if constexpr (std::is_same_v<T, bool>)
    return ElementType::I1;
  else if constexpr (std::is_same_v<T, int32_t>)
    return ElementType::I32;
  else
    return ElementType::I64;
}

template <class T> uint64_t to_bits(T value) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(value);
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<uint64_t>(value);
  else
    return static_cast<std::make_unsigned_t<std::conditional_t<std::is_same_v<T, bool>, char, T>>>(
        value);
}

template <class T> T from_bits(uint64_t bits) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<float>(static_cast<uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>)
    return std::bit_cast<double>(bits);
  else
    return static_cast<T>(bits);
}

template <class T> Scalar scalar_of(T value) {
  return {element_of<T>(), to_bits(value)};
}

template <class T> Array array_of(const Shape& shape, const std::vector<T>& elements) {
  Array array = Array::allocate(shape, element_of<T>()).value();
  EXPECT_EQ(array.count(), static_cast<int64_t>(elements.size()));
  for (size_t i = 0; i < elements.size(); ++i)
    array.set_bits(static_cast<int64_t>(i), to_bits<T>(elements[i]));
  return array;
}

template <class T> std::vector<T> elements_of(const Array& array) {
  std::vector<T> elements;
  for (int64_t i = 0; i < array.count(); ++i)
    elements.push_back(from_bits<T>(array.bits(i)));
  return elements;
}

template <class T> std::vector<T> elements_of(const RuntimeValue& value) {
  return elements_of<T>(std::get<Array>(value));
}

/// `make_args(array_of(...), scalar_of(...))`
template <class... Args> std::vector<RuntimeValue> make_args(Args&&... args) {
  std::vector<RuntimeValue> values;
  (values.emplace_back(std::forward<Args>(args)), ...);
  return values;
}

/// Interprets; a test whose run fails is stopped with the message.
inline std::vector<Array> results_of(const Function& function, std::vector<RuntimeValue>& args) {
  auto outcome = interpret(function, args);
  if (auto* failed = std::get_if<RunError>(&outcome))
    throw std::runtime_error(failed->message);
  return std::get<std::vector<Array>>(std::move(outcome));
}

inline std::vector<Array> results_of(const std::string& text, std::vector<RuntimeValue>& args) {
  return results_of(parse_function(text), args);
}

/// The message of a run that fails; "" for one that does not.
inline std::string error_of(const std::string& text, std::vector<RuntimeValue>& args) {
  auto outcome = interpret(parse_function(text), args);
  const auto* failed = std::get_if<RunError>(&outcome);
  return failed ? failed->message : "";
}

} // namespace mo::testing

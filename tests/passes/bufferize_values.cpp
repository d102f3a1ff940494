#include "tests/passes/bufferize_values.h"

#include <bit>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "ir/print.h"
#include "ir/verify.h"
#include "runtime/compare.h"
#include "runtime/interpret.h"
#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

uint64_t random_bits(ElementType type, std::mt19937_64& random) {
  const float special[] = {0.0f,
                           -0.0f,
                           std::numeric_limits<float>::infinity(),
                           -std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(),
                           std::numeric_limits<float>::denorm_min()};
  const float number = random() % 8 == 0 ? special[random() % std::size(special)]
                                         : static_cast<float>(random() % 64) / 8.0f - 4.0f;
  switch (type) {
  case ElementType::F32: return std::bit_cast<uint32_t>(number);
  case ElementType::F64: return std::bit_cast<uint64_t>(double{number});
  case ElementType::I1: return random() % 2;
  default: return random() % 100;
  }
}

std::vector<RuntimeValue> arguments_for(const Function& function, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<RuntimeValue> args;
  for (const Argument& argument : function.args) {
    const Type& type = function.type(argument.value);
    if (type.is_scalar()) {
      args.emplace_back(Scalar{type.element, random_bits(type.element, random)});
      continue;
    }
    Array array = Array::allocate(type.shape, type.element).value();
    for (int64_t i = 0; i < array.count(); ++i)
      array.set_bits(i, random_bits(type.element, random));
    args.emplace_back(std::move(array));
  }
  return args;
}

std::string differ(const Array& expected, const Array& got, const std::string& what) {
  const auto difference = compare(expected, got);
  return difference ? what + ": " + describe(*difference, expected) + "\n" : "";
}

} // namespace

std::string difference_after(const Function& original, BufferizeMode mode, uint64_t seed,
                             unsigned allowed) {
  Function function = original;
  CountingObserver observer(allowed);
  bufferize(function, mode, observer);
  Diagnostics diagnostics;
  verify(function, Level::Buffer, diagnostics);
  if (diagnostics.has_errors())
    return render(diagnostics, {"bufferized.tir", ""}, false) + print(function);

  std::vector<RuntimeValue> args = arguments_for(original, seed);
  std::vector<RuntimeValue> buffers = arguments_for(function, seed);
  const auto before = interpret(original, args);
  const auto after = interpret(function, buffers);
  for (const auto* ran : {&before, &after})
    if (const auto* error = std::get_if<RunError>(ran))
      return error->message;
  std::string story;
  const auto& results = std::get<std::vector<Array>>(before);
  for (size_t k = 0; k < results.size(); ++k)
    story += differ(results[k], std::get<Array>(buffers[original.args.size() + k]),
                    fmt::format("result {}", k));
  for (size_t k = 0; k < original.args.size(); ++k)
    if (original.type(original.args[k].value).is_memref())
      story += differ(std::get<Array>(args[k]), std::get<Array>(buffers[k]),
                      fmt::format("argument {}", k));
  return story.empty() ? "" : story + print(function);
}

} // namespace mo::testing

#include "tools/invocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ir/print.h"
#include "runtime/arguments.h"
#include "runtime/compare.h"
#include "tools/memory_model.h"

namespace mo {
namespace {

std::string described(const Function& f, size_t k) {
  const ValueId v = f.args[k].value;
  return fmt::format("argument {} (%{}: {})", k, f.value(v).name, to_string(f.type(v)));
}

// What argument k is where nobody says: both signs in an array, so that a relu has something to do.
std::string default_text(const Type& type, size_t k) {
  if (!type.is_scalar())
    return fmt::format("random:{}", k + 1);
  return type.element == ElementType::I1 ? "true" : is_float(type.element) ? "1.5" : "3";
}

std::variant<RuntimeValue, RunError> zeros(const Type& type) {
  if (auto array = Array::allocate(type.shape, type.element))
    return RuntimeValue(std::move(*array));
  return RunError{fmt::format("no memory for {} bytes of {}", byte_count(type), to_string(type))};
}

// Positions of the smallest and the largest element that is not NaN, and the number of NaNs.
struct Extremes {
  int64_t min = -1, max = -1, nans = 0;
};
Extremes extremes_of(const Array& a) {
  Extremes e;
  double low = 0, high = 0;
  for (int64_t i = 0; i < a.count(); ++i) {
    const double x = element_value(a.bits(i), a.element());
    if (std::isnan(x)) {
      ++e.nans;
      continue;
    }
    if (e.min < 0 || x < low) {
      e.min = i;
      low = x;
    }
    if (e.max < 0 || x > high) {
      e.max = i;
      high = x;
    }
  }
  return e;
}

} // namespace

std::variant<std::vector<RuntimeValue>, RunError>
make_arguments(const Function& f, const std::vector<std::string>& texts,
               ArgumentDefaults defaults) {
  size_t wanted = 0;
  for (const Argument& a : f.args)
    wanted += a.is_result ? 0 : 1;
  const bool use_defaults = texts.empty() && defaults == ArgumentDefaults::Random;
  if (texts.size() > wanted)
    return RunError{fmt::format("@{} takes {} arguments, and there are {} --arg", f.name, wanted,
                                texts.size())};
  std::vector<RuntimeValue> values;
  size_t next = 0;
  for (size_t k = 0; k < f.args.size(); ++k) {
    const Type& type = f.type(f.args[k].value);
    if (!f.args[k].is_result && !use_defaults && next == texts.size())
      return RunError{fmt::format("{} of @{} has no --arg: it takes {}, and there are {}",
                                  described(f, k), f.name, wanted, texts.size())};
    auto value = f.args[k].is_result ? zeros(type)
                 : use_defaults      ? parse_argument(default_text(type, k), type)
                                     : parse_argument(texts[next++], type);
    if (const auto* error = std::get_if<RunError>(&value))
      return RunError{fmt::format("{} of @{}: {}", described(f, k), f.name, error->message)};
    values.push_back(std::get<RuntimeValue>(std::move(value)));
  }
  return values;
}

std::vector<NamedArray> take_outputs(const Function& f, std::vector<Array> returned,
                                     std::vector<RuntimeValue> args) {
  std::vector<NamedArray> outputs;
  for (Array& array : returned)
    outputs.push_back({fmt::format("result{}", outputs.size()), "", true, std::move(array)});
  for (size_t k = 0; k < f.args.size(); ++k)
    if (f.args[k].is_result)
      outputs.push_back(
          {fmt::format("result{}", outputs.size()), "", true, std::get<Array>(std::move(args[k]))});
  const std::vector<ArgumentUse> uses = argument_uses(f);
  for (size_t k = 0; k < f.args.size(); ++k) {
    const Value& value = f.value(f.args[k].value);
    if (value.type.is_memref() && !f.args[k].is_result)
      outputs.push_back({fmt::format("arg{}", k), "%" + value.name, uses[k].written,
                         std::get<Array>(std::move(args[k]))});
  }
  return outputs;
}

std::string title(const NamedArray& output) {
  return output.label + (output.name.empty() ? "" : " " + output.name);
}

std::string summary(const NamedArray& output) {
  constexpr int64_t kShown = 8;
  const Array& a = output.array;
  std::string text = title(output);
  text += fmt::format(" {}: [", to_string(tensor_type(a.shape(), a.element())));
  for (int64_t i = 0; i < std::min(a.count(), kShown); ++i)
    text += (i ? ", " : "") + element_text(a.bits(i), a.element());
  text += a.count() > kShown ? ", ...]" : "]";
  const Extremes e = extremes_of(a);
  if (e.min >= 0)
    text += fmt::format(" min {} max {}", element_text(a.bits(e.min), a.element()),
                        element_text(a.bits(e.max), a.element()));
  return e.nans > 0 ? text + fmt::format(" NaNs {}", e.nans) : text;
}

} // namespace mo

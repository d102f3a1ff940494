#include "tests/math/check_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "tests/codegen/host_isas.h"

namespace mo::testing {

namespace {

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t comma = text.find(',');
    parts.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos)
      return parts;
    text.remove_prefix(comma + 1);
  }
}

template <class Number> bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::string read_ops(std::string_view list, std::vector<MathOp>& ops) {
  for (std::string_view name : split_at_commas(list)) {
    const auto op = std::find_if(std::begin(kMathOps), std::end(kMathOps),
                                 [&](const MathOp& known) { return known.name == name; });
    if (op != std::end(kMathOps))
      ops.push_back(*op);
    else if (name == "all")
      ops.insert(ops.end(), std::begin(kMathOps), std::end(kMathOps));
    else
      return fmt::format("no function '{}'; --help lists them", name);
  }
  return "";
}

std::string read_isas(std::string_view list, std::vector<Isa>& isas) {
  for (std::string_view name : split_at_commas(list)) {
    if (name == "all") {
      for (Isa isa : host_isas())
        isas.push_back(isa);
      continue;
    }
    const std::optional<Isa> isa = isa_from(name);
    if (!isa)
      return fmt::format("no instruction set '{}'; there are sse4.2, avx2 and avx512", name);
    if (!host_supports(*isa))
      return fmt::format("this machine has no {}", name);
    isas.push_back(*isa);
  }
  return "";
}

std::string read_types(std::string_view list, std::vector<ElementType>& types) {
  for (std::string_view name : split_at_commas(list)) {
    if (name != "f32" && name != "f64")
      return fmt::format("no type '{}'; there are f32 and f64", name);
    types.push_back(name == "f32" ? ElementType::F32 : ElementType::F64);
  }
  return "";
}

std::string read_range(std::string_view text, CheckOptions& options) {
  const auto ends = split_at_commas(text);
  float low = 0, high = 0;
  if (ends.size() != 2 || !read_number(ends[0], low) || !read_number(ends[1], high) ||
      !(low <= high))
    return fmt::format("--range={}: two numbers, the lower one first", text);
  options.range = {low, high};
  return "";
}

std::string read_argument(std::string_view argument, CheckOptions& options) {
  const size_t equals = argument.find('=');
  const std::string_view name = argument.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? "" : argument.substr(equals + 1);
  if (name == "--op")
    return read_ops(value, options.ops);
  if (name == "--isa")
    return read_isas(value, options.isas);
  if (name == "--type")
    return read_types(value, options.types);
  if (name == "--range")
    return read_range(value, options);
  if (name == "--samples")
    return read_number(value, options.samples) && options.samples <= 1 << 28
               ? ""
               : fmt::format("--samples={}: a number up to 2^28", value);
  if (argument == "--all")
    options.all = true;
  else if (argument == "--lanes")
    options.lanes = true;
  else if (argument == "--help")
    options.help = true;
  else
    return fmt::format("unknown flag '{}'; --help lists them", argument);
  return "";
}

} // namespace

std::pair<CheckOptions, std::string> read_check_options(int argc, const char* const* argv) {
  CheckOptions options;
  for (int k = 1; k < argc; ++k)
    if (std::string wrong = read_argument(argv[k], options); !wrong.empty())
      return {options, wrong};
  if (options.ops.empty())
    read_ops("all", options.ops);
  if (options.isas.empty())
    read_isas("all", options.isas);
  if (options.types.empty())
    options.types = {ElementType::F32};
  return {options, ""};
}

} // namespace mo::testing

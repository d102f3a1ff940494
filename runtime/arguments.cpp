#include "runtime/arguments.h"

#include <bit>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "runtime/npy.h"
#include "runtime/strided_copy.h"

namespace mo {

namespace {

RunError error(std::string message) {
  return RunError{std::move(message)};
}

// --- Checking ---

/// What was given, spelled as a type.
std::string describe(const RuntimeValue& value) {
  if (const auto* scalar = std::get_if<Scalar>(&value))
    return std::string(spelling(scalar->type));
  const auto& array = std::get<Array>(value);
  std::string text = "an array of ";
  for (int64_t extent : array.shape())
    text += fmt::format("{}x", extent);
  text += spelling(array.element());
  return text;
}

bool fits(const Type& type, const RuntimeValue& value) {
  if (const auto* scalar = std::get_if<Scalar>(&value))
    return type.is_scalar() && scalar->type == type.element;
  const auto& array = std::get<Array>(value);
  return !type.is_scalar() && array.element() == type.element && array.shape() == type.shape;
}

// --- Scalars ---

template <class Float, class Bits>
std::variant<RuntimeValue, RunError> parse_float(const std::string& text, ElementType type,
                                                 Float (*read)(const char*, char**)) {
  const bool starts_with_space = !text.empty() && std::isspace(static_cast<unsigned char>(text[0]));
  char* end = nullptr;
  errno = 0;
  const Float value = read(text.c_str(), &end);
  if (text.empty() || starts_with_space || end != text.c_str() + text.size())
    return error(
        fmt::format("'{}' is not a number, and the argument is of type {}", text, spelling(type)));
  if (errno == ERANGE && std::isinf(value)) // too small is no error: it rounds
    return error(fmt::format("{} is out of range: the largest {} is {}", text, spelling(type),
                             std::numeric_limits<Float>::max()));
  return RuntimeValue(Scalar{type, std::bit_cast<Bits>(value)});
}

/// Decimal or 0x...; `-` in front. Signless: from the smallest signed to the largest unsigned
/// number.
std::variant<RuntimeValue, RunError> parse_integer(std::string_view text, ElementType type) {
  std::string_view digits = text;
  const bool negative = digits.starts_with('-');
  if (negative)
    digits.remove_prefix(1);
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  }
  uint64_t magnitude = 0;
  const char* end = digits.data() + digits.size();
  auto [stopped, code] = std::from_chars(digits.data(), end, magnitude, base);
  if (code == std::errc::invalid_argument || stopped != end)
    return error(fmt::format("'{}' is not an integer, and the argument is of type {}", text,
                             spelling(type)));
  const unsigned width = bit_width(type);
  const uint64_t largest = UINT64_MAX >> (64 - width);
  const uint64_t smallest = uint64_t{1} << (width - 1); // its magnitude
  if (code == std::errc::result_out_of_range || magnitude > (negative ? smallest : largest))
    return error(
        fmt::format("{} is out of range: the argument is of type {}, which holds -{} to {}", text,
                    spelling(type), smallest, largest));
  return RuntimeValue(Scalar{type, (negative ? 0 - magnitude : magnitude) & largest});
}

std::variant<RuntimeValue, RunError> parse_scalar(std::string_view text, ElementType type) {
  switch (type) {
  case ElementType::F32: return parse_float<float, uint32_t>(std::string(text), type, std::strtof);
  case ElementType::F64: return parse_float<double, uint64_t>(std::string(text), type, std::strtod);
  case ElementType::I1:
    if (text == "true" || text == "false")
      return RuntimeValue(Scalar{type, text == "true" ? 1U : 0U});
    break;
  default: break;
  }
  return parse_integer(text, type);
}

// --- Arrays ---

/// Number `n` of the sequence that starts at `seed` (Steele, Lea, Flood: Fast splittable
/// pseudorandom number generators, 2014).
uint64_t splitmix64(uint64_t seed, uint64_t n) {
  uint64_t z = seed + (n + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

uint64_t random_bits(uint64_t random, ElementType type) {
  switch (type) {
  case ElementType::F32: // 24 bits: exact
    return std::bit_cast<uint32_t>(std::ldexp(static_cast<float>(random >> 40), -23) - 1.0F);
  case ElementType::F64: // 53 bits: exact
    return std::bit_cast<uint64_t>(std::ldexp(static_cast<double>(random >> 11), -52) - 1.0);
  case ElementType::I1: return random >> 63;
  case ElementType::Index: return (random >> 32) % 100;
  default: return (random >> 32) % 200 - 100;
  }
}

uint64_t number_bits(int64_t number, ElementType type) {
  switch (type) {
  case ElementType::F32: return std::bit_cast<uint32_t>(static_cast<float>(number));
  case ElementType::F64: return std::bit_cast<uint64_t>(static_cast<double>(number));
  default: return static_cast<uint64_t>(number);
  }
}

std::optional<uint64_t> parse_seed(std::string_view text) {
  uint64_t seed = 0;
  auto [stopped, code] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (code != std::errc() || stopped != text.data() + text.size())
    return std::nullopt;
  return seed;
}

std::variant<RuntimeValue, RunError> make_array(std::string_view text, const Type& type) {
  std::optional<uint64_t> seed = 0;
  if (text.starts_with("random:"))
    seed = parse_seed(text.substr(std::strlen("random:")));
  if (!seed)
    return error(fmt::format("'{}': a seed is a number from 0 to {}", text, UINT64_MAX));
  std::optional<Array> array = Array::allocate(type.shape, type.element);
  if (!array)
    return error(fmt::format("no memory for an argument of type {}: {} bytes", to_string(type),
                             byte_count(type)));
  if (text == "ones")
    fill_elements(array->data(), number_bits(1, type.element), static_cast<size_t>(array->count()),
                  byte_size(type.element));
  else if (text == "iota")
    for (int64_t i = 0; i < array->count(); ++i)
      array->set_bits(i, number_bits(i, type.element));
  else if (text != "zeros")
    for (int64_t i = 0; i < array->count(); ++i)
      array->set_bits(i, random_bits(splitmix64(*seed, static_cast<uint64_t>(i)), type.element));
  return RuntimeValue(std::move(*array));
}

} // namespace

std::optional<RunError> check_arguments(const std::vector<Type>& types,
                                        const std::vector<RuntimeValue>& args) {
  if (args.size() != types.size())
    return error(fmt::format("the function takes {} argument{}, {} given", types.size(),
                             types.size() == 1 ? "" : "s", args.size()));
  for (size_t k = 0; k < args.size(); ++k)
    if (!fits(types[k], args[k]))
      return error(fmt::format("argument {} is of type {}, given is {}", k, to_string(types[k]),
                               describe(args[k])));
  return std::nullopt;
}

std::vector<Type> argument_types(const Function& function) {
  std::vector<Type> types;
  for (const Argument& arg : function.args)
    types.push_back(function.type(arg.value));
  return types;
}

std::variant<RuntimeValue, RunError> parse_argument(std::string_view text, const Type& type) {
  if (type.is_scalar())
    return parse_scalar(text, type.element);
  const bool has_word = text == "zeros" || text == "ones" || text == "iota" || text == "random" ||
                        text.starts_with("random:");
  if (has_word)
    return make_array(text, type);
  if (!text.ends_with(".npy"))
    return error(
        fmt::format("'{}' is not zeros, ones, iota, random[:SEED] or a .npy file, which an "
                    "argument of type {} takes",
                    text, to_string(type)));
  std::variant<Array, RunError> read = read_npy(std::string(text), type);
  if (auto* failed = std::get_if<RunError>(&read))
    return std::move(*failed);
  return RuntimeValue(std::get<Array>(std::move(read)));
}

} // namespace mo

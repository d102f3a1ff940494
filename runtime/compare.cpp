#include "runtime/compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace mo {

double element_value(uint64_t bits, ElementType type) {
  switch (type) {
  case ElementType::F32: return std::bit_cast<float>(static_cast<uint32_t>(bits));
  case ElementType::F64: return std::bit_cast<double>(bits);
  case ElementType::I1: return static_cast<double>(bits);
  case ElementType::I32: return static_cast<int32_t>(static_cast<uint32_t>(bits));
  case ElementType::I64:
  case ElementType::Index: break;
  }
  return static_cast<double>(static_cast<int64_t>(bits));
}

namespace {

bool agree(uint64_t a, uint64_t b, ElementType type, double leeway) {
  if (a == b || std::isinf(leeway))
    return true;
  const double x = element_value(a, type), y = element_value(b, type);
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  return leeway > 0 && std::fabs(x - y) <= leeway; // false for infinities of two signs, or one
}

std::string index_text(int64_t position, const Shape& shape) {
  std::string text;
  for (size_t dim = shape.size(); dim-- > 0;) {
    text = fmt::format("{}{}{}", position % shape[dim], text.empty() ? "" : ", ", text);
    position /= shape[dim];
  }
  return "[" + text + "]";
}

} // namespace

std::optional<Difference> compare(const Array& expected, const Array& actual,
                                  std::span<const double> leeway) {
  constexpr int64_t kChunk = 4096; // elements; equal bytes need no closer look
  const int64_t size = byte_size(expected.element());
  Difference difference;
  for (int64_t begin = 0; begin < expected.count(); begin += kChunk) {
    const int64_t end = std::min(begin + kChunk, expected.count());
    if (std::memcmp(expected.data() + begin * size, actual.data() + begin * size,
                    static_cast<size_t>((end - begin) * size)) == 0)
      continue;
    for (int64_t i = begin; i < end; ++i) {
      const uint64_t a = expected.bits(i), b = actual.bits(i);
      if (agree(a, b, expected.element(), leeway.empty() ? 0 : leeway[static_cast<size_t>(i)]))
        continue;
      if (difference.count++ == 0) {
        difference.first = i;
        difference.expected = a;
        difference.actual = b;
      }
    }
  }
  return difference.count == 0 ? std::nullopt : std::optional(difference);
}

double ulps_apart(uint64_t a, uint64_t b, ElementType type) {
  const double x = element_value(a, type), y = element_value(b, type);
  if (a == b || x == y || (std::isnan(x) && std::isnan(y)))
    return 0;
  if (!std::isfinite(x) || !std::isfinite(y))
    return std::numeric_limits<double>::infinity();
  const int digits = type == ElementType::F32 ? 24 : 53,
            lowest = type == ElementType::F32 ? -149 : -1074;
  int exponent = 0; // the larger one is below 2^exponent
  std::frexp(std::max(std::fabs(x), std::fabs(y)), &exponent);
  return std::fabs(x - y) / std::ldexp(1.0, std::max(exponent - digits, lowest));
}

std::string describe(const Difference& difference, const Array& array) {
  const ElementType type = array.element();
  auto value = [&](uint64_t bits) {
    return is_float(type)
               ? fmt::format("{} (0x{:0{}X})", element_text(bits, type), bits, 2 * byte_size(type))
               : element_text(bits, type);
  };
  return fmt::format("{} of {} element{}; the first at {}: expected {}, got {}", difference.count,
                     array.count(), array.count() == 1 ? " differs" : "s differ",
                     index_text(difference.first, array.shape()), value(difference.expected),
                     value(difference.actual));
}

std::string element_text(uint64_t bits, ElementType type) {
  switch (type) {
  case ElementType::F32:
    return fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
  case ElementType::F64: return fmt::format("{}", std::bit_cast<double>(bits));
  case ElementType::I1: return bits != 0 ? "true" : "false";
  case ElementType::I32: return fmt::format("{}", static_cast<int32_t>(bits));
  case ElementType::I64:
  case ElementType::Index: return fmt::format("{}", static_cast<int64_t>(bits));
  }
  return "";
}

} // namespace mo

#include <bit>
#include <cmath>
#include <iterator>
#include <random>

#include "vector_harness.h"

namespace mo::test {

namespace {

// Values of either sign and, of integers, of v, ~v and -v; the lists hold one of each.
constexpr uint32_t kFloats[] = {
    0x00000000u, 0x00000001u, 0x007fffffu, 0x00800000u, 0x3f800000u, 0x3f000000u,
    0x3effffffu, 0x3f000001u, 0x3fc00000u, 0x40200000u, 0x3f7fffffu, 0x4b000000u,
    0x4a800001u, 0x4b7fffffu, 0x4b800001u, 0x4effffffu, 0x4f000000u, 0x4f7fffffu,
    0x4f800000u, 0x5effffffu, 0x5f000000u, 0x5f7fffffu, 0x5f800000u, 0x7f7fffffu,
    0x7f800000u, 0x7fc00000u, 0x7fc12345u, 0x7f800001u, 0x40490fdbu}; // by their bits
constexpr double kDoubles[] = {0.0,
                               0x1p-1074,
                               0x0.fffffffffffffp-1022,
                               0x1p-1022,
                               1.0,
                               0.5,
                               0x1.fffffffffffffp-2,
                               0x1.0000000000001p-1,
                               1.5,
                               2.5,
                               0x1.fffffffffffffp-1,
                               0x1p52,
                               0x1.0000000000001p51,
                               0x1.fffffffffffffp52,
                               0x1.0000000000001p53,
                               2147483647.0,
                               2147483647.5,
                               2147483648.0,
                               2147483648.5,
                               4294967295.0,
                               4294967295.5,
                               4294967296.0,
                               0x1.fffffffffffffp62,
                               0x1p63,
                               0x1.fffffffffffffp63,
                               0x1p64,
                               0x1.fffffep127,
                               0x1.ffffffp127,
                               0x1p128,
                               0x1p-149,
                               0x1p-150,
                               0x1.8p-149,
                               0x1.fffffffffffffp1023,
                               HUGE_VAL,
                               3.141592653589793};
constexpr uint64_t kDoubleNans[] = {0x7ff8000000000000u, 0xfff8000000012345u, 0x7ff0000000000001u};
constexpr uint32_t kWords[] = {0u,          1u,          2u,          3u,          7u,
                               10u,         31u,         32u,         33u,         0x7fffffffu,
                               0x80000000u, 0x40000000u, 0x00ffffffu, 0x01000001u, 0x01000003u,
                               0x7fffffc0u, 0xffffff80u};
constexpr uint64_t kLongWords[] = {0,
                                   1,
                                   2,
                                   3,
                                   10,
                                   31,
                                   32,
                                   63,
                                   64,
                                   65,
                                   0x7fffffff,
                                   0x80000000,
                                   0xffffffff,
                                   uint64_t{1} << 32,
                                   uint64_t{1} << 53,
                                   (uint64_t{1} << 53) + 1,
                                   (uint64_t{1} << 54) + 2,
                                   (uint64_t{1} << 62) + (1u << 31),
                                   uint64_t{1} << 63,
                                   ~uint64_t{0} >> 1,
                                   0x8000008000000001u,
                                   0x8000008000000000u,
                                   0x7fffffbfffffffffu,
                                   0x7fffffc000000000u,
                                   0x0020000010000001u};

std::vector<uint64_t> special_floats() {
  std::vector<uint64_t> values;
  for (uint32_t v : kFloats)
    for (uint32_t sign : {0u, 0x80000000u})
      values.push_back(v ^ sign);
  return values;
}

std::vector<uint64_t> special_doubles() {
  std::vector<uint64_t> values;
  for (double v : kDoubles)
    for (double sign : {1.0, -1.0})
      values.push_back(std::bit_cast<uint64_t>(std::copysign(v, sign)));
  values.insert(values.end(), std::begin(kDoubleNans), std::end(kDoubleNans));
  return values;
}

template <class Word, size_t n> std::vector<uint64_t> special_integers(const Word (&list)[n]) {
  std::vector<uint64_t> values;
  for (Word v : list)
    for (Word w : {v, static_cast<Word>(~v), static_cast<Word>(0 - v)})
      values.push_back(w);
  return values;
}

} // namespace

std::vector<uint64_t> special_values(ElementType type) {
  switch (type) {
  case ElementType::F32: return special_floats();
  case ElementType::F64: return special_doubles();
  case ElementType::I1: return {0, 1};
  case ElementType::I32: return special_integers(kWords);
  default: return special_integers(kLongWords);
  }
}

namespace {

/// Bit patterns of all kinds: any bits, few bits, near a special value, or a moderate number.
uint64_t random_value(ElementType type, const std::vector<uint64_t>& special,
                      std::mt19937_64& rng) {
  const unsigned width = bit_width(type);
  uint64_t v = rng();
  switch (rng() % 4) {
  case 0: break;
  case 1: v >>= rng() % 64; break;
  case 2: v = special[v % special.size()] + rng() % 5 - 2; break;
  default:
    if (type == ElementType::F32)
      v = std::bit_cast<uint32_t>(static_cast<float>(static_cast<int64_t>(v) >> 40) / 64);
    else if (type == ElementType::F64)
      v = std::bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(v) >> 20) / 1024);
    else
      v = static_cast<uint64_t>(static_cast<int64_t>(v) >> 54);
  }
  return width == 64 ? v : v & ((uint64_t{1} << width) - 1);
}

} // namespace

Operands operands_for(const OpCase& op, size_t random) {
  const unsigned arity = info(op.op).arity;
  Operands operands(arity);
  std::vector<std::vector<uint64_t>> special;
  size_t combinations = 1;
  for (unsigned k = 0; k < arity; ++k) {
    special.push_back(special_values(operand_type(op, k)));
    combinations *= k < 2 ? special[k].size() : 1;
  }
  std::mt19937_64 rng(12345);
  for (size_t i = 0; i < combinations; ++i) {
    size_t rest = i;
    for (unsigned k = 0; k < arity; ++k) {
      const auto& values = special[k];
      operands[k].push_back(values[(k < 2 ? rest : rng()) % values.size()]);
      rest /= values.size();
    }
  }
  for (size_t i = 0; i < random; ++i)
    for (unsigned k = 0; k < arity; ++k)
      operands[k].push_back(random_value(operand_type(op, k), special[k], rng));
  return operands;
}

} // namespace mo::test

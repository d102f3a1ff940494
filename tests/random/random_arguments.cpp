#include <bit>
#include <cmath>
#include <limits>

#include "tests/random/random_body.h"
#include "tests/random/random_program.h"

namespace mo::testing {
namespace {

// What floats go wrong on: signed zeros, infinities, NaN, denormals, the largest, halves.
uint64_t special_float(Dice& dice, ElementType type) {
  static const double kSpecial[] = {0.0, -0.0,     1.0,       -1.0, 0.5, -2.5,
                                    1.5, HUGE_VAL, -HUGE_VAL, NAN,  -NAN};
  if (dice.chance(0.1)) // smallest denormal, largest finite
    return type == ElementType::F32 ? (dice.chance(0.5) ? 0x00000001u : 0x7F7FFFFFu)
                                    : (dice.chance(0.5) ? 0x1ull : 0x7FEFFFFFFFFFFFFFull);
  const double d = kSpecial[dice.below(std::size(kSpecial))];
  return type == ElementType::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d))
                                  : std::bit_cast<uint64_t>(d);
}

uint64_t random_bits(Dice& dice, ElementType type, Numbers numbers) {
  if (type == ElementType::I1)
    return dice.below(2);
  if (is_float(type) && numbers != Numbers::Whole) {
    if (numbers == Numbers::Any && dice.chance(0.3))
      return special_float(dice, type);
    const double d = static_cast<double>(static_cast<int64_t>(dice.engine()())) * 0x1p-60;
    return type == ElementType::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d))
                                    : std::bit_cast<uint64_t>(d);
  }
  if (is_float(type) || dice.chance(0.6))
    return small_number(type, static_cast<int>(dice.below(7)) - 3);
  static constexpr int64_t kEdges[] = {std::numeric_limits<int64_t>::min(), -1, 0,
                                       std::numeric_limits<int64_t>::max()};
  uint64_t bits = dice.chance(0.3) ? static_cast<uint64_t>(kEdges[dice.below(4)]) : dice.engine()();
  if (type == ElementType::I32)
    bits = dice.chance(0.3) ? (dice.chance(0.5) ? 0x80000000u : 0x7FFFFFFFu) : bits & 0xFFFFFFFFu;
  return bits;
}

} // namespace

std::vector<RuntimeValue> random_arguments(const Function& function, uint64_t seed, Numbers numbers,
                                           size_t misalign) {
  std::vector<RuntimeValue> values;
  for (size_t k = 0; k < function.args.size(); ++k) {
    Dice dice(seed * 1000003 + k); // so that argument k is the same before and after bufferization
    const Type& type = function.type(function.args[k].value);
    if (type.is_scalar()) {
      values.push_back(Scalar{type.element, random_bits(dice, type.element, numbers)});
      continue;
    }
    auto array = Array::allocate_guarded(type.shape, type.element, misalign);
    for (int64_t i = 0; i < array->count(); ++i)
      array->set_bits(i, random_bits(dice, type.element, numbers));
    values.push_back(std::move(*array));
  }
  return values;
}

} // namespace mo::testing

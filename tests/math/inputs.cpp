#include "tests/math/inputs.h"

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <random>

namespace mo::testing {

namespace {

using Values = std::vector<uint64_t>;

/// Maps the bits of an f32 to where it stands in the order of all, and back.
uint32_t place_in_order(uint32_t bits) {
  return bits >> 31 != 0 ? ~bits : bits | 0x80000000u;
}
uint32_t bits_at_place(uint32_t place) {
  return place >> 31 != 0 ? place & 0x7fffffffu : ~place;
}

uint64_t bits_of(ElementType type, double value) {
  if (type == ElementType::F64)
    return std::bit_cast<uint64_t>(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

uint64_t all_ones(ElementType type) {
  return type == ElementType::F64 ? ~uint64_t{0} : 0xffffffffu;
}

void add_neighbourhood(Values& values, ElementType type, double centre, uint64_t radius) {
  const uint64_t sign = type == ElementType::F64 ? uint64_t{1} << 63 : uint64_t{1} << 31;
  const uint64_t middle = bits_of(type, centre);
  for (uint64_t d = 0; d <= 2 * radius; ++d) {
    const uint64_t bits = (middle + d - radius) & all_ones(type);
    values.push_back(bits);
    values.push_back(bits ^ sign);
  }
}

/// What every function has to get right.
Values special_neighbourhoods(ElementType type) {
  const bool wide = type == ElementType::F64;
  Values values;
  const double infinity = std::numeric_limits<double>::infinity();
  for (double v : {0.0, wide ? 0x1p-1022 : 0x1p-126, 1.0, 0.5, infinity})
    add_neighbourhood(values, type, v, 256);
  values.push_back(bits_of(type, std::numeric_limits<double>::quiet_NaN()));
  values.push_back(all_ones(type));
  // Where exp, exp2, expm1, tanh and erf over- and underflow or become 1.
  for (double v : {88.72284, 103.97208, 87.33654, 17.32868, 9.010914, 4.0, 3.919206, 126.0, 149.0,
                   150.0, 709.782712893384, 745.133219101941, 708.396418532264, 19.061547, 5.9,
                   36.736801, 1022.0, 1074.0, 1075.0})
    add_neighbourhood(values, type, v, 64);
  const int lowest = wide ? -1074 : -149, highest = wide ? 1023 : 127;
  for (int e = lowest; e <= highest; ++e)
    add_neighbourhood(values, type, std::ldexp(1.0, e), 4);
  for (int k = 1; k <= 1024; ++k) {
    add_neighbourhood(values, type, k * std::numbers::pi / 4, 1);
    add_neighbourhood(values, type, k * std::numbers::ln2 / 2, 1);
  }
  return values;
}

MathInputs from_list(std::shared_ptr<const Values> list_of_a,
                     std::shared_ptr<const Values> list_of_b) {
  const auto fill = [list_of_a, list_of_b](uint64_t first, size_t n, uint64_t* a, uint64_t* b) {
    for (size_t k = 0; k < n; ++k) {
      a[k] = (*list_of_a)[first + k];
      if (list_of_b)
        b[k] = (*list_of_b)[first + k];
    }
  };
  return {list_of_a->size(), fill};
}

} // namespace

MathInputs floats_between(float low, float high) {
  const uint32_t first_place = place_in_order(std::bit_cast<uint32_t>(low));
  const uint32_t last_place = place_in_order(std::bit_cast<uint32_t>(high));
  if (last_place < first_place)
    return {0, [](uint64_t, size_t, uint64_t*, uint64_t*) {}};
  const auto fill = [first_place](uint64_t first, size_t n, uint64_t* a, uint64_t*) {
    for (size_t k = 0; k < n; ++k)
      a[k] = bits_at_place(first_place + static_cast<uint32_t>(first + k));
  };
  return {uint64_t{last_place} - first_place + 1, fill};
}

MathInputs all_floats() {
  const auto fill = [](uint64_t first, size_t n, uint64_t* a, uint64_t*) {
    for (size_t k = 0; k < n; ++k)
      a[k] = first + k;
  };
  return {uint64_t{1} << 32, fill};
}

MathInputs sample_of(ElementType type, uint64_t count) {
  auto values = std::make_shared<Values>(special_neighbourhoods(type));
  // Half of them at equal distances over all bit patterns; the low bits run through all values.
  const uint64_t range = all_ones(type);
  const uint64_t stride = (range / (count / 2 + 1)) | 1;
  for (uint64_t k = 0; k < count / 2; ++k)
    values->push_back((k * stride) & range);
  std::mt19937_64 random(1);
  for (double largest : {1.0, 10.0, 100.0, 1000.0, 1e6}) {
    std::uniform_real_distribution<double> moderate(-largest, largest);
    for (uint64_t k = 0; k < count / 10; ++k)
      values->push_back(bits_of(type, moderate(random)));
  }
  return from_list(values, nullptr);
}

MathInputs sample_of_pairs(ElementType type, uint64_t count) {
  const bool wide = type == ElementType::F64;
  const double infinity = std::numeric_limits<double>::infinity();
  auto bases = std::make_shared<Values>(), exponents = std::make_shared<Values>();
  const auto add = [&](uint64_t a, uint64_t b) {
    bases->push_back(a);
    exponents->push_back(b);
  };
  Values special;
  for (double v : {0.0,
                   wide ? 0x1p-1074 : 0x1p-149,
                   wide ? 0x1p-1022 : 0x1p-126,
                   0.25,
                   1.0 / 3,
                   0.5,
                   1.0,
                   1.5,
                   2.0,
                   3.0,
                   4.0,
                   5.0,
                   10.0,
                   31.0,
                   63.0,
                   127.0,
                   128.0,
                   149.0,
                   150.0,
                   1023.0,
                   1024.0,
                   1074.0,
                   1075.0,
                   0x1p23,
                   0x1p24,
                   0x1p31,
                   0x1p52,
                   0x1p53,
                   0x1p63,
                   1e30,
                   wide ? 0x1.fffffffffffffp1023 : 0x1.fffffep127,
                   infinity})
    add_neighbourhood(special, type, v, 2);
  for (uint64_t a : special)
    for (uint64_t b : special)
      add(a, b);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> power(wide ? -1080 : -152, wide ? 1026 : 130);
  std::uniform_real_distribution<double> near_one(-0.01, 0.01);
  std::uniform_int_distribution<int> small_integer(-40, 40);
  for (uint64_t k = 0; k < count; ++k) {
    const uint64_t bits = random() & all_ones(type);
    const double value =
        wide ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (k % 8 == 0) {
      add(bits, random() & all_ones(type));
    } else if (k % 8 == 1) {
      add(bits, bits_of(type, small_integer(random)));
    } else {
      const double base = k % 8 < 4 ? 1 + near_one(random) : std::fabs(value);
      // Rounding the base before its logarithm is taken keeps the power in the range.
      const double rounded = wide ? base : static_cast<float>(base);
      add(bits_of(type, rounded), bits_of(type, power(random) / std::log2(rounded)));
    }
  }
  return from_list(bases, exponents);
}

} // namespace mo::testing

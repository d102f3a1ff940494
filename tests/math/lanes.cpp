#include "tests/math/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/math/math_kernel.h"

namespace mo::testing {

namespace {

constexpr int64_t kElements = 1 << 14;

template <class T> struct Arrays {
  std::vector<T> a, b, out;
  explicit Arrays(size_t n) : a(n), b(n), out(n) {}
};

template <class T> bool same(T x, T y) {
  return (std::isnan(x) && std::isnan(y)) || std::memcmp(&x, &y, sizeof(T)) == 0;
}

template <class T>
std::string differing(const MathOp& op, ElementType type, Isa isa, const MathInputs& inputs) {
  std::string why_not;
  const size_t n = static_cast<size_t>(kElements);
  const auto full = MathKernel::build(op, type, isa, kElements, why_not);
  if (!full)
    return why_not;
  // Any `n` of the inputs, in random order.
  std::mt19937_64 random(1);
  Arrays<T> all(n);
  for (size_t i = 0; i < n; ++i) {
    uint64_t a = 0, b = 0;
    inputs.fill(random() % inputs.count, 1, &a, &b);
    std::memcpy(&all.a[i], &a, sizeof(T));
    std::memcpy(&all.b[i], &b, sizeof(T));
  }
  full->run(all.a.data(), all.b.data(), all.out.data());
  for (size_t few : {1, 2, 3, 4, 5, 7, 8, 11, 16, 19, 33}) {
    const auto kernel = MathKernel::build(op, type, isa, static_cast<int64_t>(few), why_not);
    if (!kernel)
      return why_not;
    for (size_t first = 0; first + few <= n; first += few) {
      Arrays<T> part(few);
      std::copy_n(&all.a[first], few, part.a.begin());
      std::copy_n(&all.b[first], few, part.b.begin());
      kernel->run(part.a.data(), part.b.data(), part.out.data());
      for (size_t k = 0; k < few; ++k)
        if (!same(part.out[k], all.out[first + k]))
          return fmt::format("{}({:a}{}): {:a} among {} elements, {:a} in a full register", op.name,
                             part.a[k], arity(op) == 2 ? fmt::format(", {:a}", part.b[k]) : "",
                             part.out[k], few, all.out[first + k]);
    }
  }
  return "";
}

} // namespace

std::string lanes_that_differ(const MathOp& op, ElementType type, Isa isa,
                              const MathInputs& inputs) {
  return type == ElementType::F64 ? differing<double>(op, type, isa, inputs)
                                  : differing<float>(op, type, isa, inputs);
}

} // namespace mo::testing

#include "codegen/external_functions.h"

#include <math.h> // the functions themselves: the overloads of <cmath> have other addresses
#include <stdlib.h>

#include <span>

namespace mo {
namespace {

struct External {
  std::string_view symbol;
  uint64_t address;
};

template <class F> uint64_t address_of(F* function) {
  return reinterpret_cast<uint64_t>(function);
}

std::span<const External> externals() {
  static const External all[] = {
      {"malloc", address_of(&::malloc)},
      {"free", address_of(&::free)},
      {"fma", address_of<double(double, double, double)>(&::fma)},
      {"sinf", address_of<float(float)>(&::sinf)},
      {"cosf", address_of<float(float)>(&::cosf)},
      {"powf", address_of<float(float, float)>(&::powf)},
      {"sin", address_of<double(double)>(&::sin)},
      {"cos", address_of<double(double)>(&::cos)},
      {"pow", address_of<double(double, double)>(&::pow)},
  };
  return all;
}

} // namespace

std::optional<std::string_view> external_symbol(uint64_t address) {
  for (const External& external : externals())
    if (external.address == address)
      return external.symbol;
  return std::nullopt;
}

uint64_t external_address(std::string_view symbol) {
  for (const External& external : externals())
    if (external.symbol == symbol)
      return external.address;
  return 0;
}

bool is_external_symbol(std::string_view symbol) {
  return external_address(symbol) != 0;
}

} // namespace mo

// Constants as MLIR reads and prints them.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include <fmt/format.h>

#include "ir/print.h"
#include "ir/printer.h"

namespace mo {

namespace {

// MLIR prints a list of more elements as the hex digits of its bytes.
constexpr size_t kMaxListed = 100;

/// The double that MLIR makes of the text; for f32 it rounds once more.
double read_back(const std::string& text) {
  return std::strtod(text.c_str(), nullptr);
}

/// Six significant digits padded to seven as MLIR does where that is exact, else the fewest digits
/// that read back as the same value. `Float` is float or double; finite.
template <class Float> std::string finite_text(Float value) {
  std::string text = fmt::format("{:.5e}", value);
  text.insert(text.find('e'), "0");
  if (static_cast<Float>(read_back(text)) == value)
    return text;
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  text.assign(buffer, end.ptr);
  // Rounding to double first may lose the last bit of an f32; nine digits are then enough.
  if (static_cast<Float>(read_back(text)) == value && text.find('.') != text.npos)
    return text;
  return fmt::format("{:.16e}", value);
}

std::string float_text(uint64_t bits, ElementType type) {
  const double value = type == ElementType::F64 ? std::bit_cast<double>(bits)
                                                : std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (!std::isfinite(value))
    return type == ElementType::F64 ? fmt::format("0x{:016X}", bits)
                                    : fmt::format("0x{:08X}", bits);
  return type == ElementType::F64 ? finite_text(value) : finite_text(static_cast<float>(value));
}

/// The elements of one tensor as nested lists; `next` counts them.
void append_list(std::string& out, const DenseOp& op, const Type& type, size_t depth,
                 size_t& next) {
  if (depth == type.shape.size()) {
    out += literal_text(op.bits[next++], type.element);
    return;
  }
  out += '[';
  for (int64_t i = 0; i < type.shape[depth]; ++i) {
    if (i > 0)
      out += ", ";
    append_list(out, op, type, depth + 1, next);
  }
  out += ']';
}

void append_bytes(std::string& out, const DenseOp& op, ElementType element) {
  out += "\"0x";
  for (const uint64_t bits : op.bits)
    for (unsigned b = 0; b < byte_size(element); ++b)
      fmt::format_to(std::back_inserter(out), "{:02X}", bits >> (8 * b) & 0xFF);
  out += '"';
}

} // namespace

std::string literal_text(uint64_t bits, ElementType type) {
  switch (type) {
  case ElementType::F32:
  case ElementType::F64: return float_text(bits, type);
  case ElementType::I1: return (bits & 1) != 0 ? "true" : "false";
  case ElementType::I32: return std::to_string(static_cast<int32_t>(bits));
  default: return std::to_string(static_cast<int64_t>(bits));
  }
}

std::string print_constant(uint64_t bits, ElementType type) {
  std::string text = literal_text(bits, type);
  if (type != ElementType::I1) // its literals say what they are
    text += fmt::format(" : {}", spelling(type));
  return text;
}

std::string dense_text(const DenseOp& op, const Type& type) {
  std::string out = "dense<";
  if (op.splat)
    out += literal_text(op.bits[0], type.element);
  else if (op.bits.size() > kMaxListed && type.element != ElementType::I1)
    append_bytes(out, op, type.element);
  else if (!op.bits.empty()) {
    size_t next = 0;
    append_list(out, op, type, 0, next);
  }
  return out + ">";
}

// ---- constant buffers --------------------------------------------------------------------------

void ConstantNames::reserve(const Module& module) {
  for (const Function& function : module.functions)
    taken_.insert(function.name);
}

std::string ConstantNames::key(const DenseOp& op, const Type& type) {
  return fmt::format("{} = {}", to_string(type), dense_text(op, type));
}

void ConstantNames::add(const Function& function) {
  for (const Op& op : function.ops) {
    const auto* dense = op.as<DenseOp>();
    if (dense == nullptr || !function.type(op.results[0]).is_memref())
      continue;
    const Type& type = function.type(op.results[0]);
    std::string text = key(*dense, type);
    if (name_of_.contains(text))
      continue;
    std::string base = "__constant_";
    for (const int64_t extent : type.shape)
      base += fmt::format("{}x", extent);
    base += spelling(type.element);
    std::string name = base;
    while (!taken_.insert(name).second)
      name = fmt::format("{}_{}", base, next_suffix_[base]++);
    definitions_.push_back(fmt::format("memref.global \"private\" constant @{} : {}", name, text));
    name_of_.emplace(std::move(text), std::move(name));
  }
}

std::string ConstantNames::name(const DenseOp& op, const Type& type) const {
  return "@" + name_of_.at(key(op, type));
}

std::string ConstantNames::definitions(unsigned indent) const {
  std::string out;
  for (const std::string& definition : definitions_)
    out += std::string(indent, ' ') + definition + "\n";
  return out;
}

} // namespace mo

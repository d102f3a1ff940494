#include "tests/passes/pass_support.h"

#include <array>
#include <bit>
#include <random>

#include "ir/print.h"
#include "runtime/interpret.h"
#include "tests/support/element_bits.h"

namespace mo {

std::string Passed::text() const {
  return print(function);
}

std::string Passed::messages(std::string_view reason) const {
  std::string text;
  for (const Remark& r : remarks)
    if (r.reason == reason)
      text += r.message + "\n";
  return text;
}

unsigned Passed::count_remarks(Remark::Kind kind) const {
  unsigned count = 0;
  for (const Remark& r : remarks)
    count += r.kind == kind;
  return count;
}

Passed run_passes(const std::string& text, std::vector<PassKind> passes) {
  EXPECT_EQ(violations_in(text), "") << text;
  Module module = module_from(text);
  RemarkCollector collector;
  Diagnostics diagnostics;
  EXPECT_TRUE(run_pipeline(module, passes, collector, diagnostics)) << listing(diagnostics) << text;
  return {std::move(module.functions.at(0)), collector.all()};
}

void Limit::rewrote(const Rewrite&, const Function& f) {
  ++rewrites;
  Function now = f;
  compact(now);
  EXPECT_EQ(violations_in(now, Level::Tensor), "");
}

std::string maps(std::initializer_list<const char*> list) {
  std::string text = "indexing_maps = [";
  for (const char* map : list)
    text += std::string(text.back() == '[' ? "" : ", ") + "affine_map<" + map + ">";
  return text + "]";
}

std::string generic(const std::string& result, std::initializer_list<const char*> map_list,
                    const std::string& iterators, const std::string& ins, const std::string& outs,
                    const std::string& body) {
  std::string text =
      "  " + result + " = linalg.generic {" + maps(map_list) + ", iterator_types = [";
  for (char it : iterators)
    text += std::string(text.back() == '[' ? "" : ", ") +
            (it == 'r' ? "\"reduction\"" : "\"parallel\"");
  text += "]}";
  if (!ins.empty())
    text += " ins(" + ins + ")";
  return text + " outs(" + outs + ") {\n  " + body + "\n  } -> (" +
         outs.substr(outs.find(':') + 2) + ")\n";
}

namespace {

uint64_t random_bits(ElementType type, std::mt19937_64& random) {
  static constexpr std::array<double, 10> kSpecial = {0.0,       -0.0, 1.0,   -1.5,    INFINITY,
                                                      -INFINITY, NAN,  1e-40, -1e-310, 3e38};
  const bool special = random() % 3 == 0;
  const double value = special
                           ? kSpecial[random() % kSpecial.size()]
                           : static_cast<double>(static_cast<int64_t>(random() % 2001) - 1000) / 64;
  switch (type) {
  case ElementType::F32: return std::bit_cast<uint32_t>(static_cast<float>(value));
  case ElementType::F64: return std::bit_cast<uint64_t>(value);
  case ElementType::I1: return random() & 1;
  case ElementType::I32: return random() & 0xffffffff;
  default: return random();
  }
}

std::vector<RuntimeValue> random_arguments(const Function& function, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<RuntimeValue> values;
  for (const Argument& arg : function.args) {
    const Type& type = function.type(arg.value);
    if (type.is_scalar()) {
      values.push_back(Scalar{type.element, random_bits(type.element, random)});
      continue;
    }
    Array array = std::move(Array::allocate(type.shape, type.element).value());
    for (int64_t i = 0; i < array.count(); ++i)
      array.set_bits(i, random_bits(type.element, random));
    values.push_back(std::move(array));
  }
  return values;
}

std::string difference(const Array& a, const Array& b, const std::string& what) {
  if (a.shape() != b.shape() || a.element() != b.element())
    return what + " has another type";
  for (int64_t i = 0; i < a.count(); ++i)
    if (a.bits(i) != b.bits(i) &&
        !(testing::is_nan(a.bits(i), a.element()) && testing::is_nan(b.bits(i), b.element())))
      return what + ", element " + std::to_string(i) + ": " +
             print_constant(a.bits(i), a.element()) + " before, " +
             print_constant(b.bits(i), b.element()) + " after";
  return "";
}

} // namespace

std::string difference(const Function& before, const Function& after, unsigned seed) {
  std::vector<RuntimeValue> args_before = random_arguments(before, seed);
  std::vector<RuntimeValue> args_after = random_arguments(before, seed);
  auto ran_before = interpret(before, args_before);
  auto ran_after = interpret(after, args_after);
  for (const auto* ran : {&ran_before, &ran_after})
    if (const auto* error = std::get_if<RunError>(ran))
      return error->message;
  const auto& results_before = std::get<std::vector<Array>>(ran_before);
  const auto& results_after = std::get<std::vector<Array>>(ran_after);
  if (results_before.size() != results_after.size())
    return "other results";
  for (size_t i = 0; i < results_before.size(); ++i)
    if (std::string d =
            difference(results_before[i], results_after[i], "result " + std::to_string(i));
        !d.empty())
      return d;
  for (size_t i = 0; i < args_before.size(); ++i)
    if (const auto* array = std::get_if<Array>(&args_before[i]))
      if (std::string d =
              difference(*array, std::get<Array>(args_after[i]), "argument " + std::to_string(i));
          !d.empty())
        return d;
  return "";
}

} // namespace mo

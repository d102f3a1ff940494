#include "tools/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ir/walk.h"
#include "runtime/compare.h"
#include "tools/reference.h"

namespace mo {
namespace {

constexpr double kAnything = std::numeric_limits<double>::infinity();
constexpr unsigned kMostGroups = 4; // of sums that move together; each costs two interpretations

using Outputs = std::vector<NamedArray>;
using OutputsOrError = std::variant<Outputs, RunError>;

OutputsOrError interpreted(const Function& function, const MakeArguments& make,
                           const InterpretOptions& options) {
  auto args = make();
  if (const auto* error = std::get_if<RunError>(&args))
    return *error;
  auto& values = std::get<std::vector<RuntimeValue>>(args);
  auto results = interpret(function, values, options);
  if (const auto* error = std::get_if<RunError>(&results))
    return *error;
  return take_outputs(function, std::get<std::vector<Array>>(std::move(results)),
                      std::move(values));
}

/// How far `other` is from `base`, where both are right; anything goes where one is finite and the
/// other is not.
double distance(uint64_t base, uint64_t other, ElementType type) {
  const double x = element_value(base, type), y = element_value(other, type);
  if (base == other || (std::isnan(x) && std::isnan(y)))
    return 0;
  const double d = std::fabs(x - y);
  // Zeros of two signs, and large integers, differ all the same.
  return std::isnan(d) ? kAnything : std::max(d, std::numeric_limits<double>::denorm_min());
}

/// Adds what the two runs with moved sums show.
void add_leeway(ExpectedOutput& expected, const Array& up, const Array& down) {
  const Array& base = expected.output.array;
  const size_t n = static_cast<size_t>(base.count());
  expected.leeway.resize(n, 0);
  for (size_t i = 0; i < n; ++i) {
    const auto k = static_cast<int64_t>(i);
    const uint64_t bits = base.bits(k);
    expected.leeway[i] += std::max(distance(bits, up.bits(k), base.element()),
                                   distance(bits, down.bits(k), base.element()));
  }
}

std::optional<RunError> allow_for_sums(std::vector<ExpectedOutput>& expected,
                                       const Function& original, const MakeArguments& make,
                                       CompiledMath* math) {
  const unsigned groups = std::min(float_sums(original).count, kMostGroups);
  for (unsigned group = 0; group < groups; ++group) {
    OutputsOrError ends[2];
    for (int end = 0; end < 2; ++end) {
      const SumNudge nudge{group, groups, end == 0 ? 1.0 : -1.0};
      ends[end] = interpreted(with_wide_sums(original, nudge), make, {math});
      if (const auto* error = std::get_if<RunError>(&ends[end]))
        return *error;
    }
    for (size_t k = 0; k < expected.size(); ++k)
      if (expected[k].output.written)
        add_leeway(expected[k], std::get<Outputs>(ends[0])[k].array,
                   std::get<Outputs>(ends[1])[k].array);
  }
  return std::nullopt;
}

/// May contents that nobody wrote be seen? False is certain.
bool may_show_undefined(const Function& f) {
  const DefUse uses(f);
  const auto overwrites = [&](const DefUse::Use& use) {
    const Op& op = f.op(use.op);
    if (op.is<FillOp>() || op.is<MaterializeOp>())
      return use.role == Role::Init;
    const auto* g = op.as<GenericOp>();
    if (!g || use.role != Role::Init)
      return false;
    const auto init = use.operand - static_cast<unsigned>(g->inputs.size());
    const std::vector<int64_t> extents = loop_extents(f, *g);
    const bool runs = std::ranges::find(extents, 0) == extents.end();
    return runs && g->maps[use.operand].is_projected_permutation() && !body_reads_init(*g, init);
  };
  return std::ranges::any_of(f.ops, [&](const Op& op) {
    return op.is<AllocOp>() ||
           (op.is<EmptyOp>() && !std::ranges::all_of(uses.uses_of(op.results[0]), overwrites));
  });
}

std::optional<RunError> allow_for_undefined(std::vector<ExpectedOutput>& expected,
                                            const Function& original, const MakeArguments& make,
                                            CompiledMath* math) {
  if (!may_show_undefined(original))
    return std::nullopt;
  auto other = interpreted(with_wide_sums(original), make, {math, UndefinedContents::Odd});
  if (const auto* error = std::get_if<RunError>(&other))
    return *error;
  for (size_t k = 0; k < expected.size(); ++k) {
    ExpectedOutput& e = expected[k];
    const Array& base = e.output.array;
    const Array& odd = std::get<Outputs>(other)[k].array;
    for (int64_t i = 0; i < base.count(); ++i) {
      if (distance(base.bits(i), odd.bits(i), base.element()) == 0)
        continue;
      e.leeway.resize(static_cast<size_t>(base.count()), 0);
      e.leeway[static_cast<size_t>(i)] = kAnything;
      ++e.undefined;
    }
  }
  return std::nullopt;
}

const NamedArray* same_output(const std::vector<NamedArray>& got, const NamedArray& wanted) {
  const auto same =
      std::ranges::find_if(got, [&](const NamedArray& o) { return o.label == wanted.label; });
  return same == got.end() ? nullptr : &*same;
}

/// The largest distances; what is not defined is left out.
std::string distance_text(const Array& libm, const Array& got, const std::vector<double>& leeway) {
  double most_ulps = 0, most = 0;
  for (int64_t i = 0; i < libm.count(); ++i) {
    const uint64_t a = got.bits(i), b = libm.bits(i);
    if (a == b || (!leeway.empty() && std::isinf(leeway[static_cast<size_t>(i)])))
      continue;
    most_ulps = std::max(most_ulps, ulps_apart(a, b, libm.element()));
    most = std::max(most, distance(b, a, libm.element()));
  }
  return most_ulps == 0 ? "what libm's functions give"
                        : fmt::format("within {:.1f} ulp and {:.1e} of what libm's functions give",
                                      most_ulps, most);
}

} // namespace

std::variant<std::vector<ExpectedOutput>, RunError>
expected_outputs(const Function& original, const MakeArguments& make, CompiledMath* math) {
  auto base = interpreted(with_wide_sums(original), make, {math});
  if (const auto* error = std::get_if<RunError>(&base))
    return *error;
  std::vector<ExpectedOutput> expected;
  for (NamedArray& output : std::get<Outputs>(base))
    expected.push_back({std::move(output), {}, 0});
  if (const auto error = allow_for_sums(expected, original, make, math))
    return *error;
  if (const auto error = allow_for_undefined(expected, original, make, math))
    return *error;
  return expected;
}

std::optional<std::string> mismatch(const std::vector<NamedArray>& got,
                                    const ExpectedOutput& expected) {
  const NamedArray* same = same_output(got, expected.output);
  if (!same)
    return "it is not there";
  const auto difference = compare(expected.output.array, same->array, expected.leeway);
  return difference ? std::optional(describe(*difference, expected.output.array)) : std::nullopt;
}

bool uses_approximated_math(const Function& function) {
  const auto approximated = [](const ScalarInst& inst) { return allowed_ulps(inst.op) > 0; };
  return std::ranges::any_of(function.ops, [&](const Op& op) {
    const auto* g = op.as<GenericOp>();
    const auto* scalar = op.as<ScalarInst>();
    return g ? std::ranges::any_of(g->body.insts, approximated) : scalar && approximated(*scalar);
  });
}

std::variant<std::vector<std::string>, RunError>
distances_from_libm(const Function& original, const MakeArguments& make,
                    const std::vector<NamedArray>& got,
                    const std::vector<ExpectedOutput>& expected) {
  auto libm = interpreted(with_wide_sums(original), make, {});
  if (const auto* error = std::get_if<RunError>(&libm))
    return *error;
  std::vector<std::string> texts;
  for (size_t k = 0; k < expected.size(); ++k) {
    const Array& wanted = std::get<Outputs>(libm)[k].array;
    const NamedArray* same = same_output(got, expected[k].output);
    texts.push_back(same && same->written && is_float(wanted.element())
                        ? distance_text(wanted, same->array, expected[k].leeway)
                        : "");
  }
  return texts;
}

} // namespace mo

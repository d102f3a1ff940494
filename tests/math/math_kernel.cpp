#include "tests/math/math_kernel.h"

#include <fmt/format.h>

#include "ir/parse.h"

namespace mo::testing {

namespace {

std::string program(const MathOp& op, ElementType type, int64_t elements) {
  const std::string scalar(spelling(type));
  const std::string array = fmt::format("memref<{}x{}>", elements, scalar);
  const bool two = arity(op) == 2;
  const std::string map = "affine_map<(d0) -> (d0)>";
  return fmt::format(
      R"(func.func @f(%a: {0}, {1}%out: {0}) {{
  linalg.generic {{indexing_maps = [{2}, {3}{2}], iterator_types = ["parallel"]}}
      ins({4} : {5}) outs(%out : {0}) {{
  ^bb0(%x: {6}, {7}%old: {6}):
    %r = {8} {9} : {6}
    linalg.yield %r : {6}
  }}
  return
}}
)",
      array, two ? fmt::format("%b: {}, ", array) : "", map, two ? map + ", " : "",
      two ? "%a, %b" : "%a", two ? array + ", " + array : array, scalar,
      two ? fmt::format("%y: {}, ", scalar) : "", info(op.op).spelling, two ? "%x, %y" : "%x");
}

} // namespace

std::optional<MathKernel> MathKernel::build(const MathOp& op, ElementType type, Isa isa,
                                            int64_t elements, std::string& why_not) {
  const SourceFile source{"math.tir", program(op, type, elements)};
  Diagnostics diagnostics;
  CompileOptions options;
  options.isa = isa;
  options.nt_stores = NtStores::Never;
  std::optional<CompiledKernel> code;
  if (const auto module = parse_and_verify(source, diagnostics))
    code = compile(module->functions.at(0), options, diagnostics);
  if (!code) {
    why_not = diagnostics.has_errors() ? diagnostics.all().front().message : "no code";
    return std::nullopt;
  }
  return MathKernel(std::move(*code), arity(op), isa, elements);
}

void MathKernel::run(const void* a, const void* b, void* out) const {
  void* arguments[3] = {const_cast<void*>(a), const_cast<void*>(b), out};
  if (num_inputs_ == 1)
    arguments[1] = out;
  code_.entry(arguments);
}

} // namespace mo::testing

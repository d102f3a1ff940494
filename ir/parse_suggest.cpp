// What to say about an op that is not known.
#include <algorithm>

#include <fmt/format.h>

#include "ir/edit_distance.h"
#include "ir/parser.h"

namespace mo {

namespace {

/// The linalg ops that mlir-opt --linalg-generalize-named-ops turns into linalg.generic. A name
/// that ends in _ stands for all that start so.
// clang-format off
constexpr std::string_view kNamedOps[] = {
    "abs", "add", "batch_", "broadcast", "ceil", "contract", "conv_", "copy", "depthwise_", "div",
    "div_unsigned", "dot", "elementwise", "erf", "exp", "fill_rng_2d", "floor", "log", "map",
    "matmul", "matmul_transpose_a", "matmul_transpose_b", "matvec", "max", "min", "mmt4d", "negf",
    "pooling_", "powf", "quantized_", "reciprocal", "reduce", "round", "rsqrt", "select",
    "softmax", "sqrt", "square", "sub", "tanh", "ternary", "transpose", "vecmat", "winograd_",
    "pack", "unpack", "unary",
};
// clang-format on

bool is_named_linalg_op(std::string_view name) {
  return std::any_of(std::begin(kNamedOps), std::end(kNamedOps), [&](std::string_view known) {
    return known.ends_with('_') ? name.starts_with(known) : name == known;
  });
}

} // namespace

void Parser::fail_unknown_op(const Token& op) {
  constexpr std::string_view kDialects[] = {"arith",  "math",          "linalg", "tensor",
                                            "memref", "bufferization", "func"};
  const size_t dot = op.text.find('.');
  const std::string_view dialect = op.text.substr(0, dot);
  if (dot != op.text.npos && dialect == "linalg" && is_named_linalg_op(op.text.substr(dot + 1)))
    fail(DiagId::NamedOp, op.loc,
         fmt::format("{} is a named op; run mlir-opt --linalg-generalize-named-ops first, which "
                     "makes it a linalg.generic",
                     describe(op)));
  if (dot != op.text.npos &&
      std::find(std::begin(kDialects), std::end(kDialects), dialect) == std::end(kDialects))
    fail(DiagId::UnknownDialect, op.loc,
         fmt::format("there is no dialect {} here; known are arith, math, linalg, tensor, memref, "
                     "bufferization and func",
                     quoted(dialect)));

  std::string_view nearest;
  size_t distance = 4; // what is further away is another op, not a slip
  const auto consider = [&](std::string_view known) {
    const size_t longer = std::max(op.text.size(), known.size());
    if (longer - std::min(op.text.size(), known.size()) >= distance)
      return; // at least so far away
    if (const size_t d = edit_distance(op.text, known); d < distance) {
      distance = d;
      nearest = known;
    }
  };
  for (const FunctionOp& known : kFunctionOps)
    consider(known.spelling);
  for (unsigned i = 0; i < num_scalar_ops(); ++i)
    consider(info(static_cast<ScalarOp>(i)).spelling);
  for (const std::string_view known : {"linalg.yield", "return", "func.return"})
    consider(known);
  fail(DiagId::UnknownOp, op.loc,
       fmt::format("there is no op {} here{}", describe(op),
                   nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest)));
}

} // namespace mo

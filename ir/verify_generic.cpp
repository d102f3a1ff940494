// Verifier: linalg.generic. Operands and maps first, then the body.
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "ir/verify_context.h"

namespace mo {

namespace {

/// The parts of one generic that the checks below go through together.
struct GenericParts {
  const Op& op;
  const GenericOp& generic;
  std::vector<ValueId> operands;               // inputs, then inits: operand k goes with map k
  std::vector<std::optional<int64_t>> extents; // by loop
  bool is_init(size_t k) const { return k >= generic.inputs.size(); }
};

// Tensors or memrefs, not both; inits are one of the two; the level's kind.
void check_operand_kinds(VerifyContext& context, const GenericParts& parts) {
  std::optional<ValueId> tensor, memref;
  for (size_t k = 0; k < parts.operands.size(); ++k) {
    const ValueId v = parts.operands[k];
    const Type& type = context.type(v);
    if (type.is_tensor() && !tensor)
      tensor = v;
    if (type.is_memref() && !memref)
      memref = v;
    if (parts.is_init(k) && type.is_scalar())
      context.error(
          DiagId::OperandKind, parts.op.loc,
          fmt::format("outs must be tensors or memrefs, but {} is none", context.describe(v)),
          {context.defined_here(v)});
    if (parts.is_init(k))
      check_not_constant(context, parts.op, v);
  }
  if (tensor && memref)
    context.error(DiagId::MixedOperands, parts.op.loc,
                  fmt::format("one generic works on tensors or on memrefs, not on both {} and {}",
                              context.describe(*tensor), context.describe(*memref)),
                  {context.defined_here(*tensor), context.defined_here(*memref)});
  else if (tensor)
    check_works_on(context, parts.op, Level::Tensor);
  else if (memref)
    check_works_on(context, parts.op, Level::Buffer);
}

// Each map goes from the loops to the operand's dimensions; true where all do.
bool check_map_shapes(VerifyContext& context, const GenericParts& parts) {
  // exercise: verify-maps
  const GenericOp& generic = parts.generic;
  bool all = generic.maps.size() == parts.operands.size();
  if (!all)
    context.error(DiagId::MapCount, parts.op.loc,
                  fmt::format("generic has {} but {}", plural(parts.operands.size(), "operand"),
                              plural(generic.maps.size(), "indexing map")));
  for (size_t k = 0; k < generic.maps.size(); ++k) {
    const AffineMap& map = generic.maps[k];
    if (map.num_dims() != generic.iterators.size()) {
      all = false;
      context.error(DiagId::MapDims, parts.op.loc,
                    fmt::format("map #{} has {} but the generic has {}", k,
                                plural(map.num_dims(), "dim"),
                                plural(generic.iterators.size(), "loop")));
    }
    if (k < parts.operands.size() && map.num_results() != context.type(parts.operands[k]).rank()) {
      all = false;
      context.error(DiagId::MapRank, parts.op.loc,
                    fmt::format("map #{} gives {} where {} has rank {}", k,
                                plural(map.num_results(), "result"),
                                context.describe(parts.operands[k]),
                                context.type(parts.operands[k]).rank()),
                    {context.defined_here(parts.operands[k])});
    }
  }
  return all;
  // end of exercise
}

bool check_extents_known(VerifyContext& context, const GenericParts& parts) {
  bool all = true;
  for (size_t d = 0; d < parts.extents.size(); ++d) {
    if (parts.extents[d])
      continue;
    all = false;
    context.error(DiagId::LoopExtent, parts.op.loc,
                  fmt::format("loop d{0} gets its extent from no operand: no map has a result "
                              "that is d{0} alone",
                              d));
  }
  return all;
}

// For every loop, the operand that it has its extent from: the first whose map names it as a plain
// dim, as inferred_extents chooses.
std::vector<size_t> extent_sources(const GenericParts& parts) {
  std::vector<size_t> sources(parts.extents.size(), SIZE_MAX);
  for (size_t k = 0; k < parts.operands.size(); ++k) {
    const AffineMap& map = parts.generic.maps[k];
    for (unsigned row = 0; row < map.num_results(); ++row)
      if (const std::optional<unsigned> d = map.plain_dim(row); d && sources[*d] == SIZE_MAX)
        sources[*d] = k;
  }
  return sources;
}

/// The lowest and highest index that MLIR checks. Where every loop runs these are the true bounds.
/// Where one has extent 0 nothing is accessed, and MLIR looks at the two corners 0 and extents - 1.
std::optional<Range> reached(const AffineMap& map, unsigned row, std::span<const int64_t> extents) {
  if (std::find(extents.begin(), extents.end(), 0) == extents.end())
    return row_range(map, row, extents);
  const int64_t first = map.constant(row);
  constexpr __int128 kBound = __int128{1} << 120; // keeps the sum of a few products in 128 bits
  __int128 last = first;
  for (unsigned d = 0; d < map.num_dims(); ++d) {
    last += __int128{map.coefficient(row, d)} * (extents[d] - 1);
    if (last < -kBound || last > kBound)
      return std::nullopt;
  }
  if (last != static_cast<int64_t>(last))
    return std::nullopt;
  return Range{std::min(first, static_cast<int64_t>(last)),
               std::max(first, static_cast<int64_t>(last))};
}

void check_row_range(VerifyContext& context, const GenericParts& parts, size_t k, unsigned row,
                     std::span<const int64_t> extents) {
  const ValueId v = parts.operands[k];
  const int64_t available = context.type(v).shape[row];
  const bool nothing_runs = std::find(extents.begin(), extents.end(), 0) != extents.end();
  if (nothing_runs && available == 0)
    return;
  const std::optional<Range> range = reached(parts.generic.maps[k], row, extents);
  if (range && range->min >= 0 && range->max < available)
    return;
  if (context.count_only(DiagId::MapRange, parts.op.loc))
    return;
  const std::string where =
      range ? fmt::format("reaches index {}", range->min < 0 ? range->min : range->max)
            : std::string("reaches an index beyond 64 bits");
  context.error(DiagId::MapRange, parts.op.loc,
                fmt::format("map #{}, {}, {} where {} has {} in dimension {}", k,
                            to_string(parts.generic.maps[k]), where, context.describe(v), available,
                            row),
                {context.defined_here(v)});
}

/// A loop, and the operand that gives it its extent.
struct LoopSource {
  unsigned dim;
  ValueId operand;
};

void check_plain_row(VerifyContext& context, const GenericParts& parts, size_t k, unsigned row,
                     LoopSource loop) {
  const ValueId v = parts.operands[k];
  const int64_t extent = *parts.extents[loop.dim], available = context.type(v).shape[row];
  if (extent == available || context.count_only(DiagId::ExtentConflict, parts.op.loc))
    return;
  context.error(
      DiagId::ExtentConflict, parts.op.loc,
      fmt::format("map #{} gives {} where {} has {} in dimension {}", k, extent,
                  context.describe(v), available, row),
      {{context.function.value(loop.operand).loc,
        fmt::format("loop d{} has its extent from {}", loop.dim, context.describe(loop.operand))},
       context.defined_here(v)});
}

// What every map reaches is inside its operand. A result that is a plain dim covers the dimension
// exactly; any other only has to stay inside.
void check_map_ranges(VerifyContext& context, const GenericParts& parts) {
  std::vector<int64_t> extents;
  for (const std::optional<int64_t>& extent : parts.extents)
    extents.push_back(*extent);
  const std::vector<size_t> sources = extent_sources(parts);
  for (size_t k = 0; k < parts.operands.size(); ++k) {
    const AffineMap& map = parts.generic.maps[k];
    for (unsigned row = 0; row < map.num_results(); ++row) {
      if (const std::optional<unsigned> dim = map.plain_dim(row))
        check_plain_row(context, parts, k, row, {*dim, parts.operands[sources[*dim]]});
      else
        check_row_range(context, parts, k, row, extents);
    }
  }
}

void check_block_arguments(VerifyContext& context, const GenericParts& parts) {
  const std::vector<ValueId>& args = parts.generic.body.args;
  if (args.size() != parts.operands.size())
    context.error(DiagId::BlockArgumentCount, parts.generic.body.loc,
                  fmt::format("the body has {} where the generic has {}",
                              plural(args.size(), "block argument"),
                              plural(parts.operands.size(), "operand")));
  for (size_t k = 0; k < std::min(args.size(), parts.operands.size()); ++k) {
    const ElementType element = context.type(parts.operands[k]).element;
    if (context.type(args[k]) != scalar_type(element))
      context.error(DiagId::BlockArgumentType, context.function.value(args[k]).loc,
                    fmt::format("block argument #{} is {} where {} holds {}", k,
                                context.describe(args[k]), context.describe(parts.operands[k]),
                                spelling(element)),
                    {context.defined_here(parts.operands[k])});
  }
}

void check_yields(VerifyContext& context, const GenericParts& parts, uint64_t body_scope) {
  const GenericOp& generic = parts.generic;
  const std::vector<ValueId>& yields = generic.body.yields;
  const Loc loc = generic.body.yield_loc == Loc{} ? generic.body.loc : generic.body.yield_loc;
  for (ValueId v : yields)
    context.check_body_use(v, body_scope, loc);
  if (yields.size() != generic.inits.size())
    context.error(DiagId::YieldCount, loc,
                  fmt::format("linalg.yield has {} where the generic has {}",
                              plural(yields.size(), "value"),
                              plural(generic.inits.size(), "init")));
  for (size_t k = 0; k < std::min(yields.size(), generic.inits.size()); ++k) {
    const ElementType element = context.type(generic.inits[k]).element;
    if (context.type(yields[k]) != scalar_type(element))
      context.error(DiagId::YieldType, loc,
                    fmt::format("value #{} of linalg.yield is {} where {} holds {}", k,
                                context.describe(yields[k]), context.describe(generic.inits[k]),
                                spelling(element)),
                    {context.defined_here(yields[k]), context.defined_here(generic.inits[k])});
  }
}

void check_body_inst(VerifyContext& context, const GenericParts& parts, const ScalarInst& inst,
                     uint64_t body_scope) {
  for (unsigned k = 0; k < info(inst.op).arity; ++k)
    context.check_body_use(inst.operands[k], body_scope, inst.loc);
  const size_t loops = parts.generic.iterators.size();
  if (inst.op == ScalarOp::LoopIndex && inst.immediate >= loops)
    context.error(DiagId::IndexDim, inst.loc,
                  fmt::format("linalg.index asks for loop {} where the generic has {}",
                              inst.immediate, plural(loops, "loop")));
  verify_scalar_types(context, inst);
  context.define(inst.result, body_scope, inst.loc);
}

} // namespace

void verify_generic(VerifyContext& context, OpId id, const GenericOp& generic) {
  GenericParts parts{context.function.op(id), generic, generic.inputs,
                     inferred_extents(context.function, generic)};
  parts.operands.insert(parts.operands.end(), generic.inits.begin(), generic.inits.end());

  check_operand_kinds(context, parts);
  if (check_map_shapes(context, parts) && check_extents_known(context, parts))
    check_map_ranges(context, parts);
  check_results_match(context, parts.op, generic.inits);

  const uint64_t body_scope = VerifyContext::kBody + id.index;
  for (ValueId arg : generic.body.args)
    context.define(arg, body_scope, context.function.value(arg).loc);
  check_block_arguments(context, parts);
  for (const ScalarInst& inst : generic.body.insts)
    check_body_inst(context, parts, inst, body_scope);
  check_yields(context, parts, body_scope);
}

} // namespace mo

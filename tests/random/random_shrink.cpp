#include <algorithm>

#include "ir/verify.h"
#include "ir/walk.h"
#include "tests/random/random_body.h"
#include "tests/random/random_check.h"

namespace mo::testing {
namespace {

using Fails = std::function<bool(const RandomProgram&)>;

bool is_valid(const Function& f) {
  Diagnostics diagnostics;
  verify(f, Level::Tensor, diagnostics);
  return !diagnostics.has_errors();
}

// Keeps the candidate if it is a valid program that still fails.
bool keep_if_it_fails(RandomProgram& best, Function candidate, const Fails& fails) {
  compact(candidate);
  if (!is_valid(candidate))
    return false;
  RandomProgram smaller{std::move(candidate), best.numbers};
  if (!fails(smaller))
    return false;
  best = std::move(smaller);
  return true;
}

// Op k goes; its results, where somebody uses them, come from outside instead.
bool drop_op(RandomProgram& best, size_t k, const Fails& fails) {
  if (best.function.ops[k].is<ReturnOp>())
    return false;
  Function candidate = best.function;
  const DefUse uses(candidate);
  for (ValueId v : candidate.ops[k].results) {
    if (uses.uses_of(v).empty())
      continue;
    candidate.args.push_back({v, std::nullopt, false});
    candidate.value(v).name += std::to_string(v.index); // results of one op share a name
  }
  candidate.ops[k].results.clear();
  candidate.ops[k].kind = ErasedOp{};
  return keep_if_it_fails(best, std::move(candidate), fails);
}

bool drop_returned(RandomProgram& best, size_t k, const Fails& fails) {
  Function candidate = best.function;
  auto& values = candidate.ops.back().as<ReturnOp>()->values;
  values.erase(values.begin() + static_cast<ptrdiff_t>(k));
  candidate.result_types.erase(candidate.result_types.begin() + static_cast<ptrdiff_t>(k));
  return keep_if_it_fails(best, std::move(candidate), fails);
}

bool drop_argument(RandomProgram& best, size_t k, const Fails& fails) {
  Function candidate = best.function;
  if (!DefUse(candidate).uses_of(candidate.args[k].value).empty())
    return false;
  candidate.args.erase(candidate.args.begin() + static_cast<ptrdiff_t>(k));
  return keep_if_it_fails(best, std::move(candidate), fails);
}

// Inst i of a body becomes a constant.
bool flatten_inst(RandomProgram& best, size_t op, size_t i, const Fails& fails) {
  Function candidate = best.function;
  ScalarInst& inst = candidate.ops[op].as<GenericOp>()->body.insts[i];
  if (inst.op == ScalarOp::Constant)
    return false;
  const ValueId result = inst.result;
  inst = ScalarInst{};
  inst.result = result;
  inst.immediate = small_number(candidate.type(result).element, 1);
  return keep_if_it_fails(best, std::move(candidate), fails);
}

bool drop_dead_insts(RandomProgram& best, size_t op, const Fails& fails) {
  Function candidate = best.function;
  Body& body = candidate.ops[op].as<GenericOp>()->body;
  std::vector<char> used(candidate.values.size(), 0);
  for (ValueId y : body.yields)
    used[y.index] = 1;
  std::vector<ScalarInst> kept;
  for (size_t i = body.insts.size(); i-- > 0;) {
    const ScalarInst& inst = body.insts[i];
    if (!used[inst.result.index])
      continue;
    for (unsigned n = 0; n < info(inst.op).arity; ++n)
      used[inst.operands[n].index] = 1;
    kept.insert(kept.begin(), inst);
  }
  if (kept.size() == body.insts.size())
    return false;
  body.insts = std::move(kept);
  return keep_if_it_fails(best, std::move(candidate), fails);
}

// An extent becomes smaller wherever it occurs.
bool shrink_extent(RandomProgram& best, int64_t from, int64_t to, const Fails& fails) {
  Function candidate = best.function;
  for (Value& v : candidate.values)
    std::replace(v.type.shape.begin(), v.type.shape.end(), from, to);
  for (Type& t : candidate.result_types)
    std::replace(t.shape.begin(), t.shape.end(), from, to);
  return keep_if_it_fails(best, std::move(candidate), fails);
}

bool shrink_ops(RandomProgram& best, const Fails& fails) {
  bool smaller = false;
  for (size_t k = best.function.ops.size(); k-- > 0;)
    smaller |= k < best.function.ops.size() && drop_op(best, k, fails);
  for (size_t k = best.function.result_types.size(); k-- > 0;)
    smaller |= drop_returned(best, k, fails);
  for (size_t k = best.function.args.size(); k-- > 0;)
    smaller |= drop_argument(best, k, fails);
  return smaller;
}

bool shrink_bodies(RandomProgram& best, const Fails& fails) {
  bool smaller = false;
  for (size_t op = 0; op < best.function.ops.size(); ++op) {
    const auto insts = [&]() -> size_t {
      const auto* g = best.function.ops[op].as<GenericOp>();
      return g ? g->body.insts.size() : 0;
    };
    if (insts() > 0)
      smaller |= drop_dead_insts(best, op, fails);
    for (size_t i = insts(); i-- > 0;)
      smaller |= flatten_inst(best, op, i, fails);
  }
  return smaller;
}

bool shrink_extents(RandomProgram& best, const Fails& fails) {
  std::vector<int64_t> extents;
  for (const Value& v : best.function.values)
    extents.insert(extents.end(), v.type.shape.begin(), v.type.shape.end());
  std::sort(extents.begin(), extents.end());
  extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
  bool smaller = false;
  for (int64_t from : extents)
    for (int64_t to : {from / 2, from - 1})
      if (to > 0 && to < from && shrink_extent(best, from, to, fails)) {
        smaller = true;
        break;
      }
  return smaller;
}

} // namespace

RandomProgram shrink(RandomProgram program, const Fails& fails) {
  while (shrink_ops(program, fails) | shrink_bodies(program, fails) |
         shrink_extents(program, fails)) {
  }
  return program;
}

} // namespace mo::testing

#include "passes/uses.h"

#include <algorithm>

#include "ir/walk.h"

namespace mo {

// Calls f once per value that the op names, its body's own values included.
template <class F> static void for_each_mention(const Op& op, F f) {
  const auto* generic = op.as<GenericOp>();
  if (!generic) {
    for_each_operand(op, [&](ValueId v, Role, unsigned) { f(v); });
    return;
  }
  for (ValueId v : generic->inputs)
    f(v);
  for (ValueId v : generic->inits)
    f(v);
  for (const ScalarInst& inst : generic->body.insts)
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      f(inst.operands[k]);
  for (ValueId v : generic->body.yields)
    f(v);
}

Uses::Uses(const Function& function)
    : defs_(function.values.size()), counts_(function.values.size(), 0),
      first_user_(function.values.size() + 1, 0), joined_(function.ops.size()) {
  std::vector<bool> function_level(function.values.size(), false);
  for (const Argument& arg : function.args)
    function_level[arg.value.index] = true;
  for (uint32_t i = 0; i < function.ops.size(); ++i) {
    joined_[i] = i;
    for (ValueId result : function.ops[i].results) {
      defs_[result.index] = OpId{i};
      function_level[result.index] = true;
    }
    for_each_mention(function.ops[i], [&](ValueId v) { ++counts_[v.index]; });
  }
  // A counting sort by value: the users of v lie at [first_user_[v], first_user_[v + 1]).
  for (size_t v = 0; v < counts_.size(); ++v)
    first_user_[v + 1] = first_user_[v] + (function_level[v] ? counts_[v] : 0);
  users_.resize(first_user_.back());
  std::vector<uint32_t> next(first_user_.begin(), first_user_.end() - 1);
  for (uint32_t i = 0; i < function.ops.size(); ++i)
    for_each_mention(function.ops[i], [&](ValueId v) {
      if (function_level[v.index])
        users_[next[v.index]++] = OpId{i};
    });
}

uint32_t Uses::count_results(const Op& op) const {
  uint32_t sum = 0;
  for (ValueId result : op.results)
    sum += count(result);
  return sum;
}

void Uses::drop_uses_by(const Op& op) {
  for_each_mention(op, [&](ValueId v) { drop_use(v); });
}

void Uses::add_uses_by(const Op& op) {
  for_each_mention(op, [&](ValueId v) { ++counts_[v.index]; });
}

std::span<const OpId> Uses::users_of(ValueId v) const {
  return std::span(users_).subspan(first_user_[v.index],
                                   first_user_[v.index + 1] - first_user_[v.index]);
}

// Halves the path on the way: amortized, a walk takes near-constant time.
OpId Uses::resolve(OpId op) const {
  uint32_t i = op.index;
  while (joined_[i] != i) {
    joined_[i] = joined_[joined_[i]];
    i = joined_[i];
  }
  return OpId{i};
}

OpId Uses::user_other_than(const Function& function, const Op& op, OpId user) const {
  for (ValueId result : op.results)
    for (OpId entry : users_of(result)) {
      OpId now = resolve(entry);
      if (now != user && !function.op(now).is<ErasedOp>())
        return now;
    }
  return user;
}

std::string display_name(const Function& function, const Uses& uses, ValueId v) {
  std::string name = "%" + function.value(v).name;
  OpId def = uses.def(v);
  if (!def.valid() || function.op(def).results.size() < 2)
    return name;
  const std::vector<ValueId>& results = function.op(def).results;
  auto number = std::find(results.begin(), results.end(), v) - results.begin();
  return name + "#" + std::to_string(number);
}

std::string display_name(const Function& function, OpId op) {
  const Op& o = function.op(op);
  if (o.results.empty())
    return std::string(spelling(o));
  return "%" + function.value(o.results[0]).name;
}

bool is_pure(const Op& op) {
  if (op.results.empty())
    return false;
  return op.is<GenericOp>() || op.is<FillOp>() || op.is<DenseOp>() || op.is<EmptyOp>() ||
         op.is<ToTensorOp>() || op.is<ScalarInst>();
}

void drop_erased_ops(Function& function) {
  std::erase_if(function.ops, [](const Op& op) { return op.is<ErasedOp>(); });
}

} // namespace mo

#include "passes/bufferize.h"

#include <deque>
#include <utility>

#include "passes/bufferize_remarks.h"

namespace mo {

namespace {

struct ReasonRow {
  std::string_view id, sentence;
};

constexpr ReasonRow kReasons[] = {
#define REASON(Name, Id, Sentence) {Id, Sentence},
#include "passes/bufferize_reasons.def"
};

// A returned scalar becomes a tensor of one element, and so an out-parameter like every other
// result.
void return_scalars_in_tensors(Function& function) {
  Op ret = std::move(function.ops.back());
  function.ops.pop_back();
  for (size_t k = 0; k < function.result_types.size(); ++k) {
    ValueId& returned = ret.as<ReturnOp>()->values[k];
    if (!function.type(returned).is_scalar())
      continue;
    const Type type = tensor_type({}, function.type(returned).element);
    const std::string name = function.value(returned).name;
    const ValueId empty = function.add_value(name + "_e", type, ret.loc);
    const ValueId filled = function.add_value(name + "_out", type, ret.loc);
    function.ops.push_back({ret.loc, {empty}, EmptyOp{}});
    function.ops.push_back({ret.loc, {filled}, FillOp{returned, empty}});
    function.result_types[k] = type;
    returned = filled;
  }
  function.ops.push_back(std::move(ret));
}

/// A sharing that the observer agreed to.
struct Taken {
  OpId op;
  std::string what;
  Remark because;
};

} // namespace

std::string_view spelling(BufferReason reason) {
  return kReasons[static_cast<size_t>(reason)].id;
}
std::string_view sentence(BufferReason reason) {
  return kReasons[static_cast<size_t>(reason)].sentence;
}
unsigned num_buffer_reasons() {
  return std::size(kReasons);
}

void bufferize(Function& function, BufferizeMode mode, Observer& observer) {
  if (level_of(function) == Level::Buffer)
    return;
  return_scalars_in_tensors(function);
  const DefUse uses(function);
  std::deque<Taken> taken;
  const auto allow = [&](const InitDecision& decision) {
    const Taken asked{decision.op, describe_rewrite(function, uses, decision),
                      init_remark(function, uses, mode, decision)};
    const Rewrite rewrite{pass_name(mode), asked.op, asked.what, &asked.because};
    if (!observer.may_rewrite(rewrite, function))
      return false;
    taken.push_back(asked);
    return true;
  };
  const BufferPlan plan = plan_bufferization(function, mode, allow);
  for (const Remark& remark : buffer_remarks(function, plan))
    observer.remark(remark);
  const std::vector<OpId> moved_to = apply_bufferization(function, plan);
  for (const Taken& it : taken)
    observer.rewrote({pass_name(mode), moved_to[it.op.index], it.what, &it.because}, function);
}

} // namespace mo

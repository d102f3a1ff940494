#include "passes/bufferize.h"

#include <utility>
#include <vector>

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

/// Asks the observer about each sharing, and shows it what the function would be (see bufferize).
class SharingSteps {
public:
  SharingSteps(const Function& function, BufferizeMode mode, Observer& observer)
      : function_(function), mode_(mode), observer_(observer), uses_(function) {}

  bool ask(const InitDecision& decision) {
    const bool looks = observer_.looks_at_functions();
    if (looks && !is_current_)
      show_answers();
    const std::string what = describe_rewrite(function_, uses_, decision);
    const Remark because = init_remark(function_, uses_, mode_, decision);
    const auto rewrite = [&] {
      return Rewrite{pass_name(mode_), looks ? moved_to_[decision.op.index] : decision.op, what,
                     &because};
    };
    const bool yes = observer_.may_rewrite(rewrite(), looks ? view_ : function_);
    answers_.push_back(yes);
    if (!yes)
      return false; // as all later ones are left out in the view, it is the same
    is_current_ = false;
    if (looks)
      show_answers();
    observer_.rewrote(rewrite(), looks ? view_ : function_);
    return true;
  }

  void refused(const InitDecision& decision) const {
    observer_.attempt(init_remark(function_, uses_, mode_, decision));
  }

private:
  // Planning asks the same questions again as long as it gets the same answers.
  void show_answers() {
    size_t asked = 0;
    const BufferPlan plan = plan_bufferization(function_, mode_,
                                               {[&](const InitDecision&) {
                                                  const size_t n = asked++;
                                                  return n < answers_.size() && answers_[n];
                                                },
                                                {}});
    view_ = function_;
    moved_to_ = apply_bufferization(view_, plan);
    is_current_ = true;
    for (size_t i = moved_to_.size(); i-- > 0;) // the return is always there
      if (!moved_to_[i].valid())
        moved_to_[i] = moved_to_[i + 1];
  }

  const Function& function_; // on tensors
  BufferizeMode mode_;
  Observer& observer_;
  const DefUse uses_;
  std::vector<bool> answers_;
  Function view_;              // the function as the answers leave it; made when somebody looks
  std::vector<OpId> moved_to_; // by OpId::index in function_: the op in the view, or the next
  bool is_current_ = false;    // the view knows all answers
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
  SharingSteps steps(function, mode, observer);
  SharingListener listener;
  listener.allow = [&](const InitDecision& decision) { return steps.ask(decision); };
  if (observer.wants_attempts())
    listener.refused = [&](const InitDecision& decision) { steps.refused(decision); };
  const BufferPlan plan = plan_bufferization(function, mode, listener);
  for (const Remark& remark : buffer_remarks(function, plan))
    observer.remark(remark);
  apply_bufferization(function, plan);
}

} // namespace mo

#include "passes/bufferize.h"

#include <deque>

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

// Is it legal to fuse this edge? And is it worth it?
#include <algorithm>
#include <optional>

#include "ir/walk.h"
#include "passes/fuse.h"
#include "passes/loop_cover.h"

namespace mo {

std::string_view spelling(FusionReason reason) {
  switch (reason) {
  case FusionReason::ProducerNotGeneric: return "producer-not-generic";
  case FusionReason::ProducerHasReduction: return "producer-has-reduction";
  case FusionReason::ProducerReadsInit: return "producer-reads-init";
  case FusionReason::InitOperand: return "init-operand";
  case FusionReason::OtherUse: return "other-use";
  case FusionReason::WriteNotPermutation: return "write-not-permutation";
  case FusionReason::NonPlainRead: return "non-plain-read";
  case FusionReason::DiagonalRead: return "diagonal-read";
  case FusionReason::TransposedRead: return "transposed-read";
  case FusionReason::LoopLosesExtent: return "loop-loses-extent";
  case FusionReason::ExpensiveRecompute: return "expensive-recompute";
  }
  return {};
}

namespace {

/// One edge under examination: each check fills in the plan a little more, or refuses.
class Planner {
public:
  Planner(const Function& function, const Uses& uses, OpId consumer, unsigned operand,
          FusionMode mode)
      : function_(function), uses_(uses), mode_(mode), c_(*function.op(consumer).as<GenericOp>()),
        value_(operand < c_.inputs.size() ? c_.inputs[operand]
                                          : c_.inits[operand - c_.inputs.size()]) {
    plan_.consumer = consumer;
    plan_.operand = operand;
    plan_.producer = uses.def(value_);
    if (plan_.producer.valid())
      p_ = function.op(plan_.producer).as<GenericOp>();
    plan_.read = c_.maps[operand];
    if (!p_)
      return;
    const std::vector<ValueId>& results = function.op(plan_.producer).results;
    plan_.result =
        static_cast<unsigned>(std::find(results.begin(), results.end(), value_) - results.begin());
    plan_.write = p_->maps[p_->inputs.size() + plan_.result];
  }

  FusionVerdict verdict() {
    if (!p_)
      return refuse(FusionReason::ProducerNotGeneric);
    for (unsigned loop = 0; loop < p_->iterators.size(); ++loop)
      if (p_->iterators[loop] != IteratorType::Parallel)
        return refuse(FusionReason::ProducerHasReduction, loop);
    if (mode_ == FusionMode::Strict)
      for (unsigned init = 0; init < p_->inits.size(); ++init)
        if (reads_init(init))
          return refuse(FusionReason::ProducerReadsInit, init);

    if (plan_.operand >= c_.inputs.size())
      return refuse(FusionReason::InitOperand);
    const Op& producer = function_.op(plan_.producer);
    if (uses_.count_results(producer) != 1)
      return refuse_other_use(producer);
    if (!plan_.write.is_permutation())
      return refuse(FusionReason::WriteNotPermutation);

    // consumer loops -> element of the value -> producer loops
    plan_.loops = compose(inverse_permutation(plan_.write), plan_.read);
    if (mode_ == FusionMode::Strict) {
      if (std::optional<FusionRefusal> refusal = check_loops_line_up())
        return *refusal;
    } else {
      choose_kept_results();
      if (std::optional<FusionRefusal> refusal = check_kept_inits_visited_once())
        return *refusal;
    }
    if (std::optional<FusionRefusal> refusal = check_extents())
      return *refusal;
    return plan_;
  }

private:
  FusionRefusal refuse(FusionReason reason, unsigned number = 0) const {
    FusionRefusal refusal;
    refusal.reason = reason;
    refusal.consumer = plan_.consumer;
    refusal.operand = plan_.operand;
    refusal.producer = plan_.producer;
    refusal.write = plan_.write;
    refusal.read = plan_.read;
    refusal.loops = plan_.loops;
    refusal.number = number;
    return refusal;
  }

  FusionRefusal refuse_other_use(const Op& producer) const {
    FusionRefusal refusal = refuse(FusionReason::OtherUse);
    refusal.other_user = uses_.user_other_than(function_, producer, plan_.consumer);
    if (refusal.other_user == plan_.consumer)
      for (unsigned k = 0; k < c_.maps.size(); ++k) {
        ValueId v = k < c_.inputs.size() ? c_.inputs[k] : c_.inits[k - c_.inputs.size()];
        if (k != plan_.operand && uses_.def(v) == plan_.producer) {
          refusal.other_operand = k;
          break;
        }
      }
    return refusal;
  }

  bool reads_init(unsigned init) const {
    return uses_.count(p_->body.args[p_->inputs.size() + init]) > 0;
  }

  // Strict: row i of `loops`, the index of producer loop i, is one plain loop of the consumer, and
  // they ascend. Loops of the consumer may be left out: a broadcast.
  std::optional<FusionRefusal> check_loops_line_up() const {
    // exercise: fusion-legality
    const AffineMap& loops = plan_.loops;
    std::vector<bool> seen(loops.num_dims(), false);
    for (unsigned row = 0; row < loops.num_results(); ++row)
      if (!loops.plain_dim(row))
        return refuse(FusionReason::NonPlainRead, row);
    for (unsigned row = 0; row < loops.num_results(); ++row) {
      if (seen[*loops.plain_dim(row)])
        return refuse(FusionReason::DiagonalRead, row);
      seen[*loops.plain_dim(row)] = true;
    }
    for (unsigned row = 1; row < loops.num_results(); ++row)
      if (*loops.plain_dim(row) < *loops.plain_dim(row - 1))
        return refuse(FusionReason::TransposedRead, row);
    return std::nullopt;
    // end of exercise
  }

  // Mlir: a result stays where the body reads its init, or where without its map the loop bounds
  // could not be told. For the second, mlir-opt asks whether the maps of producer and consumer
  // together name every d_i, in whichever space; and so do we.
  void choose_kept_results() {
    std::vector<unsigned> dropped;
    for (unsigned j = 0; j < p_->inits.size(); ++j) {
      dropped.push_back(j);
      if (reads_init(j) || !bounds_known_without(dropped)) {
        plan_.kept_results.push_back(j);
        dropped.pop_back();
      }
    }
  }

  bool bounds_known_without(const std::vector<unsigned>& dropped_inits) const {
    size_t num_loops = std::max(p_->iterators.size(), c_.iterators.size());
    if (num_loops == c_.iterators.size())
      return true; // the consumer's own maps name them all
    LoopCover cover(num_loops);
    for (const AffineMap& map : c_.maps)
      cover.add(map);
    for (unsigned k = 0; k < p_->maps.size() && !cover.complete(); ++k) {
      bool dropped = k >= p_->inputs.size() &&
                     std::find(dropped_inits.begin(), dropped_inits.end(), k - p_->inputs.size()) !=
                         dropped_inits.end();
      if (!dropped)
        cover.add(p_->maps[k]);
    }
    return cover.complete();
  }

  // Mlir: an init that is read and updated in the fused loops must be come by once per element, or
  // a later visit would read what an earlier one wrote. So the index must tell every loop of the
  // fused op that has more than one iteration. mlir-opt does not ask.
  std::optional<FusionRefusal> check_kept_inits_visited_once() const {
    for (unsigned j : plan_.kept_results) {
      if (!reads_init(j))
        continue;
      LoopCover cover(c_.iterators.size());
      cover.add(compose(p_->maps[p_->inputs.size() + j], plan_.loops));
      if (cover.complete())
        continue;
      const std::vector<int64_t> extents = loop_extents(function_, c_);
      for (unsigned d = 0; d < extents.size(); ++d)
        if (extents[d] > 1 && !cover.covers(d))
          return refuse(FusionReason::ProducerReadsInit, j);
    }
    return std::nullopt;
  }

  // Inits first: those of an elementwise consumer name every loop, and the rest need no look.
  std::optional<FusionRefusal> check_extents() const {
    LoopCover cover(c_.iterators.size());
    for (size_t k = c_.inputs.size(); k < c_.maps.size(); ++k)
      cover.add(c_.maps[k]);
    for (unsigned k = 0; k < c_.inputs.size() && !cover.complete(); ++k)
      if (k != plan_.operand)
        cover.add(c_.maps[k]);
    for (unsigned k = 0; k < p_->inputs.size() && !cover.complete(); ++k)
      cover.add(compose(p_->maps[k], plan_.loops));
    // mlir-opt does not count the kept inits where the consumer has a reduction.
    if (all_parallel(c_))
      for (unsigned j : plan_.kept_results)
        cover.add(compose(p_->maps[p_->inputs.size() + j], plan_.loops));
    if (cover.complete())
      return std::nullopt;
    return refuse(FusionReason::LoopLosesExtent, *cover.first_missing());
  }

  const Function& function_;
  const Uses& uses_;
  FusionMode mode_;
  const GenericOp& c_;
  const GenericOp* p_ = nullptr;
  ValueId value_;
  FusionPlan plan_;
};

} // namespace

FusionVerdict plan_fusion(const Function& function, const Uses& uses, OpId consumer,
                          unsigned operand, FusionMode mode) {
  return Planner(function, uses, consumer, operand, mode).verdict();
}

int64_t recompute_factor(const Function& function, const FusionPlan& plan) {
  int64_t factor = 1;
  std::vector<int64_t> extents; // of the consumer's loops, computed where one is left out
  for (unsigned d = 0; d < plan.loops.num_dims(); ++d) {
    if (plan.loops.uses_dim(d))
      continue;
    if (extents.empty())
      extents = loop_extents(function, *function.op(plan.consumer).as<GenericOp>());
    if (__builtin_mul_overflow(factor, std::max<int64_t>(extents[d], 1), &factor))
      return INT64_MAX;
  }
  return factor;
}

bool is_expensive(const Body& body) {
  return std::any_of(body.insts.begin(), body.insts.end(),
                     [](const ScalarInst& inst) { return info(inst.op).cost == Cost::Expensive; });
}

bool is_profitable(const Function& function, const FusionPlan& plan) {
  return recompute_factor(function, plan) == 1 ||
         !is_expensive(function.op(plan.producer).as<GenericOp>()->body);
}

FusionRefusal unprofitable(const Function& function, const FusionPlan& plan) {
  FusionRefusal refusal;
  refusal.reason = FusionReason::ExpensiveRecompute;
  refusal.consumer = plan.consumer;
  refusal.operand = plan.operand;
  refusal.producer = plan.producer;
  refusal.write = plan.write;
  refusal.read = plan.read;
  refusal.loops = plan.loops;
  refusal.times = recompute_factor(function, plan);
  return refusal;
}

} // namespace mo

// The fusion pass: which edges, in which order, to a fixed point.
#include "passes/fuse_driver.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "passes/merge_inputs.h"

namespace mo {

namespace {

/// Is there a computation behind the operand that a reader might expect to see fused? Arguments and
/// the contents of buffers are where a function's data comes from; an init that no generic computed
/// is a place to write to.
bool is_candidate(const Function& function, const Uses& uses, const GenericOp& op, unsigned k) {
  bool is_input = k < op.inputs.size();
  ValueId v = is_input ? op.inputs[k] : op.inits[k - op.inputs.size()];
  OpId def = uses.def(v);
  if (!def.valid() || function.op(def).is<ToTensorOp>() || !function.type(v).is_tensor())
    return false;
  return is_input || function.op(def).is<GenericOp>();
}

class Sweep {
public:
  Sweep(Function& function, FusionMode mode, RewriteLog& log)
      : function_(function), mode_(mode), log_(log), uses_(function), inputs_(function.ops.size()) {
  }

  /// One walk in program order. True: ops that died have taken away the second use of some
  /// producer, so that edges refused in this walk may fuse now.
  bool run() {
    for (uint32_t i = 0; i < function_.ops.size(); ++i)
      if (function_.ops[i].is<GenericOp>())
        visit(OpId{i});
    return second_use_died_;
  }

private:
  GenericOp& generic(OpId op) { return *function_.op(op).as<GenericOp>(); }

  // The producers of c are final: each had its own visit. So what was refused there for its maps
  // stays refused, and only inputs of c itself are candidates. One thing can change: an op used by
  // c and by a producer of c has one user once the two are one; merge() notices that.
  void visit(OpId c) {
    merge(c, whole(c), 0);
    if (log_.wants_attempts())
      announce_others(c);
    std::vector<std::pair<size_t, ValueId>> candidates;
    for (ValueId v : generic(c).inputs)
      if (has_single_use_producer(v))
        candidates.push_back({size_of(generic(uses_.def(v))), v});
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    todo_.clear();
    for (const auto& [size, v] : candidates)
      todo_.push_back(v);
    for (size_t next = 0; next < todo_.size(); ++next) // merge() adds to it
      fuse(c, todo_[next]);
  }

  // Edges that need no try, as somebody else uses what they read or no generic makes it.
  void announce_others(OpId c) {
    const GenericOp& op = generic(c);
    for (unsigned k = 0; k < op.maps.size(); ++k)
      if (is_candidate(function_, uses_, op, k) &&
          (k >= op.inputs.size() || !has_single_use_producer(op.inputs[k])))
        if (const FusionVerdict verdict = plan_fusion(function_, uses_, c, k, mode_);
            const auto* refusal = std::get_if<FusionRefusal>(&verdict))
          announce(*refusal);
  }

  void announce(const FusionRefusal& refusal) {
    const GenericOp& op = generic(refusal.consumer);
    const unsigned k = refusal.operand;
    log_.refused(describe(function_, uses_, refusal), function_.op(refusal.consumer).results[0],
                 k < op.inputs.size() ? op.body.args[k] : op.inits[k - op.inputs.size()]);
  }

  bool has_single_use_producer(ValueId v) const {
    OpId def = uses_.def(v);
    return def.valid() && function_.op(def).is<GenericOp>() &&
           uses_.count_results(function_.op(def)) == 1;
  }

  static size_t size_of(const GenericOp& op) { return op.body.insts.size() + op.inputs.size(); }

  void fuse(OpId c, ValueId value) {
    const std::vector<ValueId>& inputs = generic(c).inputs;
    auto operand =
        static_cast<unsigned>(std::find(inputs.begin(), inputs.end(), value) - inputs.begin());
    if (operand == inputs.size())
      return;
    FusionVerdict verdict = plan_fusion(function_, uses_, c, operand, mode_);
    const auto* plan = std::get_if<FusionPlan>(&verdict);
    const bool is_loss = plan && mode_ == FusionMode::Strict && !is_profitable(function_, *plan);
    if (!plan || is_loss) {
      if (log_.wants_attempts())
        announce(is_loss ? unprofitable(function_, *plan) : std::get<FusionRefusal>(verdict));
      return;
    }
    Proposal proposal{describe(function_, uses_, *plan), c,
                      fmt::format("fuse {} into {} at operand {}",
                                  display_name(function_, uses_, value), display_name(function_, c),
                                  operand),
                      function_.op(c).results[0], value};
    if (!log_.may_rewrite(proposal, function_))
      return;

    const size_t c_insts = generic(c).body.insts.size();
    const size_t p_inputs = generic(plan->producer).inputs.size();
    const bool p_is_larger = size_of(generic(plan->producer)) >= size_of(generic(c));
    const std::vector<ValueId> dropped_inits = account_for(*plan);
    apply_fusion(function_, *plan);
    for (ValueId init : dropped_inits) {
      erase_if_dead(uses_.def(init));
      second_use_died_ |= has_single_use_producer(init);
    }
    log_.rewrote(proposal, function_);

    merge_after_fusion(c, *plan, {p_inputs, c_insts, p_is_larger}, value);
  }

  struct Sizes {
    size_t p_inputs, c_insts; // before the fusion
    bool p_is_larger;         // inputs and instructions together
  };

  // The larger side's inputs are in its index already; the smaller side's are looked up there, and
  // it is the smaller side's body that then names another block argument.
  void merge_after_fusion(OpId c, const FusionPlan& plan, Sizes sizes, ValueId value) {
    const size_t first = plan.operand, last = plan.operand + sizes.p_inputs; // the producer's
    if (!plan.loops.is_identity()) { // the producer's maps are new
      inputs_[c.index] = {};
      merge(c, whole(c), 0);
    } else if (!sizes.p_is_larger) {
      inputs_[c.index].erase(value, plan.read);
      merge(c, {{first, last}}, 0);
    } else {
      inputs_[c.index] = std::move(inputs_[plan.producer.index]);
      merge(c, {{0, first}, {last, generic(c).inputs.size()}},
            generic(c).body.insts.size() - sizes.c_insts);
    }
  }

  // Brings uses_ to where apply_fusion will bring the function. Returns the inits that go.
  std::vector<ValueId> account_for(const FusionPlan& plan) {
    const Op& producer = function_.op(plan.producer);
    const GenericOp& p = generic(plan.producer);
    const GenericOp& c = generic(plan.consumer);
    std::vector<ValueId> dropped_inits;
    uses_.drop_use(c.inputs[plan.operand]);
    uses_.move_uses(c.body.args[plan.operand], p.body.yields[plan.result]);
    for (unsigned j = 0; j < p.inits.size(); ++j) {
      if (std::find(plan.kept_results.begin(), plan.kept_results.end(), j) !=
          plan.kept_results.end()) {
        uses_.define(producer.results[j], plan.consumer);
        continue;
      }
      uses_.drop_use(p.body.yields[j]);
      uses_.drop_use(p.inits[j]);
      dropped_inits.push_back(p.inits[j]);
    }
    uses_.join(plan.producer, plan.consumer);
    return dropped_inits;
  }

  void erase_if_dead(OpId first) {
    std::vector<OpId> stack{first};
    while (!stack.empty()) {
      OpId id = stack.back();
      stack.pop_back();
      if (!id.valid() || !is_pure(function_.op(id)) || uses_.count_results(function_.op(id)) > 0)
        continue;
      Op dead = std::move(function_.op(id));
      function_.op(id) = Op{dead.loc, {}, ErasedOp{}};
      uses_.drop_uses_by(dead);
      for_each_operand(dead, [&](ValueId v, Role, unsigned) {
        stack.push_back(uses_.def(v));
        second_use_died_ |= has_single_use_producer(v);
      });
    }
  }

  struct Interval {
    size_t begin, end;
  };
  std::vector<Interval> whole(OpId c) { return {{0, generic(c).inputs.size()}}; }

  // Merges the inputs in the intervals with equal ones of the op. Those in the intervals are not
  // mentioned before first_inst.
  void merge(OpId c, const std::vector<Interval>& intervals, size_t first_inst) {
    GenericOp& op = generic(c);
    std::vector<DuplicateInput> duplicates;
    for (Interval i : intervals)
      find_duplicates(op, static_cast<unsigned>(i.begin), static_cast<unsigned>(i.end),
                      inputs_[c.index], duplicates);
    if (duplicates.empty())
      return;
    Proposal proposal{{Remark::Kind::Passed,
                       "fuse",
                       fusion_remark::kMerged,
                       function_.name,
                       function_.op(c).loc,
                       describe_duplicates(function_, uses_, c, duplicates) + ": merged",
                       {}},
                      c,
                      fmt::format("merge equal inputs of {}", display_name(function_, c)),
                      function_.op(c).results[0],
                      op.inputs[duplicates[0].dropped]};
    if (!log_.may_rewrite(proposal, function_))
      return;
    std::vector<ValueId> merged;
    for (const DuplicateInput& d : duplicates) {
      uses_.drop_use(op.inputs[d.dropped]);
      uses_.move_uses(d.dropped_arg, d.kept_arg);
      merged.push_back(op.inputs[d.dropped]);
    }
    merge_inputs(op, duplicates, first_inst);
    log_.rewrote(proposal, function_);
    for (ValueId v : merged)
      if (has_single_use_producer(v))
        todo_.push_back(v);
  }

  Function& function_;
  FusionMode mode_;
  RewriteLog& log_;
  Uses uses_;
  std::vector<InputIndex> inputs_; // by OpId::index, of the generics visited so far
  std::vector<ValueId> todo_;      // inputs of the generic being visited that may fuse
  bool second_use_died_ = false;
};

} // namespace

bool fuse_sweeps(Function& function, FusionMode mode, RewriteLog& log) {
  const unsigned before = log.num_rewrites();
  while (Sweep(function, mode, log).run())
    drop_erased_ops(function);
  drop_erased_ops(function);
  return log.num_rewrites() != before;
}

void report_missed_fusions(const Function& function, FusionMode mode, RewriteLog& log) {
  const Uses uses(function);
  unsigned generics = 0, edges = 0;
  for (uint32_t i = 0; i < function.ops.size(); ++i) {
    const auto* op = function.ops[i].as<GenericOp>();
    if (!op)
      continue;
    ++generics;
    for (unsigned k = 0; k < op->maps.size(); ++k) {
      if (!is_candidate(function, uses, *op, k))
        continue;
      ++edges;
      FusionVerdict verdict = plan_fusion(function, uses, OpId{i}, k, mode);
      if (const auto* refusal = std::get_if<FusionRefusal>(&verdict)) {
        log.observer().remark(describe(function, uses, *refusal));
        continue;
      }
      const FusionPlan& plan = std::get<FusionPlan>(verdict);
      Remark remark = mode == FusionMode::Strict && !is_profitable(function, plan)
                          ? describe(function, uses, unprofitable(function, plan))
                          : left_out_remark(function, uses, plan);
      log.observer().remark(remark);
    }
  }
  if (log.num_rewrites() > 0)
    return;
  std::string why = generics == 0 ? "there is no linalg.generic"
                    : edges == 0
                        ? "no linalg.generic uses what another op computes"
                        : fmt::format("{} operand{} computed by another op, and none fuses", edges,
                                      edges == 1 ? " is" : "s are");
  log.observer().remark({Remark::Kind::Analysis,
                         "fuse",
                         fusion_remark::kNothing,
                         function.name,
                         function.loc,
                         std::move(why),
                         {}});
}

void fuse_elementwise(Function& function, FusionMode mode, Observer& observer) {
  RewriteLog log(observer);
  fuse_sweeps(function, mode, log);
  report_missed_fusions(function, mode, log);
  compact(function);
}

} // namespace mo

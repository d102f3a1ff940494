// What a verdict says to people.
#include <utility>

#include <fmt/format.h>

#include "ir/walk.h"
#include "passes/fuse.h"

namespace mo {

namespace {

std::string loop_list(const std::vector<unsigned>& loops) {
  std::string text;
  for (unsigned d : loops)
    text += fmt::format("{}d{}", text.empty() ? "" : ", ", d);
  return text;
}

std::string maps_of(const std::string& value, const AffineMap& write, const AffineMap& read) {
  return fmt::format("{} is written through {} and read through {}", value, to_string(write),
                     to_string(read));
}

ValueId operand_value(const GenericOp& op, unsigned k) {
  return k < op.inputs.size() ? op.inputs[k] : op.inits[k - op.inputs.size()];
}

std::string other_use(const Function& function, const FusionRefusal& r, const std::string& value,
                      const GenericOp& consumer) {
  std::string producer = display_name(function, r.producer);
  if (r.other_user != r.consumer)
    return fmt::format("{} reads {}, but {} is used by {} too and must be computed anyway",
                       display_name(function, r.consumer), value, producer,
                       display_name(function, r.other_user));
  return fmt::format("{} reads {} through {} and uses {} through {} too, as operand {}",
                     display_name(function, r.consumer), value, to_string(consumer.maps[r.operand]),
                     producer, to_string(consumer.maps[r.other_operand]), r.other_operand);
}

std::string message(const Function& function, const Uses& uses, const FusionRefusal& r) {
  const GenericOp& c = *function.op(r.consumer).as<GenericOp>();
  const std::string value = display_name(function, uses, operand_value(c, r.operand));
  const std::string maps = maps_of(value, r.write, r.read);
  const std::string loops = to_string(r.loops);
  switch (r.reason) {
  case FusionReason::ProducerNotGeneric:
    return fmt::format("{} comes from {}, and only a linalg.generic has a body to fuse", value,
                       r.producer.valid() ? spelling(function.op(r.producer)) : "an argument");
  case FusionReason::ProducerHasReduction:
    return fmt::format("{} is complete only after reduction loop d{} of its producer, and {} reads "
                       "it in every iteration",
                       value, r.number, display_name(function, r.consumer));
  case FusionReason::ProducerReadsInit: {
    const GenericOp& p = *function.op(r.producer).as<GenericOp>();
    return fmt::format("the producer of {} updates its init {} (through {}), which its body reads",
                       value, display_name(function, uses, p.inits[r.number]),
                       to_string(p.maps[p.inputs.size() + r.number]));
  }
  case FusionReason::InitOperand:
    return fmt::format("{} is an init of {}: it is updated, not read as an input", value,
                       display_name(function, r.consumer));
  case FusionReason::OtherUse: return other_use(function, r, value, c);
  case FusionReason::WriteNotPermutation:
    return fmt::format("{}: the write is not a permutation of the producer's loops", maps);
  case FusionReason::NonPlainRead:
    return fmt::format("{}: producer loop d{} would be no plain loop of the consumer, {}", maps,
                       r.number, loops);
  case FusionReason::DiagonalRead:
    return fmt::format("{}: one loop of the consumer would run two of the producer's, {}", maps,
                       loops);
  case FusionReason::TransposedRead:
    return fmt::format("{}: the consumer's loops would run the producer's out of order, {}", maps,
                       loops);
  case FusionReason::LoopLosesExtent:
    return fmt::format("{}: no other operand of the fused op would give loop d{} its extent", maps,
                       r.number);
  case FusionReason::ExpensiveRecompute:
    return fmt::format("{}: the producer's body holds a division or a math function and would "
                       "compute each element {} times, {}",
                       maps, r.times, loops);
  }
  return {};
}

} // namespace

Remark describe(const Function& function, const Uses& uses, const FusionRefusal& r) {
  Remark remark{Remark::Kind::Missed,
                "fuse",
                spelling(r.reason),
                function.name,
                function.op(r.consumer).loc,
                message(function, uses, r),
                {}};
  if (r.producer.valid())
    remark.notes.push_back({function.op(r.producer).loc, "the producer is here"});
  if (r.reason == FusionReason::OtherUse && r.other_user != r.consumer)
    remark.notes.push_back({function.op(r.other_user).loc, "the other user is here"});
  if (r.reason == FusionReason::ExpensiveRecompute)
    for (const ScalarInst& inst : function.op(r.producer).as<GenericOp>()->body.insts)
      if (info(inst.op).cost == Cost::Expensive) {
        remark.notes.push_back({inst.loc, fmt::format("{} is expensive", info(inst.op).spelling)});
        break;
      }
  return remark;
}

Remark describe(const Function& function, const Uses& uses, const FusionPlan& plan) {
  const GenericOp& c = *function.op(plan.consumer).as<GenericOp>();
  std::string value = display_name(function, uses, c.inputs[plan.operand]);
  std::string text = fmt::format(
      "{} fused into {} at operand {}: {}, so {}", value, display_name(function, plan.consumer),
      plan.operand, maps_of(value, plan.write, plan.read),
      plan.loops.is_identity() ? "the loops are the same"
                               : "its loops run as " + to_string(plan.loops));
  std::vector<unsigned> left_out;
  for (unsigned d = 0; d < plan.loops.num_dims(); ++d)
    if (!plan.loops.uses_dim(d))
      left_out.push_back(d);
  if (!left_out.empty())
    text += fmt::format(", computed again along {}", loop_list(left_out));
  return {Remark::Kind::Passed,
          "fuse",
          fusion_remark::kFused,
          function.name,
          function.op(plan.consumer).loc,
          std::move(text),
          {{function.op(plan.producer).loc, "the producer was here"}}};
}

Remark left_out_remark(const Function& function, const Uses& uses, const FusionPlan& plan) {
  const GenericOp& c = *function.op(plan.consumer).as<GenericOp>();
  return {Remark::Kind::Missed,
          "fuse",
          fusion_remark::kLeftOut,
          function.name,
          function.op(plan.consumer).loc,
          fmt::format("{} could be fused into {} at operand {}, but was left out on request",
                      display_name(function, uses, c.inputs[plan.operand]),
                      display_name(function, plan.consumer), plan.operand),
          {{function.op(plan.producer).loc, "the producer is here"}}};
}

} // namespace mo

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

std::string other_use(const Function& function, const FusionRefusal& r, const std::string& maps) {
  std::string consumer = display_name(function, r.consumer);
  std::string producer = display_name(function, r.producer);
  if (r.other_user != r.consumer)
    return fmt::format("{} by {}, but {} is used by {} too and must be computed anyway", maps,
                       consumer, producer, display_name(function, r.other_user));
  const GenericOp& c = *function.op(r.consumer).as<GenericOp>();
  return fmt::format("{} by {}, which uses {} through {} too, as operand {}", maps, consumer,
                     producer, to_string(c.maps[r.other_operand]), r.other_operand);
}

std::string message(const Function& function, const Uses& uses, const FusionRefusal& r) {
  const GenericOp& c = *function.op(r.consumer).as<GenericOp>();
  const std::string value = display_name(function, uses, operand_value(c, r.operand));
  const std::string maps = maps_of(value, r.write, r.read);
  const std::string loops = to_string(r.loops);
  switch (r.reason) {
  case FusionReason::ProducerNotGeneric:
    return fmt::format(
        "{}, read through {}, comes from {}, and only a linalg.generic has a body to "
        "fuse",
        value, to_string(r.read),
        r.producer.valid() ? spelling(function.op(r.producer)) : "an argument");
  case FusionReason::ProducerHasReduction:
    return fmt::format("{}: it is complete only after reduction loop d{} of its producer, and {} "
                       "reads it in every iteration",
                       maps, r.number, display_name(function, r.consumer));
  case FusionReason::ProducerReadsInit: {
    const GenericOp& p = *function.op(r.producer).as<GenericOp>();
    return fmt::format("{}: its producer updates the init {} (through {}), which the body reads",
                       maps, display_name(function, uses, p.inits[r.number]),
                       to_string(p.maps[p.inputs.size() + r.number]));
  }
  case FusionReason::InitOperand:
    return fmt::format("{} is written through {} and is an init of {}, through {}: it is updated, "
                       "not read as an input",
                       value, to_string(r.write), display_name(function, r.consumer),
                       to_string(r.read));
  case FusionReason::OtherUse: return other_use(function, r, maps);
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

// What every verdict has: the edge and its maps. `aligned`: the loops are known too.
template <class Verdict>
std::vector<Fact> edge_facts(const Function& function, const Uses& uses, const Verdict& v,
                             bool aligned = true) {
  const Op& consumer = function.op(v.consumer);
  const ValueId value = operand_value(*consumer.as<GenericOp>(), v.operand);
  std::vector<Fact> facts = {{"Value", display_name(function, uses, value)}};
  if (v.producer.valid())
    facts.push_back(
        {"Producer", std::string(spelling(function.op(v.producer))), function.op(v.producer).loc});
  facts.push_back({"Consumer", display_name(function, v.consumer), consumer.loc});
  facts.push_back({"Operand", std::to_string(v.operand)});
  if (v.producer.valid() && function.op(v.producer).template is<GenericOp>())
    facts.push_back({"WriteMap", to_string(v.write)});
  facts.push_back({"ReadMap", to_string(v.read)});
  if (aligned)
    facts.push_back({"LoopMap", to_string(v.loops)});
  return facts;
}

std::vector<unsigned> loops_left_out(const FusionPlan& plan) {
  std::vector<unsigned> left_out;
  for (unsigned d = 0; d < plan.loops.num_dims(); ++d)
    if (!plan.loops.uses_dim(d))
      left_out.push_back(d);
  return left_out;
}

// The conditions in the order of FusionReason.
std::vector<std::string> grounds_of(const Function& function, const std::string& value,
                                    const FusionPlan& plan) {
  const std::string consumer = display_name(function, plan.consumer);
  std::vector<std::string> grounds = {
      fmt::format("{} comes from a linalg.generic whose loops are all parallel", value),
      plan.kept_results.empty()
          ? std::string("its body does not need what was in its init before")
          : fmt::format("{} of its results are still computed, each element once",
                        plan.kept_results.size()),
      fmt::format("{} reads it as an input, and nobody else uses it", consumer),
      fmt::format("the producer writes it through {}: each loop point another element, all of them",
                  to_string(plan.write)),
      fmt::format("{} reads it through {}; inverse(write) after read takes its loops to those of "
                  "the producer: {}",
                  consumer, to_string(plan.read), to_string(plan.loops)),
      "every loop still gets its extent from some other operand"};
  if (plan.loops.is_identity())
    grounds.push_back("the loops are the same, so each element is computed once, as before");
  else if (const std::vector<unsigned> again = loops_left_out(plan); !again.empty())
    grounds.push_back(fmt::format("each element is computed {} times, along {}",
                                  recompute_factor(function, plan), loop_list(again)));
  return grounds;
}

} // namespace

Remark describe(const Function& function, const Uses& uses, const FusionRefusal& r) {
  Remark remark{Remark::Kind::Missed,
                "fuse",
                spelling(r.reason),
                function.name,
                function.op(r.consumer).loc,
                message(function, uses, r),
                {},
                edge_facts(function, uses, r, r.reason > FusionReason::WriteNotPermutation)};
  if (r.producer.valid())
    remark.notes.push_back({function.op(r.producer).loc, "the producer is here"});
  if (r.reason == FusionReason::OtherUse && r.other_user != r.consumer) {
    const Loc loc = function.op(r.other_user).loc;
    remark.notes.push_back({loc, "the other user is here"});
    remark.facts.push_back({"OtherUser", display_name(function, r.other_user), loc});
  }
  if (r.reason == FusionReason::ExpensiveRecompute)
    remark.facts.push_back({"Times", std::to_string(r.times)});
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
  if (const std::vector<unsigned> again = loops_left_out(plan); !again.empty())
    text += fmt::format(", computed again along {}", loop_list(again));
  return {Remark::Kind::Passed,
          "fuse",
          fusion_remark::kFused,
          function.name,
          function.op(plan.consumer).loc,
          std::move(text),
          {{function.op(plan.producer).loc, "the producer was here"}},
          edge_facts(function, uses, plan),
          grounds_of(function, value, plan)};
}

Remark left_out_remark(const Function& function, const Uses& uses, const FusionPlan& plan) {
  const GenericOp& c = *function.op(plan.consumer).as<GenericOp>();
  return {Remark::Kind::Missed,
          "fuse",
          fusion_remark::kLeftOut,
          function.name,
          function.op(plan.consumer).loc,
          fmt::format(
              "{}: it could be fused into {} at operand {}, but was left out on request",
              maps_of(display_name(function, uses, c.inputs[plan.operand]), plan.write, plan.read),
              display_name(function, plan.consumer), plan.operand),
          {{function.op(plan.producer).loc, "the producer is here"}},
          edge_facts(function, uses, plan)};
}

} // namespace mo

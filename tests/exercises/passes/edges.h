// Programs of one producer and one consumer, for tests of fusion.
#pragma once

#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/print.h"
#include "passes/fuse.h"
#include "tests/ir/from_text.h"

namespace mo::exercise {

/// "affine_map<...>, affine_map<...>"
inline std::string map_list(const std::vector<std::string>& maps) {
  std::string text;
  for (const std::string& map : maps)
    text += (text.empty() ? "affine_map<" : ", affine_map<") + map + ">";
  return text;
}

/// "parallel", ... once per dim of the map.
inline std::string parallel_loops(const std::string& map) {
  const std::string dims = map.substr(0, map.find("->"));
  std::string text;
  for (size_t at = dims.find('d'); at != std::string::npos; at = dims.find('d', at + 1))
    text += text.empty() ? "\"parallel\"" : ", \"parallel\"";
  return text;
}

/// The n-th generic of the function.
inline OpId generic_at(const Function& function, unsigned n) {
  for (uint32_t i = 0; i < function.ops.size(); ++i)
    if (function.ops[i].is<GenericOp>() && n-- == 0)
      return OpId{i};
  return {};
}

/// The plan for the edge from the first generic to the second one's input, with `loops` (consumer
/// loops -> producer loops) as given: what plan_fusion would return, without asking it.
inline FusionPlan plan_of(const Function& function, unsigned operand, const AffineMap& loops) {
  FusionPlan plan;
  plan.producer = generic_at(function, 0);
  plan.consumer = generic_at(function, 1);
  plan.operand = operand;
  plan.loops = loops;
  const auto& producer = *function.op(plan.producer).as<GenericOp>();
  const auto& consumer = *function.op(plan.consumer).as<GenericOp>();
  const ValueId read = consumer.inputs[operand];
  while (function.op(plan.producer).results[plan.result] != read)
    ++plan.result;
  plan.write = producer.maps[producer.inputs.size() + plan.result];
  plan.read = consumer.maps[operand];
  return plan;
}

} // namespace mo::exercise

// Reductions in a vector loop: a partial result per lane and unrolled vector, combined at the end.
#pragma once

#include <vector>

#include "codegen/emit_steps.h"
#include "codegen/vector_plan.h"

namespace mo {

class Accumulators {
public:
  /// Puts the neutral element into every lane of plan.unroll accumulators per reduction.
  Accumulators(EmitContext& context, const VectorPlan& plan, VectorOps& full);

  /// `current` of each reduction is accumulator `copy` in the vector about to be emitted.
  void bind(unsigned copy, Values& values) const;
  /// After it: the accumulator becomes `next`, in the lanes that exist.
  void update(unsigned copy, StepContext& after) const;

  /// Is this node the combining step of a reduction? A narrow vector leaves it out and calls fold,
  /// which combines its partial values among each other and then with the scalar partial result.
  bool combines(const Node& node) const;
  void fold(StepContext& after) const;

  /// All partial results, then init, combined: `result` of each reduction, in `outside`.
  void finish(VectorOps& full, Values& outside) const;

private:
  /// The code that follows belongs to the combining step.
  void mark(const Reduction& reduction) const;
  Vec combine(VectorOps& ops, const Reduction& reduction, const Vec& a, const Vec& b) const;

  EmitContext& context_;
  const VectorPlan& plan_;
  std::vector<std::vector<Vec>> lanes_; // by reduction, then copy
  std::vector<Vec> scalars_;            // by reduction; what narrow vectors gave
};

} // namespace mo

#include "codegen/simplify.h"

#include "codegen/dependence.h"

namespace mo {
namespace {

void mark_vectorizable_in(std::vector<Node>& block, unsigned depth) {
  for (Node& node : block)
    if (Loop* loop = node.as<Loop>()) {
      loop->vectorizable = iterations_independent(*loop, depth);
      mark_vectorizable_in(loop->body, depth + 1);
    }
}

} // namespace

void mark_vectorizable(Kernel& kernel) {
  mark_vectorizable_in(kernel.body, 0);
}

void simplify(Kernel& kernel) {
  drop_empty_loops(kernel); // first: what follows may take it that every loop runs
  drop_unit_loops(kernel);  // before merging and ordering: their strides mean nothing
  merge_equal_steps(kernel);
  remove_dead_steps(kernel);
  order_loops(kernel);
  merge_contiguous_loops(kernel); // after ordering: it brings neighbours together
  carry_in_registers(kernel);
  hoist_invariants(kernel);
  mark_vectorizable(kernel);
}

} // namespace mo

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

namespace {

/// Before loops are merged: rows are shared, not elements.
void share_rows(Kernel& kernel) {
  share_outer_loops(kernel);
  merge_equal_steps(
      kernel); // what one nest stores and the next one loads, at one and the same point
  remove_unread_temps(kernel);
  contract_temps(kernel);
}

/// After reductions are carried in registers: their results no longer stand in the way.
void share_walks(Kernel& kernel) {
  mark_vectorizable(kernel);
  share_inner_loops(kernel);
  merge_equal_steps(kernel);
  remove_unread_temps(kernel);
}

} // namespace

void simplify(Kernel& kernel, ShareLoops share) {
  drop_empty_loops(kernel); // first: what follows may take it that every loop runs
  drop_unit_loops(kernel);  // before merging and ordering: their strides mean nothing
  merge_equal_steps(kernel);
  remove_dead_steps(kernel);
  order_loops(kernel);
  if (share == ShareLoops::Auto)
    share_rows(kernel);
  merge_contiguous_loops(kernel); // after ordering: it brings neighbours together
  tile_transposes(kernel);        // after both: it wants few loops, the innermost one chosen
  drop_unit_loops(kernel);        // blocks at the edges may be one element wide
  merge_contiguous_loops(kernel);
  jam_column_reductions(kernel);
  carry_in_registers(kernel);
  hoist_invariants(kernel);
  merge_equal_steps(kernel); // results of reductions, now in registers
  remove_unread_temps(kernel);
  if (share == ShareLoops::Auto)
    share_walks(kernel);
  mark_vectorizable(kernel);
  prefetch_ahead(kernel);
  prefetch_next_rows(kernel); // last: of the loops that are left
}

} // namespace mo

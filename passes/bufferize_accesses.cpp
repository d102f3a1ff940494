#include "passes/bufferize_accesses.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "ir/walk.h"

namespace mo {

namespace {

// Does the map reach every element of the init? A plain dim runs over the whole extent; a loop that
// the map leaves out must run at least once.
bool writes_every_element(const Function& function, const GenericOp& op, unsigned init) {
  const Type& type = function.type(op.inits[init]);
  if (element_count(type) == 0)
    return true;
  const AffineMap& map = op.maps[op.inputs.size() + init];
  std::vector<bool> walked(map.num_dims(), false);
  for (unsigned row = 0; row < map.num_results(); ++row) {
    const std::optional<unsigned> d = map.plain_dim(row);
    if (d && !walked[*d])
      walked[*d] = true;
    else if (type.shape[row] != 1)
      return false; // a sum, or the diagonal: some elements may be left out
  }
  const std::vector<int64_t> extents = loop_extents(function, op);
  return std::all_of(extents.begin(), extents.end(), [](int64_t extent) { return extent > 0; });
}

} // namespace

unsigned num_inits(const Op& op) {
  const bool computes = op.is<GenericOp>() || op.is<FillOp>() || op.is<MaterializeOp>();
  return computes ? static_cast<unsigned>(op.results.size()) : 0;
}

ValueId init_of(const Op& op, unsigned init) {
  if (const auto* generic = op.as<GenericOp>())
    return generic->inits[init];
  if (const auto* fill = op.as<FillOp>())
    return fill->init;
  return op.as<MaterializeOp>()->dest;
}

unsigned operand_of_init(const Op& op, unsigned init) {
  if (const auto* generic = op.as<GenericOp>())
    return static_cast<unsigned>(generic->inputs.size()) + init;
  return 1; // of fill and materialize
}

bool reads_old_contents(const Function& function, const Op& op, unsigned init) {
  const auto* generic = op.as<GenericOp>();
  return generic &&
         (body_reads_init(*generic, init) || !writes_every_element(function, *generic, init));
}

bool may_read_while_writing(const Op& op, unsigned read_operand, unsigned written_operand) {
  const auto* generic = op.as<GenericOp>();
  if (!generic)
    return false;
  if (read_operand >= generic->inputs.size())
    return true;
  return all_parallel(*generic) && generic->maps[read_operand].is_identity() &&
         generic->maps[written_operand].is_identity();
}

} // namespace mo

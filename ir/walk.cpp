#include "ir/walk.h"

#include <algorithm>
#include <cassert>
#include <variant>

namespace mo {

namespace {

// Helper for std::visit: one lambda per alternative.
template <class... Cases> struct Match : Cases... { using Cases::operator()...; };
template <class... Cases> Match(Cases...) -> Match<Cases...>;

using Visitor = std::function<void(ValueId, Role, unsigned)>;

// 0 for an op outside the table: the verifier walks IR that may be broken.
unsigned arity_of(const ScalarInst& inst) {
  return static_cast<unsigned>(inst.op) < num_scalar_ops() ? info(inst.op).arity : 0;
}

// What a body mentions and does not define is captured from the function level.
void for_each_capture(const Body& body, unsigned first, const Visitor& f) {
  std::vector<ValueId> own = body.args;
  for (const ScalarInst& inst : body.insts)
    own.push_back(inst.result);
  std::sort(own.begin(), own.end());
  unsigned k = first;
  const auto mention = [&](ValueId value) {
    if (!std::binary_search(own.begin(), own.end(), value))
      f(value, Role::Capture, k++);
  };
  for (const ScalarInst& inst : body.insts)
    for (unsigned i = 0; i < arity_of(inst); ++i)
      mention(inst.operands[i]);
  for (ValueId value : body.yields)
    mention(value);
}

void for_each_generic_operand(const GenericOp& op, const Visitor& f) {
  unsigned k = 0;
  for (ValueId value : op.inputs)
    f(value, Role::Input, k++);
  for (ValueId value : op.inits)
    f(value, Role::Init, k++);
  for_each_capture(op.body, k, f);
}

void define(std::vector<Definition>& definitions, ValueId value, Definition definition) {
  if (value.index < definitions.size())
    definitions[value.index] = definition;
}

void define_body(std::vector<Definition>& definitions, const Body& body, OpId op) {
  const Definition definition{Definition::Kind::InBody, op, 0};
  for (ValueId value : body.args)
    define(definitions, value, definition);
  for (const ScalarInst& inst : body.insts)
    define(definitions, inst.result, definition);
}

} // namespace

void for_each_operand(const Op& op, const Visitor& f) {
  std::visit(Match{
                 [&](const GenericOp& generic) { for_each_generic_operand(generic, f); },
                 [&](const FillOp& fill) {
                   f(fill.value, Role::Input, 0);
                   f(fill.init, Role::Init, 1);
                 },
                 [&](const ToTensorOp& to_tensor) { f(to_tensor.memref, Role::Source, 0); },
                 [&](const MaterializeOp& materialize) {
                   f(materialize.source, Role::Input, 0);
                   f(materialize.dest, Role::Init, 1);
                 },
                 [&](const DeallocOp& dealloc) { f(dealloc.memref, Role::Source, 0); },
                 [&](const CopyOp& copy) {
                   f(copy.source, Role::Input, 0);
                   f(copy.target, Role::Init, 1);
                 },
                 [&](const ScalarInst& inst) {
                   for (unsigned k = 0; k < arity_of(inst); ++k)
                     f(inst.operands[k], Role::Input, k);
                 },
                 [&](const ReturnOp& ret) {
                   for (unsigned k = 0; k < ret.values.size(); ++k)
                     f(ret.values[k], Role::Input, k);
                 },
                 [](const DenseOp&) {},
                 [](const EmptyOp&) {},
                 [](const AllocOp&) {},
                 [](const ErasedOp&) {},
             },
             op.kind);
}

DefUse::DefUse(const Function& function)
    : definitions(function.values.size()), uses(function.values.size()) {
  for (unsigned k = 0; k < function.args.size(); ++k)
    define(definitions, function.args[k].value, {Definition::Kind::Argument, {}, k});
  for (uint32_t i = 0; i < function.ops.size(); ++i) {
    const OpId id{i};
    const Op& op = function.ops[i];
    for (unsigned k = 0; k < op.results.size(); ++k)
      define(definitions, op.results[k], {Definition::Kind::Result, id, k});
    if (const auto* generic = op.as<GenericOp>())
      define_body(definitions, generic->body, id);
    for_each_operand(op, [&](ValueId value, Role role, unsigned k) {
      if (value.index < uses.size())
        uses[value.index].push_back({id, role, k});
    });
  }
}

std::vector<std::optional<int64_t>> inferred_extents(const Function& function,
                                                     const GenericOp& op) {
  // exercise: infer-extents
  std::vector<std::optional<int64_t>> extents(op.iterators.size());
  const size_t operands = op.inputs.size() + op.inits.size();
  for (size_t k = 0; k < std::min(op.maps.size(), operands); ++k) {
    const ValueId value = k < op.inputs.size() ? op.inputs[k] : op.inits[k - op.inputs.size()];
    const AffineMap& map = op.maps[k];
    const Shape& shape = function.type(value).shape;
    for (unsigned row = 0; row < std::min<size_t>(map.num_results(), shape.size()); ++row) {
      const std::optional<unsigned> d = map.plain_dim(row);
      if (d && *d < extents.size() && !extents[*d])
        extents[*d] = shape[row];
    }
  }
  return extents;
  // end of exercise
}

std::vector<int64_t> loop_extents(const Function& function, const GenericOp& op) {
  std::vector<int64_t> extents;
  for (const std::optional<int64_t>& extent : inferred_extents(function, op)) {
    assert(extent.has_value());
    extents.push_back(extent.value());
  }
  return extents;
}

bool body_reads_init(const GenericOp& op, unsigned init) {
  const ValueId element = op.body.args[op.inputs.size() + init];
  for (const ScalarInst& inst : op.body.insts)
    for (unsigned k = 0; k < arity_of(inst); ++k)
      if (inst.operands[k] == element)
        return true;
  return std::find(op.body.yields.begin(), op.body.yields.end(), element) != op.body.yields.end();
}

bool all_parallel(const GenericOp& op) {
  return std::all_of(op.iterators.begin(), op.iterators.end(),
                     [](IteratorType it) { return it == IteratorType::Parallel; });
}

std::string_view spelling(const Op& op) {
  return std::visit(
      Match{
          [](const GenericOp&) -> std::string_view { return "linalg.generic"; },
          [](const FillOp&) -> std::string_view { return "linalg.fill"; },
          [](const DenseOp&) -> std::string_view { return "arith.constant"; },
          [](const EmptyOp&) -> std::string_view { return "tensor.empty"; },
          [](const ToTensorOp&) -> std::string_view { return "bufferization.to_tensor"; },
          [](const MaterializeOp&) -> std::string_view {
            return "bufferization.materialize_in_destination";
          },
          [](const AllocOp&) -> std::string_view { return "memref.alloc"; },
          [](const DeallocOp&) -> std::string_view { return "memref.dealloc"; },
          [](const CopyOp&) -> std::string_view { return "memref.copy"; },
          [](const ScalarInst& inst) { return info(inst.op).spelling; },
          [](const ReturnOp&) -> std::string_view { return "return"; },
          [](const ErasedOp&) -> std::string_view { return "erased"; },
      },
      op.kind);
}

} // namespace mo

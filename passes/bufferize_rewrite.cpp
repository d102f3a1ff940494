// A plan carried out: every tensor is replaced by its buffer, op by op. Decides nothing.
#include <algorithm>
#include <utility>

#include "passes/bufferize.h"
#include "passes/bufferize_accesses.h"
#include "passes/bufferize_lifetime.h"

namespace mo {

namespace {

class Rewriter {
public:
  Rewriter(Function& function, const BufferPlan& plan) : function_(function), plan_(plan) {}
  std::vector<OpId> run();

private:
  void make_buffers();
  void rewrite(OpId id);
  void rewrite_generic(Op op);
  void rewrite_fill(Op op);
  void rewrite_constant(Op op);
  void copy_old_contents(OpId id);
  void finish_transfers(OpId id);
  void emit_copy(ValueId source, ValueId target, Loc loc);

  bool is_tensor(ValueId v) const {
    // Arguments and constants have become memrefs by now, but still have a plan.
    return plan_.buffer_of[v.index].valid() && !was_memref_[v.index];
  }
  ValueId buffer(BufferId id) const { return values_[id.index]; }
  /// The buffer that a tensor lives in; a scalar itself.
  ValueId buffer_of(ValueId v) const {
    const BufferId id = plan_.buffer_of[v.index];
    return id.valid() ? buffer(id) : v;
  }

  Function& function_;
  const BufferPlan& plan_;
  std::vector<bool> was_memref_; // by ValueId::index: not a tensor, and so not replaced
  std::vector<ValueId> values_;  // by BufferId::index
  std::vector<ValueId> temps_;
  std::vector<Op> ops_; // the new program
  // The next one of each, all in program order.
  size_t next_snapshot_ = 0, next_init_ = 0, next_transfer_ = 0;
};

// Arguments and constants keep their value and its name; it is a memref from now on.
void Rewriter::make_buffers() {
  for (const Value& value : function_.values)
    was_memref_.push_back(value.type.is_memref());
  for (const PlannedBuffer& buffer : plan_.buffers) {
    ValueId v = buffer.value;
    switch (buffer.kind) {
    case PlannedBuffer::Kind::Given:
    case PlannedBuffer::Kind::Constant: function_.value(v).type = buffer.type; break;
    case PlannedBuffer::Kind::Temp:
      v = function_.add_value(buffer.name, buffer.type, function_.op(buffer.made_for).loc);
      temps_.push_back(v);
      break;
    case PlannedBuffer::Kind::Result:
      v = function_.add_value(buffer.name, buffer.type, function_.loc);
      function_.args.push_back({v, std::nullopt, true});
      break;
    }
    values_.push_back(v);
  }
  for (Argument& argument : function_.args)
    argument.writable.reset();
  function_.result_types.clear(); // all of them tensors: see return_scalars_in_tensors
}

void Rewriter::emit_copy(ValueId source, ValueId target, Loc loc) {
  ops_.push_back({loc, {}, CopyOp{source, target}});
}

// What out-of-place inits need of their old contents. All of it is read before the op writes.
void Rewriter::copy_old_contents(OpId id) {
  const Op& op = function_.op(id);
  for (; next_init_ < plan_.inits.size() && plan_.inits[next_init_].op == id; ++next_init_) {
    const InitDecision& decision = plan_.inits[next_init_];
    if (decision.copies_old_contents)
      emit_copy(buffer_of(init_of(op, decision.init)), buffer(decision.buffer), op.loc);
  }
}

void Rewriter::finish_transfers(OpId id) {
  for (; next_transfer_ < plan_.transfers.size() && plan_.transfers[next_transfer_].op == id;
       ++next_transfer_) {
    const TransferDecision& decision = plan_.transfers[next_transfer_];
    if (decision.copies())
      emit_copy(buffer_of(decision.source), buffer(decision.target), function_.op(id).loc);
  }
}

void Rewriter::rewrite_generic(Op op) {
  auto& generic = *op.as<GenericOp>();
  for (ValueId& v : generic.inputs)
    v = buffer_of(v);
  for (size_t j = 0; j < generic.inits.size(); ++j)
    generic.inits[j] = buffer_of(op.results[j]);
  op.results.clear();
  ops_.push_back(std::move(op));
}

void Rewriter::rewrite_fill(Op op) {
  op.as<FillOp>()->init = buffer_of(op.results[0]);
  op.results.clear();
  ops_.push_back(std::move(op));
}

void Rewriter::rewrite(OpId id) {
  copy_old_contents(id);
  Op& op = function_.op(id);
  if (op.is<GenericOp>()) {
    rewrite_generic(std::move(op));
  } else if (op.is<FillOp>()) {
    rewrite_fill(std::move(op));
  } else if (op.is<DenseOp>()) {
    if (plan_.buffers[plan_.buffer_of[op.results[0].index].index].values > 0)
      ops_.push_back(std::move(op));
  } else if (op.is<ScalarInst>()) {
    ops_.push_back(std::move(op));
  } else if (op.is<ReturnOp>()) {
    finish_transfers(id);
    op.as<ReturnOp>()->values.clear();
    ops_.push_back(std::move(op));
  } else if (op.is<MaterializeOp>()) {
    finish_transfers(id);
  } else if (const auto* view = op.as<ToTensorOp>()) {
    if (next_snapshot_ < plan_.snapshots.size() && plan_.snapshots[next_snapshot_].op == id) {
      emit_copy(view->memref, buffer_of(op.results[0]), op.loc);
      ++next_snapshot_;
    }
  }
}

std::vector<OpId> Rewriter::run() {
  make_buffers();
  std::vector<OpId> moved_to(function_.ops.size());
  for (uint32_t i = 0; i < function_.ops.size(); ++i) {
    const size_t before = ops_.size();
    rewrite(OpId{i});
    if (ops_.size() > before) // the op itself comes last
      moved_to[i] = OpId{static_cast<uint32_t>(ops_.size() - 1)};
  }
  function_.ops = std::move(ops_);
  const std::vector<OpId> placed = place_temps(function_, temps_);
  for (OpId& id : moved_to)
    if (id.valid())
      id = placed[id.index];
  return moved_to;
}

} // namespace

std::vector<OpId> apply_bufferization(Function& function, const BufferPlan& plan) {
  return Rewriter(function, plan).run();
}

} // namespace mo

#include "passes/bufferize_analysis.h"

#include <algorithm>
#include <map>
#include <utility>

#include "passes/bufferize_accesses.h"

namespace mo {

namespace {

/// Fills in a BufferAnalysis: one walk for definitions and versions, one for reads.
class Builder {
public:
  explicit Builder(BufferAnalysis& analysis)
      : analysis_(analysis), function_(analysis.function), sharing_(analysis.sharing) {}
  void run();

private:
  /// A memref on the walk: what stands in it between two writes.
  struct Memref {
    ContentsId contents;
    ContentsId source;           // the materialize that wrote them took them from here
    std::vector<uint32_t> views; // to_tensors of these contents
  };
  /// A to_tensor: the value ends where the memref is overwritten.
  struct View {
    OpId op;
    Time overwritten = kAfterCall;
    OpId overwriter;
  };
  struct Read {
    ValueId value;
    OpId op;
    unsigned operand;
  };

  void add_argument(const Argument& argument);
  void add_op(OpId id);
  void add_results(OpId id);
  void add_constant(OpId id);
  void add_empty(OpId id);
  void add_view(OpId id, const ToTensorOp& to_tensor);
  void add_materialize(OpId id, const MaterializeOp& materialize);
  void add_write_to_memref(const MaterializeOp& materialize, Transfer& transfer);
  void add_write_to_tensor(Transfer& transfer);
  void add_returned(OpId id, const ReturnOp& ret);
  void collect_reads();
  void take_snapshots();
  void take_snapshot(const View& view, const Read& last_read);
  void add_reads();

  StorageId new_storage(ValueId v) {
    return analysis_.storage_of[v.index] = sharing_.add_storage();
  }
  /// New contents; an invalid op: they come with the call.
  ContentsId written_by(OpId op, unsigned operand, ValueId v, StorageId storage) {
    const Time time = op.valid() ? time_of(op) : kBeforeCall;
    return sharing_.add_contents({v, storage, op, operand, time, time, {}, ContentsId{}});
  }
  ContentsId& contents(ValueId v) { return analysis_.contents_of[v.index]; }
  bool nothing_to_copy(const Transfer& transfer) {
    return analysis_.mode == BufferizeMode::DestinationPassing &&
           !contents(transfer.source).valid();
  }

  BufferAnalysis& analysis_;
  const Function& function_;
  BufferSharing& sharing_;
  std::map<ValueId, Memref> memrefs_;
  std::vector<View> views_;
  std::vector<OpId> aliasing_writes_; // materializes into memrefs without `restrict`, in order
  std::vector<Read> reads_;           // in program order
};

Type memref_of(const Type& type) {
  return memref_type(type.shape, type.element);
}

void Builder::add_argument(const Argument& argument) {
  const ValueId v = argument.value;
  const Type& type = function_.type(v);
  if (type.is_scalar())
    return;
  const StorageId storage = new_storage(v);
  analysis_.add_buffer(storage, {PlannedBuffer::Kind::Given, memref_of(type),
                                 function_.value(v).name, v, OpId{}, 0, 0});
  const ContentsId as_called = written_by(OpId{}, 0, v, storage);
  if (type.is_tensor())
    contents(v) = as_called;
  else
    memrefs_[v].contents = as_called;
}

// An op that computes leaves new contents in each of its results.
void Builder::add_results(OpId id) {
  const Op& op = function_.op(id);
  for (unsigned j = 0; j < op.results.size(); ++j) {
    const ValueId v = op.results[j];
    contents(v) = written_by(id, operand_of_init(op, j), v, new_storage(v));
  }
}

void Builder::add_constant(OpId id) {
  const ValueId v = function_.op(id).results[0];
  const Value& value = function_.value(v);
  const StorageId storage = new_storage(v);
  analysis_.add_buffer(
      storage, {PlannedBuffer::Kind::Constant, memref_of(value.type), value.name, v, id, 0, 0});
  contents(v) = written_by(OpId{}, 0, v, storage);
}

// No contents: whoever reads an empty reads nothing in particular.
void Builder::add_empty(OpId id) {
  const ValueId v = function_.op(id).results[0];
  const Value& value = function_.value(v);
  analysis_.add_buffer(new_storage(v),
                       {PlannedBuffer::Kind::Temp, memref_of(value.type), value.name, v, id, 0, 0});
}

void Builder::add_view(OpId id, const ToTensorOp& to_tensor) {
  const ValueId v = function_.op(id).results[0];
  Memref& memref = memrefs_[to_tensor.memref];
  analysis_.storage_of[v.index] = analysis_.storage(to_tensor.memref);
  contents(v) = memref.contents;
  memref.views.push_back(static_cast<uint32_t>(views_.size()));
  views_.push_back({id, kAfterCall, OpId{}});
}

void Builder::add_materialize(OpId id, const MaterializeOp& materialize) {
  Transfer transfer;
  transfer.op = id;
  transfer.source = materialize.source;
  transfer.undefined = nothing_to_copy(transfer);
  if (function_.type(materialize.dest).is_memref())
    add_write_to_memref(materialize, transfer);
  else
    add_write_to_tensor(transfer);
  analysis_.transfers.push_back(transfer);
}

void Builder::add_write_to_memref(const MaterializeOp& materialize, Transfer& transfer) {
  Memref& memref = memrefs_[materialize.dest];
  const ContentsId source = contents(transfer.source);
  transfer.target = analysis_.storage(materialize.dest);
  transfer.restricted = materialize.restrict;
  if (transfer.undefined) {
    memref = Memref{}; // nothing to write, and nothing in particular to read from now on
    return;
  }
  // Its own contents; or, as far as nobody counts on a copy for each materialize, the same value
  // again.
  const bool again = analysis_.mode == BufferizeMode::DestinationPassing && source == memref.source;
  if (source.valid() && (source == memref.contents || again)) {
    transfer.already_there = true;
    return;
  }
  for (uint32_t view : memref.views) {
    views_[view].overwritten = time_of(transfer.op);
    views_[view].overwriter = transfer.op;
  }
  if (!materialize.restrict)
    aliasing_writes_.push_back(transfer.op);
  transfer.written = written_by(transfer.op, 1, materialize.dest, transfer.target);
  memref = Memref{transfer.written, source, {}};
}

void Builder::add_write_to_tensor(Transfer& transfer) {
  const ValueId v = function_.op(transfer.op).results[0];
  if (transfer.undefined) {
    transfer.target = new_storage(v);
    return;
  }
  add_results(transfer.op);
  transfer.target = analysis_.storage(v);
  transfer.written = contents(v);
}

void Builder::add_returned(OpId id, const ReturnOp& ret) {
  for (unsigned k = 0; k < ret.values.size(); ++k) {
    if (!function_.type(ret.values[k]).is_tensor())
      continue;
    Transfer transfer;
    transfer.op = id;
    transfer.number = k;
    transfer.source = ret.values[k];
    transfer.target = sharing_.add_storage();
    transfer.undefined = nothing_to_copy(transfer);
    analysis_.add_buffer(transfer.target,
                         {PlannedBuffer::Kind::Result, memref_of(function_.type(ret.values[k])), "",
                          ValueId{}, OpId{}, k, 0});
    if (!transfer.undefined) {
      transfer.written = written_by(id, k, ret.values[k], transfer.target);
      sharing_.add_read_by_caller(transfer.written);
    }
    analysis_.transfers.push_back(transfer);
  }
}

void Builder::add_op(OpId id) {
  const Op& op = function_.op(id);
  if (op.is<GenericOp>() || op.is<FillOp>())
    add_results(id);
  else if (op.is<DenseOp>())
    add_constant(id);
  else if (op.is<EmptyOp>())
    add_empty(id);
  else if (const auto* to_tensor = op.as<ToTensorOp>())
    add_view(id, *to_tensor);
  else if (const auto* materialize = op.as<MaterializeOp>())
    add_materialize(id, *materialize);
  else if (const auto* ret = op.as<ReturnOp>())
    add_returned(id, *ret);
}

// A transfer reads its source, unless it has nothing to do.
void Builder::collect_reads() {
  size_t next_transfer = 0;
  for (uint32_t i = 0; i < function_.ops.size(); ++i) {
    const OpId id{i};
    const Op& op = function_.op(id);
    const unsigned first_init = operand_of_init(op, 0);
    const bool transfers = op.is<MaterializeOp>() || op.is<ReturnOp>();
    for_each_operand(op, [&](ValueId v, Role role, unsigned k) {
      if (!function_.type(v).is_tensor())
        return;
      if (transfers && role == Role::Input && analysis_.transfers[next_transfer++].already_there)
        return;
      if (role == Role::Input ||
          (role == Role::Init && reads_old_contents(function_, op, k - first_init)))
        reads_.push_back({v, id, k});
    });
  }
}

// A view that is read after its memref is overwritten needs a copy made in time. Where neither side
// promises `restrict`, any materialize may overwrite it.
void Builder::take_snapshots() {
  std::vector<uint32_t> last_read(function_.values.size(), UINT32_MAX); // into reads_
  for (uint32_t i = 0; i < reads_.size(); ++i)
    last_read[reads_[i].value.index] = i;
  for (View& view : views_) {
    const Op& op = function_.op(view.op);
    if (!op.as<ToTensorOp>()->restrict) {
      const auto write =
          std::upper_bound(aliasing_writes_.begin(), aliasing_writes_.end(), view.op);
      if (write != aliasing_writes_.end() && time_of(*write) < view.overwritten) {
        view.overwritten = time_of(*write);
        view.overwriter = *write;
      }
    }
    const uint32_t read = last_read[op.results[0].index];
    if (read != UINT32_MAX && time_of(reads_[read].op) > view.overwritten)
      take_snapshot(view, reads_[read]);
  }
}

void Builder::take_snapshot(const View& view, const Read& last_read) {
  const ValueId v = function_.op(view.op).results[0];
  const ContentsId original = contents(v);
  if (!original.valid())
    return;
  SnapshotDecision decision;
  decision.op = view.op;
  decision.conflict.contents = v;
  decision.conflict.definition = view.op;
  decision.conflict.read = last_read.op;
  decision.conflict.read_operands = {last_read.operand};
  decision.conflict.write = view.overwriter;
  decision.conflict.write_operand = 1;
  analysis_.snapshots.push_back(std::move(decision));

  sharing_.add_read(original, view.op, 0);
  const StorageId storage = new_storage(v);
  const Value& value = function_.value(v);
  analysis_.add_buffer(
      storage, {PlannedBuffer::Kind::Temp, memref_of(value.type), value.name, v, view.op, 0, 0});
  contents(v) = written_by(view.op, 0, v, storage);
}

void Builder::add_reads() {
  for (const Read& read : reads_)
    if (contents(read.value).valid())
      sharing_.add_read(contents(read.value), read.op, read.operand);
  for (auto& [v, memref] : memrefs_)
    if (memref.contents.valid()) // what the caller finds there after the call
      sharing_.add_read_by_caller(memref.contents);
  for (const Transfer& transfer : analysis_.transfers)
    if (transfer.written.valid())
      sharing_.set_copied_from(transfer.written, contents(transfer.source));
}

void Builder::run() {
  for (const Argument& argument : function_.args)
    add_argument(argument);
  for (uint32_t i = 0; i < function_.ops.size(); ++i)
    add_op(OpId{i});
  collect_reads();
  take_snapshots();
  add_reads();
}

} // namespace

BufferId BufferAnalysis::add_buffer(StorageId storage, PlannedBuffer buffer) {
  const BufferId id{static_cast<uint32_t>(buffers.size())};
  buffers.push_back(std::move(buffer));
  sharing.set_buffer(storage, id.index);
  return id;
}

BufferAnalysis analyze_buffers(const Function& function, BufferizeMode mode) {
  BufferAnalysis analysis{function,
                          mode,
                          DefUse(function),
                          BufferSharing(function),
                          std::vector<StorageId>(function.values.size()),
                          std::vector<ContentsId>(function.values.size()),
                          {},
                          {},
                          {}};
  Builder(analysis).run();
  return analysis;
}

} // namespace mo

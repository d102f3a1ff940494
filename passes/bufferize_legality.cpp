// The questions of bufferize_analysis.h: may this write go to that buffer, and if not, why not.
#include <utility>

#include "passes/bufferize_accesses.h"
#include "passes/bufferize_analysis.h"

namespace mo {

namespace {

// Nothing where the value may be overwritten as far as its definition is concerned.
std::optional<Refusal> refuse_write_to(const BufferAnalysis& analysis, ValueId v) {
  const Function& function = analysis.function;
  const Definition& definition = analysis.uses.def(v);
  if (definition.kind == Definition::Kind::Argument) {
    if (function.args[definition.number].writable.value_or(true))
      return std::nullopt;
    return Refusal{BufferReason::ArgumentNotWritable, {}};
  }
  const Op& op = function.op(definition.op);
  if (op.is<DenseOp>())
    return Refusal{BufferReason::ConstantNotWritable, {}};
  const auto* view = op.as<ToTensorOp>();
  const bool is_memref = view && analysis.storage(v) == analysis.storage(view->memref);
  if (is_memref && !(view->restrict && view->writable))
    return Refusal{BufferReason::MemrefNotWritable, {}};
  return std::nullopt;
}

OpId op_at(Time time) {
  return OpId{static_cast<uint32_t>(time / 2)};
}

bool by_one_op(const Contents& a, const Contents& b) {
  return a.op.valid() && a.op == b.op;
}

// What two groups collide in. Of two results of one op, `kept` is the one that has the buffer
// already.
std::optional<Overlap> collision(const BufferAnalysis& analysis, StorageId result,
                                 StorageId occupied) {
  const BufferSharing& sharing = analysis.sharing;
  std::optional<Overlap> overlap = sharing.find_overlap(result, occupied);
  if (overlap && by_one_op(sharing.contents(overlap->kept), sharing.contents(overlap->written)) &&
      !sharing.shared(sharing.contents(overlap->kept).storage, occupied))
    std::swap(overlap->kept, overlap->written);
  return overlap;
}

BufferReason in_place_reason(const Conflict& conflict, OpId op) {
  if (conflict.definition == conflict.write)
    return conflict.write == op ? BufferReason::InitShared : BufferReason::ReadAfterWrite;
  return conflict.read == conflict.write ? BufferReason::NotElementwise
                                         : BufferReason::ReadAfterWrite;
}

// Whose contents would be lost: the value's, or those of the destination; and of the latter, a copy
// of a value that the group itself overwrites later, or something else.
BufferReason destination_reason(const BufferAnalysis& analysis, Overlap overlap, StorageId target) {
  const BufferSharing& sharing = analysis.sharing;
  const Contents& kept = sharing.contents(overlap.kept);
  const Contents& written = sharing.contents(overlap.written);
  if (by_one_op(kept, written) || !sharing.shared(kept.storage, target))
    return BufferReason::DestinationWrittenBetween;
  const bool is_copy = kept.copied_from.valid() &&
                       sharing.shared(sharing.contents(kept.copied_from).storage, written.storage);
  return is_copy ? BufferReason::DestinationChangedLater : BufferReason::DestinationReadBetween;
}

} // namespace

bool needs_old_contents(const BufferAnalysis& analysis, OpId op, unsigned init) {
  const Op& it = analysis.function.op(op);
  return analysis.contents(init_of(it, init)).valid() &&
         reads_old_contents(analysis.function, it, init);
}

Conflict conflict_of(const BufferAnalysis& analysis, Overlap overlap) {
  const Contents* kept = &analysis.sharing.contents(overlap.kept);
  const Contents* written = &analysis.sharing.contents(overlap.written);
  if (!written->op.valid())
    std::swap(kept, written);
  Conflict conflict;
  conflict.contents = kept->value;
  conflict.definition = kept->op;
  if (kept->last_read != kAfterCall && kept->last_read != kBeforeCall) {
    conflict.read = op_at(kept->last_read);
    conflict.read_operands = kept->last_readers;
  }
  conflict.write = written->op;
  conflict.write_operand = written->operand;
  return conflict;
}

std::optional<Refusal> refuse_in_place(const BufferAnalysis& analysis, OpId op, unsigned init) {
  const Op& it = analysis.function.op(op);
  const ValueId old_value = init_of(it, init);
  if (auto refusal = refuse_write_to(analysis, old_value))
    return refusal;
  const auto overlap =
      collision(analysis, analysis.storage(it.results[init]), analysis.storage(old_value));
  if (!overlap)
    return std::nullopt;
  Conflict conflict = conflict_of(analysis, *overlap);
  const BufferReason reason = in_place_reason(conflict, op);
  return Refusal{reason, std::move(conflict)};
}

bool copies_into_destination(const BufferAnalysis& analysis, OpId op, unsigned init,
                             unsigned transfer) {
  const ValueId old_value = init_of(analysis.function.op(op), init);
  return needs_old_contents(analysis, op, init) &&
         !analysis.sharing.shared(analysis.storage(old_value), analysis.transfers[transfer].target);
}

std::optional<Refusal> refuse_destination(BufferAnalysis& analysis, OpId op, unsigned init,
                                          unsigned transfer) {
  const Transfer& wanted = analysis.transfers[transfer];
  if (!wanted.restricted)
    return Refusal{BufferReason::DestinationNotRestrict, {}};
  const ValueId result = analysis.function.op(op).results[init];
  const ContentsId made = analysis.contents(result);
  const bool copied_into = copies_into_destination(analysis, op, init, transfer);
  if (copied_into)
    analysis.sharing.set_defined(made, time_before(op));
  const auto overlap = collision(analysis, analysis.storage(result), wanted.target);
  if (copied_into)
    analysis.sharing.set_defined(made, time_of(op));
  if (!overlap)
    return std::nullopt;
  const BufferReason reason = destination_reason(analysis, *overlap, wanted.target);
  return Refusal{reason, conflict_of(analysis, *overlap)};
}

} // namespace mo

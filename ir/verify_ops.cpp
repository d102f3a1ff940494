// Verifier: the ops of the function level, other than generic and the scalar ops.
#include <bit>
#include <fmt/format.h>
#include <utility>

#include "ir/verify_context.h"

namespace mo {

namespace {

// Reports an operand of the wrong kind: "dest of ... is f32 where a memref is needed".
bool check_kind(VerifyContext& context, const Op& op, std::string_view what, ValueId v,
                std::initializer_list<Type::Kind> allowed, std::string_view needed) {
  for (Type::Kind kind : allowed)
    if (context.type(v).kind == kind)
      return true;
  context.error(DiagId::OperandKind, op.loc,
                fmt::format("the {} of {} must be {}, but {} is none", what, spelling(op), needed,
                            context.describe(v)),
                {context.defined_here(v)});
  return false;
}

bool same_shape_and_element(const Type& a, const Type& b) {
  return a.shape == b.shape && a.element == b.element;
}

} // namespace

void check_not_constant(VerifyContext& context, const Op& op, ValueId written) {
  const Definition& definition = context.definitions[written.index];
  if (context.type(written).is_memref() && definition.kind == Definition::Kind::Result &&
      context.function.op(definition.op).is<DenseOp>())
    context.error(
        DiagId::ConstantWrite, op.loc,
        fmt::format("{} writes {}, which is a constant", spelling(op), context.name(written)),
        {context.defined_here(written)});
}

void check_results_match(VerifyContext& context, const Op& op, const std::vector<ValueId>& inits) {
  if (inits.empty() || context.type(inits[0]).is_scalar())
    return; // reported elsewhere
  const bool on_tensors = context.type(inits[0]).is_tensor();
  const size_t wanted = on_tensors ? inits.size() : 0;
  if (op.results.size() != wanted) {
    context.error(DiagId::ResultType, op.loc,
                  fmt::format("{} has {}{}", spelling(op), plural(op.results.size(), "result"),
                              on_tensors ? " for " + plural(wanted, "tensor init")
                                         : ", but writing to memrefs gives none"));
    return;
  }
  for (size_t k = 0; k < wanted; ++k)
    if (context.type(op.results[k]) != context.type(inits[k]))
      context.error(DiagId::ResultType, op.loc,
                    fmt::format("result #{} of {} is {}, but its init is {}", k, spelling(op),
                                to_string(context.type(op.results[k])), context.describe(inits[k])),
                    {context.defined_here(inits[k])});
}

void verify_fill(VerifyContext& context, const Op& op, const FillOp& fill) {
  const bool scalar =
      check_kind(context, op, "value", fill.value, {Type::Kind::Scalar}, "a scalar");
  if (!check_kind(context, op, "init", fill.init, {Type::Kind::Tensor, Type::Kind::MemRef},
                  "a tensor or a memref"))
    return;
  const Type& init = context.type(fill.init);
  check_works_on(context, op, init.is_tensor() ? Level::Tensor : Level::Buffer);
  check_not_constant(context, op, fill.init);
  if (scalar && context.type(fill.value).element != init.element)
    context.error(DiagId::FillType, op.loc,
                  fmt::format("{} is filled into {}, which holds {}", context.describe(fill.value),
                              context.name(fill.init), spelling(init.element)),
                  {context.defined_here(fill.value), context.defined_here(fill.init)});
  check_results_match(context, op, {fill.init});
}

void verify_dense(VerifyContext& context, const Op& op, const DenseOp& dense) {
  const ValueId result = op.results[0];
  if (!check_kind(context, op, "result", result, {Type::Kind::Tensor, Type::Kind::MemRef},
                  "a tensor or a memref"))
    return;
  const Type& type = context.type(result);
  check_works_on(context, op, type.is_tensor() ? Level::Tensor : Level::Buffer);
  const int64_t wanted = dense.splat ? 1 : element_count(type);
  if (std::cmp_not_equal(dense.bits.size(), wanted))
    context.error(DiagId::DenseShape, op.loc,
                  fmt::format("the constant has {} elements where {} {} {}", dense.bits.size(),
                              to_string(type), dense.splat ? "as a splat needs" : "has", wanted));
}

void verify_empty(VerifyContext& context, const Op& op) {
  check_kind(context, op, "result", op.results[0], {Type::Kind::Tensor}, "a tensor");
  check_works_on(context, op, Level::Tensor);
}

void verify_to_tensor(VerifyContext& context, const Op& op, const ToTensorOp& to_tensor) {
  check_works_on(context, op, Level::Tensor);
  const bool source =
      check_kind(context, op, "operand", to_tensor.memref, {Type::Kind::MemRef}, "a memref");
  const bool result =
      check_kind(context, op, "result", op.results[0], {Type::Kind::Tensor}, "a tensor");
  if (source && result &&
      !same_shape_and_element(context.type(to_tensor.memref), context.type(op.results[0])))
    context.error(DiagId::ToTensorType, op.loc,
                  fmt::format("{} cannot be seen as {}: shape and element type must agree",
                              context.describe(to_tensor.memref),
                              to_string(context.type(op.results[0]))),
                  {context.defined_here(to_tensor.memref)});
}

void verify_materialize(VerifyContext& context, const Op& op, const MaterializeOp& materialize) {
  check_works_on(context, op, Level::Tensor);
  const ValueId source = materialize.source, dest = materialize.dest;
  const bool kinds_hold =
      check_kind(context, op, "source", source, {Type::Kind::Tensor}, "a tensor") &
      check_kind(context, op, "destination", dest, {Type::Kind::Tensor, Type::Kind::MemRef},
                 "a tensor or a memref");
  if (!kinds_hold)
    return;
  if (!same_shape_and_element(context.type(source), context.type(dest)))
    context.error(DiagId::MaterializeType, op.loc,
                  fmt::format("{} cannot be written to {}: shape and element type must agree",
                              context.describe(source), context.describe(dest)),
                  {context.defined_here(source), context.defined_here(dest)});
  const bool to_memref = context.type(dest).is_memref();
  if (materialize.writable != to_memref)
    context.error(DiagId::MaterializeFlags, op.loc,
                  fmt::format("the destination {} is a {}, so `writable` {}", context.name(dest),
                              to_memref ? "memref" : "tensor",
                              to_memref ? "must be said" : "cannot be said"));
  if (materialize.restrict && !to_memref)
    context.error(DiagId::MaterializeFlags, op.loc,
                  fmt::format("the destination {} is a tensor, so `restrict` cannot be said",
                              context.name(dest)));
  check_results_match(context, op, {dest});
}

void verify_alloc(VerifyContext& context, const Op& op, const AllocOp& alloc) {
  check_works_on(context, op, Level::Buffer);
  const ValueId result = op.results[0];
  check_kind(context, op, "result", result, {Type::Kind::MemRef}, "a memref");
  context.buffers[result.index].allocated = true;
  if (!alloc.alignment)
    return;
  const int64_t alignment = *alloc.alignment;
  if (alignment <= 0 || !std::has_single_bit(static_cast<uint64_t>(alignment)))
    context.error(DiagId::Alignment, op.loc,
                  fmt::format("an alignment must be a power of two, but this is {}", alignment));
}

void verify_dealloc(VerifyContext& context, const Op& op, const DeallocOp& dealloc) {
  check_works_on(context, op, Level::Buffer);
  const ValueId v = dealloc.memref;
  VerifyContext::BufferState& buffer = context.buffers[v.index];
  if (buffer.freed) {
    context.error(DiagId::DoubleDealloc, op.loc, context.name(v) + " is deallocated twice",
                  {{buffer.freed_at, "the first time here"}, context.defined_here(v)});
    return;
  }
  context.check_use(v, op.loc);
  if (!buffer.allocated) {
    context.error(DiagId::DeallocTarget, op.loc,
                  fmt::format("only what memref.alloc gave can be deallocated, and {} is not that",
                              context.describe(v)),
                  {context.defined_here(v)});
    return;
  }
  buffer.freed = true;
  buffer.freed_at = op.loc;
}

void verify_copy(VerifyContext& context, const Op& op, const CopyOp& copy) {
  check_works_on(context, op, Level::Buffer);
  const bool kinds_hold =
      check_kind(context, op, "source", copy.source, {Type::Kind::MemRef}, "a memref") &
      check_kind(context, op, "target", copy.target, {Type::Kind::MemRef}, "a memref");
  if (kinds_hold && !same_shape_and_element(context.type(copy.source), context.type(copy.target)))
    context.error(DiagId::CopyType, op.loc,
                  fmt::format("{} cannot be copied to {}: shape and element type must agree",
                              context.describe(copy.source), context.describe(copy.target)),
                  {context.defined_here(copy.source), context.defined_here(copy.target)});
  check_not_constant(context, op, copy.target);
}

void verify_return(VerifyContext& context, const Op& op, const ReturnOp& ret) {
  const std::vector<Type>& wanted = context.function.result_types;
  if (ret.values.size() != wanted.size()) {
    context.error(DiagId::ReturnCount, op.loc,
                  fmt::format("return has {} but @{} has {}", plural(ret.values.size(), "value"),
                              context.function.name, plural(wanted.size(), "result")),
                  {{context.function.loc, "the function is here"}});
    return;
  }
  for (size_t k = 0; k < wanted.size(); ++k)
    if (context.type(ret.values[k]) != wanted[k])
      context.error(DiagId::ReturnType, op.loc,
                    fmt::format("value #{} returned is {}, but result #{} of @{} is {}", k,
                                context.describe(ret.values[k]), k, context.function.name,
                                to_string(wanted[k])),
                    {context.defined_here(ret.values[k])});
}

} // namespace mo

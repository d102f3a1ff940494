#include "codegen/emit_reduction.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

Vec neutral_in_every_lane(VectorOps& ops, const Reduction& reduction) {
  Vec accumulator = ops.new_vec(reduction.type, "acc");
  ops.move(accumulator, ops.constant(reduction.neutral, reduction.type));
  return accumulator;
}

void masked_move(x86::Compiler& cc, const x86::KReg& mask, const Vec& dst, const Vec& src) {
  bool wide = byte_size(dst.type) == 8;
  cc.k(mask).emit(wide ? x86::Inst::kIdVmovapd : x86::Inst::kIdVmovaps, dst.reg, src.reg);
}

} // namespace

Accumulators::Accumulators(EmitContext& context, const VectorPlan& plan, VectorOps& full)
    : context_(context), plan_(plan) {
  VectorOps one(context.cc, context.isa, 1);
  for (const Reduction& reduction : plan.reductions) {
    std::vector<Vec>& copies = lanes_.emplace_back();
    for (unsigned copy = 0; copy < plan.unroll; ++copy)
      copies.push_back(neutral_in_every_lane(full, reduction));
    if (!plan.masked_ends)
      scalars_.push_back(neutral_in_every_lane(one, reduction));
  }
}

void Accumulators::bind(unsigned copy, Values& values) const {
  for (size_t r = 0; r < lanes_.size(); ++r)
    values.set(plan_.reductions[r].current, lanes_[r][copy]);
}

void Accumulators::update(unsigned copy, StepContext& after) const {
  for (size_t r = 0; r < lanes_.size(); ++r) {
    const Reduction& reduction = plan_.reductions[r];
    mark(reduction);
    Vec next = after.values.get(reduction.next, after.ops, reduction.type);
    if (after.mask)
      masked_move(context_.cc, *after.mask, lanes_[r][copy], next);
    else if (next.reg.id() != lanes_[r][copy].reg.id())
      after.ops.move(lanes_[r][copy], next);
  }
}

bool Accumulators::combines(const Node& node) const {
  const Compute* compute = node.as<Compute>();
  for (const Reduction& reduction : plan_.reductions)
    if (compute && compute == reduction.combining)
      return true;
  return false;
}

void Accumulators::fold(StepContext& after) const {
  VectorOps one(context_.cc, context_.isa, 1);
  for (size_t r = 0; r < scalars_.size(); ++r) {
    const Reduction& reduction = plan_.reductions[r];
    mark(reduction);
    Vec partial = after.values.get(reduction.partial, after.ops, reduction.type);
    if (after.ops.lanes() > 1)
      partial = narrow(after.ops.reduce_lanes(reduction.combine, partial), 1);
    one.move(scalars_[r], combine(one, reduction, scalars_[r], partial));
  }
}

void Accumulators::finish(VectorOps& full, Values& outside) const {
  VectorOps one(context_.cc, context_.isa, 1);
  for (size_t r = 0; r < lanes_.size(); ++r) {
    const Reduction& reduction = plan_.reductions[r];
    std::vector<Vec> left = lanes_[r];
    while (left.size() > 1) { // pairwise: a short chain, and the smaller rounding error
      std::vector<Vec> half;
      for (size_t k = 0; k + 1 < left.size(); k += 2)
        half.push_back(combine(full, reduction, left[k], left[k + 1]));
      left = half;
    }
    Vec total = narrow(full.reduce_lanes(reduction.combine, left[0]), 1);
    if (!scalars_.empty())
      total = combine(one, reduction, total, scalars_[r]);
    Vec init = outside.get(reduction.init, one, reduction.type);
    outside.set(reduction.result, combine(one, reduction, init, total));
  }
}

void Accumulators::mark(const Reduction& reduction) const {
  KernelCompiler& cc = context_.cc;
  cc.mark(reduction.combining->loc,
          cc.comments() ? describe(context_.kernel, Node{*reduction.combining}) : "");
}

Vec Accumulators::combine(VectorOps& ops, const Reduction& reduction, const Vec& a,
                          const Vec& b) const {
  return ops.emit(*reduction.combining, {a, b, Vec{}}, reduction.type);
}

} // namespace mo

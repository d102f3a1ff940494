#include "tools/reference.h"

#include <optional>

#include "ir/walk.h"

namespace mo {
namespace {

// Where a body adds a term to its init: yield j is `insts[add]`, an addf of the init and operand
// `term`.
struct Sum {
  unsigned init;
  size_t add;
  unsigned term;
};

std::optional<Sum> f32_sum(const Function& f, const GenericOp& g, unsigned j) {
  const ValueId so_far = g.body.args[g.inputs.size() + j];
  if (f.type(so_far).element != ElementType::F32 || all_parallel(g))
    return std::nullopt;
  std::optional<Sum> sum;
  for (size_t i = 0; i < g.body.insts.size(); ++i) {
    const ScalarInst& inst = g.body.insts[i];
    for (unsigned n = 0; n < info(inst.op).arity; ++n) {
      if (inst.operands[n] != so_far)
        continue;
      if (sum || inst.op != ScalarOp::AddF || inst.result != g.body.yields[j])
        return std::nullopt; // used for something else
      sum = Sum{j, i, 1 - n};
    }
  }
  if (!sum)
    return std::nullopt;
  unsigned mentions = 0; // of the sum itself: it may leave the body, and do nothing else
  for (const ScalarInst& inst : g.body.insts)
    for (unsigned n = 0; n < info(inst.op).arity; ++n)
      mentions += inst.operands[n] == g.body.yields[j] ? 1 : 0;
  for (ValueId y : g.body.yields)
    mentions += y == g.body.yields[j] ? 1 : 0;
  return mentions == 1 ? sum : std::nullopt;
}

class Widener {
public:
  explicit Widener(const Function& f) : f_(f), buffers_(level_of(f) == Level::Buffer) {}

  Function widen() {
    std::vector<Op> ops = std::move(f_.ops);
    f_.ops.clear();
    for (Op& op : ops)
      add(std::move(op));
    return std::move(f_);
  }

private:
  void add(Op op) {
    std::vector<Op> after;
    if (auto* g = op.as<GenericOp>())
      for (unsigned j = 0; j < g->inits.size(); ++j)
        if (const auto sum = f32_sum(f_, *g, j))
          widen_sum(op, *g, *sum, after);
    f_.ops.push_back(std::move(op));
    for (Op& o : after)
      f_.ops.push_back(std::move(o));
  }

  // %wide = extf(init); the generic sums into %wide; its old result (or buffer) = truncf(%wide).
  void widen_sum(Op& op, GenericOp& g, const Sum& sum, std::vector<Op>& after) {
    const ValueId init = g.inits[sum.init];
    const ValueId wide =
        converted(ScalarOp::ExtF, init, new_space(f_.type(init), ElementType::F64), f_.ops);
    g.inits[sum.init] = wide;
    f_.value(g.body.args[g.inputs.size() + sum.init]).type = scalar_type(ElementType::F64);
    ScalarInst& add = g.body.insts[sum.add];
    f_.value(add.result).type = scalar_type(ElementType::F64);
    ScalarInst extend;
    extend.op = ScalarOp::ExtF;
    extend.operands[0] = add.operands[sum.term];
    extend.result = f_.add_value("term", scalar_type(ElementType::F64), add.loc);
    add.operands[sum.term] = extend.result;
    g.body.insts.insert(g.body.insts.begin() + static_cast<ptrdiff_t>(sum.add), extend);
    if (buffers_) {
      converted(ScalarOp::TruncF, wide, init, after);
      after.push_back({op.loc, {}, DeallocOp{wide}});
      return;
    }
    const ValueId result = op.results[sum.init];
    op.results[sum.init] = f_.add_value("wide", f_.type(wide), op.loc);
    const ValueId space = new_space(f_.type(result), ElementType::F32);
    after.push_back(conversion(ScalarOp::TruncF, op.results[sum.init], space));
    after.back().results = {result};
  }

  // A tensor.empty or memref.alloc of this shape.
  ValueId new_space(const Type& like, ElementType element) {
    const Type type =
        buffers_ ? memref_type(like.shape, element) : tensor_type(like.shape, element);
    const ValueId v = f_.add_value("space", type, {});
    f_.ops.push_back({{}, {v}, buffers_ ? Op::Kind(AllocOp{}) : Op::Kind(EmptyOp{})});
    return v;
  }

  // An elementwise generic that casts `from` into `into`; without results yet.
  Op conversion(ScalarOp cast, ValueId from, ValueId into) {
    GenericOp g;
    const auto rank = static_cast<unsigned>(f_.type(from).rank());
    g.inputs = {from};
    g.inits = {into};
    g.maps = {AffineMap::identity(rank), AffineMap::identity(rank)};
    g.iterators.assign(rank, IteratorType::Parallel);
    ScalarInst inst;
    inst.op = cast;
    inst.operands[0] = f_.add_value("in", scalar_type(f_.type(from).element), {});
    const ValueId old = f_.add_value("old", scalar_type(f_.type(into).element), {});
    inst.result = f_.add_value("cast", scalar_type(f_.type(into).element), {});
    g.body = {{inst.operands[0], old}, {inst}, {inst.result}, {}, {}};
    return {{}, {}, std::move(g)};
  }
  // The same, put at the end of `ops`; returns the value that holds what was cast.
  ValueId converted(ScalarOp cast, ValueId from, ValueId into, std::vector<Op>& ops) {
    Op op = conversion(cast, from, into);
    ValueId result = into;
    if (!buffers_) {
      result = f_.add_value("cast", f_.type(into), {});
      op.results = {result};
    }
    ops.push_back(std::move(op));
    return result;
  }

  Function f_;
  bool buffers_;
};

} // namespace

Function with_wide_sums(const Function& function) {
  return Widener(function).widen();
}

} // namespace mo

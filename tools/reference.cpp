#include "tools/reference.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>

#include "ir/walk.h"

namespace mo {
namespace {

// Points of the loops that meet in one element of the init.
int64_t points_per_element(const Function& f, const GenericOp& g, unsigned init) {
  const std::vector<int64_t> extents = loop_extents(f, g);
  const AffineMap& map = g.maps[g.inputs.size() + init];
  int64_t points = 1;
  for (unsigned d = 0; d < extents.size(); ++d)
    if (!map.uses_dim(d) && __builtin_mul_overflow(points, extents[d], &points))
      return INT64_MAX;
  return points;
}

// How often a value is named by what the body's results are made of.
unsigned live_mentions(const Body& body, ValueId value) {
  std::vector<ValueId> live = body.yields;
  auto mentions = static_cast<unsigned>(std::ranges::count(body.yields, value));
  for (auto inst = body.insts.rbegin(); inst != body.insts.rend(); ++inst) {
    if (std::ranges::find(live, inst->result) == live.end())
      continue;
    for (unsigned n = 0; n < info(inst->op).arity; ++n) {
      live.push_back(inst->operands[n]);
      mentions += inst->operands[n] == value ? 1 : 0;
    }
  }
  return mentions;
}

class SumWidener {
public:
  SumWidener(const Function& f, std::optional<SumNudge> nudge)
      : f_(f), nudge_(nudge), buffers_(level_of(f) == Level::Buffer) {}

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
      for (unsigned j = 0, inits = static_cast<unsigned>(g->inits.size()); j < inits; ++j)
        if (const auto sum = float_sum(f_, *g, j)) {
          const bool moves = nudge_ && num_sums_++ % nudge_->groups == nudge_->group;
          if (moves || element(g->inits[j]) == ElementType::F32)
            widen_sum(op, *g, *sum, moves, after);
        }
    f_.ops.push_back(std::move(op));
    for (Op& o : after)
      f_.ops.push_back(std::move(o));
  }

  // %wide = extf(init); the generic sums into %wide; its old result (or buffer) = truncf(%wide),
  // or, if it moves, truncf(%wide +- what it may be off by). For that the generic sums up the
  // terms' magnitudes as well, and f32 terms in f32 too, one after the other.
  void widen_sum(Op& op, GenericOp& g, const FloatSum& sum, bool moves, std::vector<Op>& after) {
    const ValueId init = g.inits[sum.init], term = g.body.insts[sum.add].operands[sum.term];
    const ElementType narrow = element(init);
    const AffineMap map = g.maps[g.inputs.size() + sum.init];
    std::vector<ValueId> from = {start_from(init, ElementType::F64, false)};
    const ValueId wide_term = sum_wide(g, sum, from[0]);
    ValueId result;
    if (!buffers_) {
      result = op.results[sum.init];
      from[0] = op.results[sum.init] = f_.add_value("wide", f_.type(from[0]), op.loc);
    }
    if (moves) {
      const ValueId magnitude = inst(g.body, ScalarOp::AbsF, {wide_term}, ElementType::F64);
      from.push_back(sum_too(op, g, map, start_from(init, ElementType::F64, true), magnitude));
      if (narrow == ElementType::F32)
        from.push_back(sum_too(op, g, map, start_from(init, narrow, false), term));
    }
    const ValueId into = buffers_ ? init : new_space(result, narrow, after);
    elementwise(from, into, result, after,
                [&](Body& b) { return rounded(b, narrow, sum.terms, moves); });
    if (buffers_)
      for (ValueId v : from)
        after.push_back({op.loc, {}, DeallocOp{v}});
  }

  // What a sum starts from: the init, or its magnitude, as elements of `type`.
  ValueId start_from(ValueId init, ElementType type, bool magnitude) {
    return elementwise({init}, new_space(init, type, f_.ops), {}, f_.ops, [&](Body& b) {
      const ValueId start = type == ElementType::F64 ? extended(b, b.args[0]) : b.args[0];
      return magnitude ? inst(b, ScalarOp::AbsF, {start}, type) : start;
    });
  }
  // The generic's sum goes into `wide`. Returns its term as an f64.
  ValueId sum_wide(GenericOp& g, const FloatSum& sum, ValueId wide) {
    g.inits[sum.init] = wide;
    f_.value(g.body.args[g.inputs.size() + sum.init]).type = scalar_type(ElementType::F64);
    ScalarInst add = g.body.insts[sum.add];
    f_.value(add.result).type = scalar_type(ElementType::F64);
    Body before; // what the addition takes now
    const ValueId term = add.operands[sum.term] = extended(before, add.operands[sum.term]);
    before.insts.push_back(add);
    const auto place = g.body.insts.erase(g.body.insts.begin() + static_cast<ptrdiff_t>(sum.add));
    g.body.insts.insert(place, before.insts.begin(), before.insts.end());
    return term;
  }
  // One more init, in which `term` is summed. Returns what holds the sum.
  ValueId sum_too(Op& op, GenericOp& g, const AffineMap& map, ValueId start, ValueId term) {
    const Type type = scalar_type(element(start));
    const ValueId so_far = f_.add_value("so_far", type, {});
    g.inits.push_back(start);
    g.maps.push_back(map);
    g.body.args.push_back(so_far);
    g.body.yields.push_back(inst(g.body, ScalarOp::AddF, {so_far, term}, type.element));
    if (buffers_)
      return start;
    op.results.push_back(f_.add_value("sum", f_.type(start), op.loc));
    return op.results.back();
  }

  // In a body over (wide sum, magnitudes, sum in order): the sum as an element of `narrow`.
  ValueId rounded(Body& b, ElementType narrow, int64_t terms, bool moves) {
    ValueId sum = b.args[0];
    if (moves)
      sum = inst(b, nudge_->sign > 0 ? ScalarOp::AddF : ScalarOp::SubF,
                 {sum, error_of(b, narrow, terms)}, ElementType::F64);
    return narrow == ElementType::F32 ? inst(b, ScalarOp::TruncF, {sum}, narrow) : sum;
  }
  ValueId error_of(Body& b, ElementType narrow, int64_t terms) {
    const auto f64 = [&](ScalarOp op, std::vector<ValueId> operands) {
      return inst(b, op, std::move(operands), ElementType::F64);
    };
    const double relative = narrow == ElementType::F32 ? sum_tolerance(terms) * 0x1p-24
                                                       : static_cast<double>(terms) * 0x1p-53;
    // Where a term is infinite the sum stays what it is: no infinity from another.
    const ValueId off =
        f64(ScalarOp::MinNumF,
            {f64(ScalarOp::MulF, {b.args[1], constant(b, relative)}), constant(b, DBL_MAX)});
    if (narrow == ElementType::F64)
      return off;
    const ValueId in_order =
        f64(ScalarOp::AbsF, {f64(ScalarOp::SubF, {b.args[0], extended(b, b.args[2])})});
    return f64(ScalarOp::MaxNumF, {off, f64(ScalarOp::MulF, {in_order, constant(b, 2)})});
  }

  // --- building ---------------------------------------------------------------------------------
  ElementType element(ValueId v) const { return f_.type(v).element; }

  ValueId inst(Body& b, ScalarOp op, std::vector<ValueId> operands, ElementType type,
               uint64_t immediate = 0) {
    ScalarInst i;
    i.op = op;
    std::copy(operands.begin(), operands.end(), i.operands.begin());
    i.immediate = immediate;
    i.result = f_.add_value("v", scalar_type(type), {});
    b.insts.push_back(i);
    return i.result;
  }
  ValueId constant(Body& b, double value) {
    return inst(b, ScalarOp::Constant, {}, ElementType::F64, std::bit_cast<uint64_t>(value));
  }
  ValueId extended(Body& b, ValueId v) {
    return element(v) == ElementType::F64 ? v : inst(b, ScalarOp::ExtF, {v}, ElementType::F64);
  }

  // A tensor.empty or memref.alloc in the shape of `like`, put at the end of `ops`.
  ValueId new_space(ValueId like, ElementType type, std::vector<Op>& ops) {
    const Shape& shape = f_.type(like).shape;
    const ValueId v =
        f_.add_value("space", buffers_ ? memref_type(shape, type) : tensor_type(shape, type), {});
    ops.push_back({{}, {v}, buffers_ ? Op::Kind(AllocOp{}) : Op::Kind(EmptyOp{})});
    return v;
  }

  // into[i] = body(from...[i]), put at the end of `ops`. Returns the value that holds it: at tensor
  // level `result`, or a new one if that is not valid; else `into`.
  template <class MakeBody>
  ValueId elementwise(const std::vector<ValueId>& from, ValueId into, ValueId result,
                      std::vector<Op>& ops, const MakeBody& make_body) {
    GenericOp g;
    g.inputs = from;
    g.inits = {into};
    const auto rank = static_cast<unsigned>(f_.type(into).rank());
    g.maps.assign(from.size() + 1, AffineMap::identity(rank));
    g.iterators.assign(rank, IteratorType::Parallel);
    for (ValueId v : from)
      g.body.args.push_back(f_.add_value("in", scalar_type(element(v)), {}));
    g.body.args.push_back(f_.add_value("old", scalar_type(element(into)), {}));
    g.body.yields = {make_body(g.body)};
    std::vector<ValueId> results;
    if (!buffers_)
      results = {result.valid() ? result : f_.add_value("cast", f_.type(into), {})};
    const ValueId holder = buffers_ ? into : results[0];
    ops.push_back({{}, std::move(results), std::move(g)});
    return holder;
  }

  Function f_;
  std::optional<SumNudge> nudge_;
  bool buffers_;
  unsigned num_sums_ = 0;
};

} // namespace

std::optional<FloatSum> float_sum(const Function& f, const GenericOp& g, unsigned init) {
  const ValueId so_far = g.body.args[g.inputs.size() + init];
  const int64_t terms = points_per_element(f, g, init);
  if (!is_float(f.type(so_far).element) || terms < 2)
    return std::nullopt;
  const ValueId yield = g.body.yields[init];
  for (size_t i = 0; i < g.body.insts.size(); ++i) {
    const ScalarInst& inst = g.body.insts[i];
    if (inst.result != yield || inst.op != ScalarOp::AddF)
      continue;
    const bool first = inst.operands[0] == so_far, second = inst.operands[1] == so_far;
    // Both may be used for nothing else: the order would show in the middle of the sum.
    if (first != second && live_mentions(g.body, so_far) == 1 && live_mentions(g.body, yield) == 1)
      return FloatSum{init, i, first ? 1u : 0u, terms};
  }
  return std::nullopt;
}

FloatSums float_sums(const Function& f) {
  FloatSums sums;
  for (const Op& op : f.ops)
    if (const auto* g = op.as<GenericOp>())
      for (unsigned j = 0; j < g->inits.size(); ++j)
        if (const auto sum = float_sum(f, *g, j)) {
          ++sums.count;
          sums.longest = std::max(sums.longest, sum->terms);
        }
  return sums;
}

double sum_tolerance(int64_t terms) {
  return 4 * std::sqrt(static_cast<double>(terms));
}

Function with_wide_sums(const Function& function, std::optional<SumNudge> nudge) {
  return SumWidener(function, nudge).widen();
}

} // namespace mo

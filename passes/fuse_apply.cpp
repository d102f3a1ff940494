// Carrying out a fusion plan.
#include <iterator>
#include <optional>
#include <utility>

#include "passes/fuse.h"

namespace mo {

namespace {

template <class T> void append(std::vector<T>& to, std::vector<T>& from, size_t begin, size_t end) {
  to.insert(to.end(), std::make_move_iterator(from.begin() + begin),
            std::make_move_iterator(from.begin() + end));
}

/// from[0, k) goes before what is in `to`, from[k + 1, end) after it.
template <class T> void surround(std::vector<T>& to, std::vector<T>& from, size_t k, size_t end) {
  if (k > 0)
    to.insert(to.begin(), std::make_move_iterator(from.begin()),
              std::make_move_iterator(from.begin() + k));
  append(to, from, k + 1, end);
}

/// `linalg.index` of a producer loop, asked of the consumer's loops: that row of `loops`, as index
/// arithmetic where it is not one plain loop.
class IndexRewriter {
public:
  IndexRewriter(Function& function, const AffineMap& loops) : function_(function), loops_(loops) {}

  std::vector<ScalarInst> run(std::vector<ScalarInst> insts) {
    for (ScalarInst& inst : insts)
      if (inst.op == ScalarOp::LoopIndex)
        expand(inst);
      else
        out_.push_back(inst);
    return std::move(out_);
  }

private:
  // c0 * d0 + c1 * d1 + ... + constant; the last instruction defines what `index` defined.
  void expand(const ScalarInst& index) {
    // exercise: fuse-index
    unsigned row = static_cast<unsigned>(index.immediate);
    std::optional<ValueId> sum;
    for (unsigned d = 0; d < loops_.num_dims(); ++d)
      if (int64_t c = loops_.coefficient(row, d); c != 0) {
        ValueId term = leaf(index, ScalarOp::LoopIndex, d);
        if (c != 1)
          term = binary(index, ScalarOp::MulI, term,
                        leaf(index, ScalarOp::Constant, static_cast<uint64_t>(c)));
        sum = sum ? binary(index, ScalarOp::AddI, *sum, term) : term;
      }
    if (int64_t c = loops_.constant(row); c != 0 || !sum) {
      ValueId term = leaf(index, ScalarOp::Constant, static_cast<uint64_t>(c));
      sum = sum ? binary(index, ScalarOp::AddI, *sum, term) : term;
    }
    out_.back().result = index.result;
    // end of exercise
  }

  ValueId leaf(const ScalarInst& from, ScalarOp op, uint64_t immediate) {
    ScalarInst inst;
    inst.op = op;
    inst.immediate = immediate;
    return emit(from, inst);
  }
  ValueId binary(const ScalarInst& from, ScalarOp op, ValueId a, ValueId b) {
    ScalarInst inst;
    inst.op = op;
    inst.operands = {a, b, ValueId{}};
    return emit(from, inst);
  }
  ValueId emit(const ScalarInst& from, ScalarInst inst) {
    inst.loc = from.loc;
    inst.result = function_.add_value(function_.value(from.result).name,
                                      scalar_type(ElementType::Index), from.loc);
    out_.push_back(inst);
    return inst.result;
  }

  Function& function_;
  const AffineMap& loops_;
  std::vector<ScalarInst> out_;
};

void replace(std::vector<ScalarInst>& insts, std::vector<ValueId>& yields, ValueId from,
             ValueId to) {
  for (ScalarInst& inst : insts)
    for (ValueId& operand : inst.operands)
      if (operand == from)
        operand = to;
  for (ValueId& yield : yields)
    if (yield == from)
      yield = to;
}

/// Leaves of the producer's inits, their maps, block arguments, yields and results only the kept.
void drop_results(GenericOp& p, std::vector<ValueId>& results, const std::vector<unsigned>& kept) {
  size_t num_inputs = p.inputs.size();
  for (size_t j = 0; j < kept.size(); ++j) {
    if (kept[j] == j)
      continue;
    p.inits[j] = p.inits[kept[j]];
    p.maps[num_inputs + j] = std::move(p.maps[num_inputs + kept[j]]);
    p.body.args[num_inputs + j] = p.body.args[num_inputs + kept[j]];
    p.body.yields[j] = p.body.yields[kept[j]];
    results[j] = results[kept[j]];
  }
  p.inits.resize(kept.size());
  p.maps.resize(num_inputs + kept.size());
  p.body.args.resize(num_inputs + kept.size());
  p.body.yields.resize(kept.size());
  results.resize(kept.size());
}

/// Takes the last `count` elements off.
template <class T> std::vector<T> split_tail(std::vector<T>& v, size_t count) {
  std::vector<T> tail(std::make_move_iterator(v.end() - count), std::make_move_iterator(v.end()));
  v.resize(v.size() - count);
  return tail;
}

} // namespace

void apply_fusion(Function& function, const FusionPlan& plan) {
  Op& producer = function.op(plan.producer);
  GenericOp p = std::move(*producer.as<GenericOp>());
  std::vector<ValueId> results = std::move(producer.results);
  producer.kind = ErasedOp{};
  producer.results.clear();

  if (!plan.loops.is_identity()) {
    for (AffineMap& map : p.maps) // fused loops -> producer loops -> element
      map = compose(map, plan.loops);
    p.body.insts = IndexRewriter(function, plan.loops).run(std::move(p.body.insts));
  }
  ValueId fused_element = p.body.yields[plan.result];
  drop_results(p, results, plan.kept_results);

  // exercise: fuse-bodies
  Op& consumer = function.op(plan.consumer);
  for (ValueId kept_result : results) // one op, one name
    function.value(kept_result).name = function.value(consumer.results[0]).name;
  GenericOp& c = *consumer.as<GenericOp>();
  const size_t k = plan.operand, c_inputs = c.inputs.size(), kept = plan.kept_results.size();
  replace(c.body.insts, c.body.yields, c.body.args[k], fused_element);

  // The kept inits stand between the inputs and the consumer's inits: off, and on again after.
  std::vector<AffineMap> kept_maps = split_tail(p.maps, kept);
  std::vector<ValueId> kept_args = split_tail(p.body.args, kept);
  surround(p.inputs, c.inputs, k, c_inputs);
  surround(p.maps, c.maps, k, c_inputs);
  surround(p.body.args, c.body.args, k, c_inputs);
  append(p.maps, kept_maps, 0, kept);
  append(p.body.args, kept_args, 0, kept);
  append(p.maps, c.maps, c_inputs, c.maps.size());
  append(p.body.args, c.body.args, c_inputs, c.body.args.size());
  append(p.inits, c.inits, 0, c.inits.size());
  append(p.body.insts, c.body.insts, 0, c.body.insts.size());
  append(p.body.yields, c.body.yields, 0, c.body.yields.size());
  append(results, consumer.results, 0, consumer.results.size());
  p.iterators = std::move(c.iterators);
  p.body.loc = c.body.loc;
  consumer.kind = std::move(p);
  consumer.results = std::move(results);
  // end of exercise
}

} // namespace mo

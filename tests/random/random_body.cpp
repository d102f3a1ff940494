#include "tests/random/random_body.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "ir/walk.h"

namespace mo::testing {
namespace {

using enum ScalarOp;

constexpr ElementType kAll[] = {ElementType::F32, ElementType::F64, ElementType::I1,
                                ElementType::I32, ElementType::I64, ElementType::Index};
constexpr ScalarOp kFloatOps[] = {
    AddF,  SubF,  MulF,      DivF,  MaximumF, MinimumF, MaxNumF, MinNumF, NegF,     AbsF, Floor,
    Ceil,  Round, RoundEven, Trunc, Sqrt,     Rsqrt,    Fma,     RemF,    CopySign, Exp,  Exp2,
    ExpM1, Log,   Log2,      Log1p, Tanh,     PowF,     Erf,     Sin,     Cos};
// Where a little off stays a little, or goes one way: see Numbers::Fractions.
constexpr ScalarOp kSmoothOps[] = {AddF, SubF, MulF,  MaximumF, MinimumF, MaxNumF, MinNumF,
                                   NegF, AbsF, Floor, Tanh,     Erf,      Exp,     ExpM1};
// The same where an operand is 1 or more.
constexpr ScalarOp kOpsFromOne[] = {DivF, Log, Log2, Log1p, Sqrt, Rsqrt};
constexpr ScalarOp kWholeNumberOps[] = {AddF,    SubF, MulF, MaximumF, MinimumF, MaxNumF,
                                        MinNumF, NegF, AbsF, Floor,    Trunc};
constexpr ScalarOp kIntOps[] = {AddI,  SubI,  MulI,  DivSI, DivUI, CeilDivSI, FloorDivSI,
                                RemSI, RemUI, AndI,  OrI,   XOrI,  ShLI,      ShRSI,
                                ShRUI, MaxSI, MinSI, MaxUI, MinUI};
// NaN payloads are not defined, so the casts that would show them (bitcast from a float) are left
// out.
constexpr ScalarOp kCasts[] = {SIToFP, UIToFP, FPToSI, FPToUI, ExtF,
                               TruncF, ExtSI,  ExtUI,  TruncI, IndexCast};

// The largest magnitude that a float op can give; of those that whole numbers or fractions take.
double bound_after(ScalarOp op, double a, double b) {
  switch (op) {
  case AddF:
  case SubF: return a + b;
  case MulF: return a * b;
  case Floor: return a + 1;
  case Tanh:
  case Erf: return 1;
  case Exp:
  case ExpM1: return HUGE_VAL;
  default: return std::max(a, b);
  }
}

} // namespace

uint64_t small_number(ElementType type, int number) {
  switch (type) {
  case ElementType::F32: return std::bit_cast<uint32_t>(static_cast<float>(number));
  case ElementType::F64: return std::bit_cast<uint64_t>(static_cast<double>(number));
  case ElementType::I1: return static_cast<uint64_t>(number & 1);
  case ElementType::I32: return static_cast<uint32_t>(number);
  default: return static_cast<uint64_t>(static_cast<int64_t>(number));
  }
}

bool BodyMaker::fits(ElementType type, double bound) const {
  if (context_.numbers != Numbers::Whole || !is_float(type))
    return true;
  return bound < (type == ElementType::F32 ? 0x1p23 : 0x1p52);
}

ValueId BodyMaker::add(ScalarOp op, std::vector<ValueId> operands, ElementType type,
                       uint64_t immediate, uint8_t predicate) {
  ScalarInst inst;
  inst.op = op;
  std::copy(operands.begin(), operands.end(), inst.operands.begin());
  inst.immediate = immediate;
  inst.predicate = predicate;
  inst.result = f_.add_value("v" + std::to_string(context_.next_name++), scalar_type(type), {});
  g_->body.insts.push_back(inst);
  return inst.result;
}

BodyMaker::Known BodyMaker::new_of_type(ElementType type) {
  if (type == ElementType::Index && !g_->iterators.empty() && dice_.chance(0.5)) {
    const ValueId v = add(LoopIndex, {}, type, dice_.below(g_->iterators.size()));
    return {v, 70};
  }
  return {add(Constant, {}, type, small_number(type, static_cast<int>(dice_.below(7)) - 3)), 3};
}

BodyMaker::Known BodyMaker::any_of_type(ElementType type) {
  std::vector<Known> fitting;
  for (const Known& k : known_)
    if (element(k.value) == type)
      fitting.push_back(k);
  if (!fitting.empty() && dice_.chance(0.9)) // the latest ones most: deep bodies, few dead values
    return fitting[fitting.size() - 1 -
                   std::min(dice_.below(fitting.size()), dice_.below(fitting.size()))];
  known_.push_back(new_of_type(type));
  return known_.back();
}

void BodyMaker::add_float_inst(ElementType type) {
  if (context_.numbers == Numbers::Fractions)
    return add_smooth_inst(type);
  const ScalarOp op = context_.numbers == Numbers::Whole
                          ? kWholeNumberOps[dice_.below(std::size(kWholeNumberOps))]
                          : kFloatOps[dice_.below(std::size(kFloatOps))];
  const Known a = any_of_type(type), b = any_of_type(type), c = any_of_type(type);
  const double bound = bound_after(op, a.bound, info(op).arity > 1 ? b.bound : a.bound);
  if (!fits(type, bound))
    return;
  std::vector<ValueId> operands{a.value, b.value, c.value};
  operands.resize(info(op).arity);
  know(add(op, operands, type), bound);
}

void BodyMaker::add_smooth_inst(ElementType type) {
  const Known a = any_of_type(type);
  if (dice_.chance(0.3)) {
    const Known d = at_least_one(type);
    const ScalarOp op = kOpsFromOne[dice_.below(std::size(kOpsFromOne))];
    know(op == DivF ? add(op, {a.value, d.value}, type) : add(op, {d.value}, type),
         op == DivF ? a.bound : d.bound);
    return;
  }
  const ScalarOp op = kSmoothOps[dice_.below(std::size(kSmoothOps))];
  const Known b = any_of_type(type);
  std::vector<ValueId> operands{a.value, b.value};
  operands.resize(info(op).arity);
  know(add(op, operands, type), bound_after(op, a.bound, info(op).arity > 1 ? b.bound : a.bound));
}

// 1 + |x|.
BodyMaker::Known BodyMaker::at_least_one(ElementType type) {
  const Known x = any_of_type(type);
  const ValueId one = add(Constant, {}, type, small_number(type, 1));
  return {add(AddF, {add(AbsF, {x.value}, type), one}, type), x.bound + 1};
}

// Between -3 and 3, so that no partial sum overflows, whatever the order.
BodyMaker::Known BodyMaker::clamped(Known x, ElementType type) {
  const ValueId low = add(Constant, {}, type, small_number(type, -3));
  const ValueId high = add(Constant, {}, type, small_number(type, 3));
  return {add(MinimumF, {add(MaximumF, {x.value, low}, type), high}, type), 3};
}

void BodyMaker::add_int_inst(ElementType type) {
  const ScalarOp op = kIntOps[dice_.below(std::size(kIntOps))];
  const Known a = any_of_type(type), b = any_of_type(type);
  know(add(op, {a.value, b.value}, type), HUGE_VAL);
}

void BodyMaker::add_compare_or_select(ElementType type) {
  const Known a = any_of_type(type), b = any_of_type(type);
  if (dice_.chance(0.5)) {
    const bool floats = is_float(type);
    auto predicate = static_cast<uint8_t>(dice_.below(floats ? 16 : 10));
    if (floats && context_.numbers == Numbers::Fractions) // OGT, OGE, OLT or OLE
      predicate = static_cast<uint8_t>(2 + dice_.below(4));
    know(add(floats ? CmpF : CmpI, {a.value, b.value}, ElementType::I1, 0, predicate), 1);
  } else {
    const Known c = any_of_type(ElementType::I1);
    know(add(Select, {c.value, a.value, b.value}, type), std::max(a.bound, b.bound));
  }
}

void BodyMaker::add_cast(ElementType from, ElementType to) {
  const ScalarOp op = kCasts[dice_.below(std::size(kCasts))];
  if (!types_agree(info(op).rule, from, to))
    return;
  if (context_.numbers == Numbers::Fractions && is_float(from) && !is_float(to))
    return; // what is a little off may wrap around as an integer
  const Known a = any_of_type(from);
  const double bound = from == ElementType::I1 ? 1 : a.bound;
  if (is_float(to) && !fits(to, bound))
    return;
  know(add(op, {a.value}, to), is_float(to) ? bound : HUGE_VAL);
}

void BodyMaker::add_random_inst() {
  const ElementType type =
      known_.empty() ? kAll[dice_.below(6)] : element(known_[dice_.below(known_.size())].value);
  const uint64_t kind = dice_.below(10);
  if (kind < 2)
    add_compare_or_select(type);
  else if (kind < 4)
    add_cast(type, kAll[dice_.below(6)]);
  else if (is_float(type))
    add_float_inst(type);
  else
    add_int_inst(type);
}

// The update of an element that several points of the loops meet in, or that had a value before.
BodyMaker::Known BodyMaker::combined(ValueId init, double init_bound) {
  const ElementType type = element(init);
  Known x = any_of_type(type);
  static constexpr ScalarOp kInts[] = {AddI,  MulI,  AndI,  OrI,   XOrI,
                                       MaxSI, MinSI, MaxUI, MinUI, SubI};
  static constexpr ScalarOp kFloats[] = {MaximumF, MinimumF, MaxNumF, MinNumF};
  static constexpr ScalarOp kInOrder[] = {SubF, MulF,
                                          DivF}; // no order but the written one is right
  ScalarOp op = is_float(type) ? kFloats[dice_.below(4)] : kInts[dice_.below(10)];
  double bound = std::max(init_bound, x.bound);
  const double sum = init_bound + x.bound * static_cast<double>(context_.terms);
  const bool may_sum = context_.numbers != Numbers::Any && context_.sums_left > 0;
  if (is_float(type) && may_sum && fits(type, sum) && dice_.chance(0.7)) {
    op = AddF;
    bound = sum;
    --context_.sums_left;
    if (!(sum < 0x1p60)) {
      x = clamped(x, type);
      bound = init_bound + x.bound * static_cast<double>(context_.terms);
    }
  } else if (is_float(type) && context_.numbers == Numbers::Any && dice_.chance(0.2)) {
    op = kInOrder[dice_.below(3)];
  }
  const bool init_first = dice_.chance(0.5);
  return {add(op, {init_first ? init : x.value, init_first ? x.value : init}, type), bound};
}

std::vector<double> BodyMaker::fill_in(GenericOp& g, const std::vector<double>& element_bounds) {
  g_ = &g;
  const size_t num_inputs = g.inputs.size();
  for (size_t k = 0; k < num_inputs + g.inits.size(); ++k) {
    const ValueId operand = k < num_inputs ? g.inputs[k] : g.inits[k - num_inputs];
    const char* base = k < num_inputs ? "i" : "o";
    const ValueId arg = f_.add_value(base + std::to_string(context_.next_name++),
                                     scalar_type(f_.type(operand).element), {});
    g.body.args.push_back(arg);
    if (k < num_inputs)
      know(arg, element_bounds[k]);
  }
  for (ValueId s : context_.scalars)
    if (dice_.chance(0.5))
      know(s, 3);
  for (uint64_t n = dice_.below(7); n-- > 0;)
    add_random_inst();
  std::vector<double> yielded;
  for (size_t j = 0; j < g.inits.size(); ++j) {
    const ValueId init = g.body.args[num_inputs + j];
    const double init_bound = element_bounds[num_inputs + j];
    const bool must_combine = !all_parallel(g);
    const Known y = init_bound >= 0 && (must_combine || dice_.chance(0.5))
                        ? combined(init, init_bound)
                        : any_of_type(element(init));
    g.body.yields.push_back(y.value);
    yielded.push_back(y.bound);
  }
  return yielded;
}

} // namespace mo::testing

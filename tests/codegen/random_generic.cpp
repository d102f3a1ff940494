#include "tests/codegen/random_generic.h"

#include <algorithm>
#include <bit>
#include <random>

namespace mo::testing {
namespace {

uint64_t float_bits(double value, ElementType type) {
  return type == ElementType::F32 ? std::bit_cast<uint32_t>(static_cast<float>(value))
                                  : std::bit_cast<uint64_t>(value);
}

class Generator {
public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  Function run() {
    f_.name = "random";
    const size_t num_loops = below(5);
    for (size_t d = 0; d < num_loops; ++d) {
      // Few and small where there are many loops; else around the widths of vectors and tiles.
      static constexpr int64_t kExtents[] = {1, 2, 3, 5, 4, 7, 9, 8, 6, 15, 16, 17, 31, 33, 64, 65};
      extents_.push_back(one_in(40) ? 0 : kExtents[below(num_loops > 2 ? 4 : 16)]);
      generic_.iterators.push_back(IteratorType::Parallel);
    }
    add_operands();
    add_body();
    Op op;
    op.kind = std::move(generic_);
    f_.ops.push_back(std::move(op));
    Op end;
    end.kind = ReturnOp{};
    f_.ops.push_back(std::move(end));
    return std::move(f_);
  }

private:
  size_t below(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return below(n) == 0; }
  ElementType random_type() {
    static constexpr ElementType kTypes[] = {ElementType::F32, ElementType::F32, ElementType::F64,
                                             ElementType::I32, ElementType::I64, ElementType::I1};
    return kTypes[below(6)];
  }
  unsigned num_loops() const { return static_cast<unsigned>(extents_.size()); }

  void add_operands() {
    const size_t num_inputs = below(4), num_inits = 1 + below(3);
    std::vector<bool> covered(num_loops(), false);
    for (size_t k = 0; k < num_inputs; ++k)
      if (one_in(6))
        add_scalar_input();
      else
        generic_.inputs.push_back(add_operand(random_type(), random_rows(k > 0), covered));
    std::vector<AffineMap> init_maps;
    std::vector<ValueId> inits;
    for (size_t j = 0; j < num_inits; ++j) {
      inits.push_back(add_operand(random_type(), random_rows(one_in(6)), covered));
      init_maps.push_back(generic_.maps.back());
      generic_.maps.pop_back();
    }
    std::vector<unsigned> missing; // loops that have their extent from nobody so far
    for (unsigned d = 0; d < num_loops(); ++d)
      if (!covered[d])
        missing.push_back(d);
    if (!missing.empty())
      generic_.inputs.push_back(
          add_operand(random_type(), AffineMap::select(num_loops(), missing), covered));
    generic_.inits = std::move(inits);
    generic_.maps.insert(generic_.maps.end(), init_maps.begin(), init_maps.end());
    for (unsigned d = 0; d < num_loops(); ++d)
      for (const AffineMap& map : init_maps)
        if (!map.uses_dim(d))
          generic_.iterators[d] = IteratorType::Reduction;
  }

  void add_scalar_input() {
    const ValueId value = f_.add_value("s", scalar_type(random_type()), {});
    f_.args.push_back({value, std::nullopt, false});
    generic_.inputs.push_back(value);
    generic_.maps.push_back(AffineMap(num_loops(), 0));
  }

  /// Some of the loops in some order; `odd` ones also with sums, factors and constants.
  AffineMap random_rows(bool odd) {
    std::vector<unsigned> dims;
    for (unsigned d = 0; d < num_loops(); ++d)
      if (!one_in(3))
        dims.push_back(d);
    if (one_in(2))
      std::shuffle(dims.begin(), dims.end(), random_);
    AffineMap map = AffineMap::select(num_loops(), dims);
    for (unsigned row = 0; odd && row < map.num_results(); ++row) {
      if (one_in(3))
        map.set_constant(row, static_cast<int64_t>(below(3)));
      if (one_in(3))
        map.set_coefficient(row, dims[row], static_cast<int64_t>(below(4)));
      if (one_in(4))
        map.set_coefficient(row, static_cast<unsigned>(below(num_loops())),
                            static_cast<int64_t>(below(3)));
      if (one_in(8)) { // backwards
        map.set_coefficient(row, dims[row], -1);
        map.set_constant(row, std::max<int64_t>(extents_[dims[row]] - 1, 0));
      }
    }
    return map;
  }

  /// The buffer is new, or one that is there already and has the same shape.
  ValueId add_operand(ElementType element, const AffineMap& map, std::vector<bool>& covered) {
    Shape shape;
    for (unsigned row = 0; row < map.num_results(); ++row) {
      if (const auto d = map.plain_dim(row)) {
        covered[*d] = true;
        shape.push_back(extents_[*d]);
        continue;
      }
      int64_t last = map.constant(row);
      for (unsigned d = 0; d < map.num_dims(); ++d)
        last += std::max<int64_t>(map.coefficient(row, d) * (extents_[d] - 1), 0);
      shape.push_back(last + 1 + static_cast<int64_t>(below(2)));
    }
    generic_.maps.push_back(map);
    for (const Argument& argument : f_.args)
      if (const Type& type = f_.type(argument.value);
          type.is_memref() && type.shape == shape && one_in(3))
        return argument.value;
    const ValueId value = f_.add_value("m", memref_type(shape, element), {});
    f_.args.push_back({value, std::nullopt, false});
    return value;
  }

  ValueId inst(ScalarOp op, ElementType type, std::vector<ValueId> operands, uint64_t immediate = 0,
               uint8_t predicate = 0) {
    ScalarInst i;
    i.op = op;
    i.predicate = predicate;
    i.immediate = immediate;
    std::copy(operands.begin(), operands.end(), i.operands.begin());
    i.result = f_.add_value("v", scalar_type(type), {});
    generic_.body.insts.push_back(i);
    pool_.push_back(i.result);
    return i.result;
  }
  ElementType type_of(ValueId value) const { return f_.type(value).element; }

  ValueId constant(double value, ElementType type) {
    const uint64_t bits = is_float(type) ? float_bits(value, type)
                                         : static_cast<uint64_t>(static_cast<int64_t>(value)) &
                                               (~uint64_t{0} >> (64 - bit_width(type)));
    return inst(ScalarOp::Constant, type, {}, bits);
  }

  /// Some value of this type; from the pool if it has one.
  ValueId some(ElementType type) {
    for (int attempt = 0; attempt < 6 && !pool_.empty(); ++attempt)
      if (const ValueId value = pool_[below(pool_.size())]; type_of(value) == type)
        return value;
    return constant(static_cast<double>(below(2)), type);
  }

  ScalarOp pick(std::vector<ScalarOp> ops) { return ops[below(ops.size())]; }

  void random_inst() {
    if (num_loops() > 0 && one_in(8)) {
      const ValueId index = inst(ScalarOp::LoopIndex, ElementType::Index, {}, below(num_loops()));
      const ValueId number = inst(ScalarOp::IndexCast, ElementType::I32, {index});
      inst(ScalarOp::SIToFP, one_in(2) ? ElementType::F32 : ElementType::F64, {number});
      return;
    }
    const ElementType type = random_type();
    if (one_in(8)) {
      const ValueId a = some(type), b = some(type);
      const ValueId truth =
          is_float(type) ? inst(ScalarOp::CmpF, ElementType::I1, {a, b}, 0, uint8_t(below(16)))
                         : inst(ScalarOp::CmpI, ElementType::I1, {a, b}, 0, uint8_t(below(10)));
      inst(ScalarOp::Select, type, {truth, a, b});
      return;
    }
    const ValueId a = some(type), b = some(type);
    if (is_float(type) && one_in(5)) {
      const ValueId fraction =
          inst(pick({ScalarOp::Exp, ScalarOp::Exp2, ScalarOp::ExpM1, ScalarOp::Tanh, ScalarOp::Log,
                     ScalarOp::Log2, ScalarOp::Log1p, ScalarOp::Rsqrt}),
               type, {a});
      pool_.pop_back(); // for whole numbers only
      inst(ScalarOp::Floor, type, {fraction});
    } else if (is_float(type))
      inst(pick({ScalarOp::AddF, ScalarOp::SubF, ScalarOp::MulF, ScalarOp::MaximumF,
                 ScalarOp::MinNumF}),
           type, {a, b});
    else
      inst(pick({ScalarOp::AddI, ScalarOp::SubI, ScalarOp::MulI, ScalarOp::XOrI, ScalarOp::MinSI}),
           type, {a, b});
  }

  /// Between -8 and 8, so that sums are exact.
  ValueId clamped(ValueId value) {
    const ElementType type = type_of(value);
    const ValueId below_top = inst(ScalarOp::MinimumF, type, {value, constant(8, type)});
    return inst(ScalarOp::MaximumF, type, {below_top, constant(-8, type)});
  }

  /// What becomes of the element `old`: mostly the update of a reduction, in either operand order.
  ValueId update(ValueId old) {
    const ElementType type = type_of(old);
    if (one_in(4))
      return some(type);
    ValueId x = some(type);
    ScalarOp op;
    if (is_float(type)) {
      op = pick({ScalarOp::AddF, ScalarOp::AddF, ScalarOp::MaximumF, ScalarOp::MinimumF,
                 ScalarOp::MaxNumF, ScalarOp::MinNumF, ScalarOp::SubF});
      x = clamped(x);
    } else {
      op = pick({ScalarOp::AddI, ScalarOp::MulI, ScalarOp::AndI, ScalarOp::OrI, ScalarOp::XOrI,
                 ScalarOp::MaxSI, ScalarOp::MinSI, ScalarOp::MaxUI, ScalarOp::MinUI,
                 ScalarOp::SubI});
    }
    return one_in(2) ? inst(op, type, {old, x}) : inst(op, type, {x, old});
  }

  void add_body() {
    std::vector<ValueId> operands = generic_.inputs;
    operands.insert(operands.end(), generic_.inits.begin(), generic_.inits.end());
    for (ValueId operand : operands) {
      const ValueId arg = f_.add_value("in", scalar_type(type_of(operand)), {});
      generic_.body.args.push_back(arg);
      // Mostly only the inputs are for anyone to use: an init that is used twice is no reduction.
      if (generic_.body.args.size() <= generic_.inputs.size() || one_in(6))
        pool_.push_back(arg);
    }
    for (size_t n = below(7); n-- > 0;)
      random_inst();
    for (size_t j = 0; j < generic_.inits.size(); ++j)
      generic_.body.yields.push_back(update(generic_.body.args[generic_.inputs.size() + j]));
  }

  std::mt19937 random_;
  Function f_;
  GenericOp generic_;
  std::vector<int64_t> extents_;
  std::vector<ValueId> pool_; // what the body may use
};

} // namespace

Function random_generic(uint32_t seed) {
  return Generator(seed).run();
}

LoopArguments random_arguments(const Function& function, uint32_t seed) {
  std::mt19937 random(seed);
  LoopArguments result;
  for (const Argument& argument : function.args) {
    const Type& type = function.type(argument.value);
    std::vector<uint64_t>& bits = result.emplace_back();
    const int64_t count = type.is_scalar() ? 1 : element_count(type);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t number = static_cast<int64_t>(random() % 9) - 4;
      bits.push_back(is_float(type.element) ? float_bits(static_cast<double>(number), type.element)
                                            : static_cast<uint64_t>(number) &
                                                  (~uint64_t{0} >> (64 - bit_width(type.element))));
    }
  }
  return result;
}

} // namespace mo::testing

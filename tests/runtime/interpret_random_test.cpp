// The interpreter works block by block; here it is compared with the plain meaning of a generic,
// written down point by point, over random generics whose operands share buffers in all sorts of
// ways.
#include "runtime/interpret.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "ir/walk.h"
#include "runtime/compare.h"
#include "runtime/scalar_eval.h"
#include "tests/runtime/support.h"

namespace mo {
namespace {

using namespace mo::testing;

/// The elements of all buffers, by argument.
using Memory = std::vector<std::vector<uint64_t>>;

int64_t position(const Function& function, ValueId buffer, const AffineMap& map,
                 const std::vector<int64_t>& point) {
  const Shape& shape = function.type(buffer).shape;
  const std::vector<int64_t> index = map.apply(point);
  int64_t result = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    result = result * shape[d] + index[d];
  return result;
}

/// One body: reads, ops, writes. Arguments of the function are its first values, so that a ValueId
/// of one is its number in `memory`.
void run_point(const Function& function, const GenericOp& op, const std::vector<int64_t>& point,
               Memory& memory) {
  std::vector<ValueId> operands = op.inputs;
  operands.insert(operands.end(), op.inits.begin(), op.inits.end());
  std::vector<uint64_t> value(function.values.size());
  auto element = [&](size_t k) -> uint64_t& {
    const int64_t at = position(function, operands[k], op.maps[k], point);
    return memory[operands[k].index][static_cast<size_t>(at)];
  };
  for (size_t k = 0; k < operands.size(); ++k)
    value[op.body.args[k].index] = element(k);
  for (const ScalarInst& inst : op.body.insts) {
    uint64_t bits[3] = {};
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      bits[k] = value[inst.operands[k].index];
    uint64_t& result = value[inst.result.index];
    if (inst.op == ScalarOp::Constant)
      result = inst.immediate;
    else if (inst.op == ScalarOp::LoopIndex)
      result = static_cast<uint64_t>(point[inst.immediate]);
    else
      result = eval_scalar(inst.op, inst.predicate, function.type(inst.operands[0]).element,
                           function.type(inst.result).element, bits);
  }
  for (size_t j = 0; j < op.inits.size(); ++j)
    element(op.inputs.size() + j) = value[op.body.yields[j].index];
}

void run_points(const Function& function, const GenericOp& op, Memory& memory) {
  const std::vector<int64_t> extents = loop_extents(function, op);
  std::vector<int64_t> point(extents.size(), 0);
  if (std::ranges::find(extents, 0) != extents.end())
    return;
  while (true) {
    run_point(function, op, point, memory);
    size_t loop = extents.size();
    while (loop > 0 && ++point[loop - 1] == extents[loop - 1])
      point[--loop] = 0;
    if (loop == 0)
      return;
  }
}

// --- Random generics ---

struct Generator {
  std::mt19937_64 engine;
  explicit Generator(uint64_t seed) : engine(seed) {}
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine() % static_cast<uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }

  std::vector<int64_t> extents() {
    std::vector<int64_t> result;
    bool has_long = false; // one long loop at most: the plain interpreter is slow
    for (int64_t loop = between(0, 3); loop > 0; --loop) {
      const bool is_long = !has_long && chance(30);
      has_long |= is_long;
      result.push_back(is_long ? between(30, 70) : chance(5) ? 0 : between(1, 5));
    }
    if (result.size() == 1 && chance(30))
      result[0] = between(1000, 2500); // more than one block
    return result;
  }

  /// A row over loops of these extents whose values start at 0.
  void random_row(AffineMap& map, unsigned row, const std::vector<int64_t>& loops) {
    int64_t smallest = 0;
    for (unsigned dim = 0; dim < loops.size(); ++dim) {
      if (!chance(45))
        continue;
      const int64_t coefficient = chance(60) ? 1 : between(-2, 3);
      map.set_coefficient(row, dim, coefficient);
      smallest += std::min<int64_t>(0, coefficient * (std::max<int64_t>(loops[dim], 1) - 1));
    }
    map.set_constant(row, -smallest + (chance(15) ? between(0, 2) : 0));
  }

  AffineMap random_map(const std::vector<int64_t>& loops, unsigned rows) {
    const auto dims = static_cast<unsigned>(loops.size());
    if (rows == dims && chance(50))
      return AffineMap::identity(dims);
    AffineMap map(dims, rows);
    for (unsigned row = 0; row < rows; ++row)
      random_row(map, row, loops);
    return map;
  }
};

/// Argument 0 is an input through the identity, from which the loops get their extents. All others
/// are as large as the generic reaches into them; most generics name some of them more than once.
struct RandomGeneric {
  Function function;
  explicit RandomGeneric(uint64_t seed);

private:
  void add_buffers(Generator& random);
  void add_operands(Generator& random);
  AffineMap other_map(Generator& random, unsigned rank);
  void add_body(Generator& random);
  void set_shapes();
  GenericOp op_;
  ElementType element_ = ElementType::I64;
  std::vector<int64_t> loops_;
  std::vector<unsigned> ranks_; // by buffer
};

RandomGeneric::RandomGeneric(uint64_t seed) {
  Generator random(seed);
  const ElementType types[] = {ElementType::I64, ElementType::I32, ElementType::F32,
                               ElementType::F64};
  element_ = types[random.between(0, 3)];
  loops_ = random.extents();
  op_.iterators.assign(loops_.size(), IteratorType::Parallel);
  add_buffers(random);
  add_operands(random);
  add_body(random);
  set_shapes();
  function.name = "f";
  function.ops.push_back({{}, {}, op_});
  function.ops.push_back({{}, {}, ReturnOp{}});
}

void RandomGeneric::add_buffers(Generator& random) {
  for (int64_t count = random.between(2, 4); count > 0; --count) {
    ranks_.push_back(ranks_.empty() ? static_cast<unsigned>(loops_.size())
                                    : static_cast<unsigned>(random.between(0, 2)));
    const Type type = memref_type(Shape(ranks_.back(), 1), element_);
    function.args.push_back({function.add_value("m", type, {}), {}, false});
  }
}

void RandomGeneric::add_operands(Generator& random) {
  op_.inputs.push_back(function.args[0].value);
  op_.maps.push_back(AffineMap::identity(static_cast<unsigned>(loops_.size())));
  const int64_t inputs = random.between(0, 2), inits = random.between(1, 3);
  for (int64_t k = 0; k < inputs + inits; ++k) {
    const auto buffer = static_cast<size_t>(random.between(0, std::ssize(ranks_) - 1));
    (k < inputs ? op_.inputs : op_.inits).push_back(function.args[buffer].value);
    op_.maps.push_back(buffer == 0 ? op_.maps[0] : other_map(random, ranks_[buffer]));
  }
}

/// One map for several operands is what in-place updates look like.
AffineMap RandomGeneric::other_map(Generator& random, unsigned rank) {
  const AffineMap& earlier =
      op_.maps[static_cast<size_t>(random.between(0, std::ssize(op_.maps) - 1))];
  const bool reuse = random.chance(50) && earlier.num_results() == rank;
  return reuse ? earlier : random.random_map(loops_, rank);
}

void RandomGeneric::add_body(Generator& random) {
  Body& body = op_.body;
  for (size_t k = 0; k < op_.maps.size(); ++k)
    body.args.push_back(function.add_value("a", scalar_type(element_), {}));
  std::vector<ValueId> known = body.args;
  auto any = [&] { return known[static_cast<size_t>(random.between(0, std::ssize(known) - 1))]; };
  auto add = [&](ScalarOp op, Type type, std::array<ValueId, 3> operands, uint64_t immediate) {
    const ValueId result = function.add_value("v", std::move(type), {});
    body.insts.push_back({op, 0, operands, immediate, result, {}});
    return result;
  };
  if (!loops_.empty() && is_integer(element_) && random.chance(50)) {
    const auto loop = static_cast<uint64_t>(random.between(0, std::ssize(loops_) - 1));
    const ValueId index = add(ScalarOp::LoopIndex, scalar_type(ElementType::Index), {}, loop);
    known.push_back(add(ScalarOp::IndexCast, scalar_type(element_), {index}, 0));
  }
  const uint64_t three = element_ == ElementType::F32   ? to_bits(3.0F)
                         : element_ == ElementType::F64 ? to_bits(3.0)
                                                        : 3;
  if (random.chance(50))
    known.push_back(add(ScalarOp::Constant, scalar_type(element_), {}, three));
  using enum ScalarOp;
  const ScalarOp float_ops[] = {AddF, SubF, MulF, MaximumF};
  const ScalarOp integer_ops[] = {AddI, SubI, MulI, XOrI};
  for (int64_t count = random.between(0, 6); count > 0; --count) {
    const auto which = static_cast<size_t>(random.between(0, 3));
    const ScalarOp op = is_float(element_) ? float_ops[which] : integer_ops[which];
    known.push_back(add(op, scalar_type(element_), {any(), any()}, 0));
  }
  for (size_t j = 0; j < op_.inits.size(); ++j)
    body.yields.push_back(random.chance(60) ? known.back() : any());
}

void RandomGeneric::set_shapes() {
  std::vector<int64_t> at_least_one = loops_;
  for (int64_t& extent : at_least_one)
    extent = std::max<int64_t>(extent, 1);
  for (size_t k = 0; k < op_.maps.size(); ++k) {
    const ValueId buffer = k < op_.inputs.size() ? op_.inputs[k] : op_.inits[k - op_.inputs.size()];
    Shape& shape = function.value(buffer).type.shape;
    for (unsigned row = 0; row < shape.size(); ++row)
      shape[row] = std::max(shape[row], row_range(op_.maps[k], row, at_least_one)->max + 1);
  }
  // What gives the loops their extents has exactly those, also where they are 0.
  function.value(function.args[0].value).type.shape = loops_;
}

TEST(InterpretRandom, GenericsWithSharedBuffersDoWhatTheirPointsDoInOrder) {
  int compared = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Function function = RandomGeneric(seed).function;
    std::mt19937_64 engine(seed);
    std::vector<RuntimeValue> args;
    Memory memory;
    for (const Argument& arg : function.args) {
      const Type& type = function.type(arg.value);
      Array array = Array::allocate_guarded(type.shape, type.element, engine() % 9).value();
      for (int64_t i = 0; i < array.count(); ++i) {
        const int64_t number = static_cast<int64_t>(engine() % 2000) - 1000;
        array.set_bits(
            i, type.element == ElementType::F32   ? to_bits(static_cast<float>(number) * 0.37F)
               : type.element == ElementType::F64 ? to_bits(static_cast<double>(number) * 0.37)
                                                  : static_cast<uint64_t>(number));
      }
      memory.emplace_back();
      for (int64_t i = 0; i < array.count(); ++i)
        memory.back().push_back(array.bits(i));
      args.emplace_back(std::move(array));
    }

    run_points(function, *function.ops[0].as<GenericOp>(), memory);
    results_of(function, args);

    for (size_t k = 0; k < args.size(); ++k) {
      const auto& array = std::get<Array>(args[k]);
      Array expected = Array::allocate(array.shape(), array.element()).value();
      for (int64_t i = 0; i < expected.count(); ++i)
        expected.set_bits(i, memory[k][static_cast<size_t>(i)]);
      const auto difference = compare(expected, array);
      ASSERT_FALSE(difference) << "argument " << k + 1 << ": " << describe(*difference, expected);
      ASSERT_TRUE(array.guard_intact());
      compared += static_cast<int>(array.count() > 0);
    }
  }
  EXPECT_GT(compared, 800);
}

} // namespace
} // namespace mo

// Large functions: what would take quadratic time or memory does not come back from here.
#include <gtest/gtest.h>

#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

constexpr unsigned kOps = 10000;

ValueId add_tensor(Function& function, const std::string& name) {
  return function.add_value(name, tensor_type({8}, ElementType::F32), {});
}

// result = input + input, or init + input, in f32 over 8 elements.
void append_generic(Function& function, ValueId result, ValueId input, ValueId init,
                    bool accumulate) {
  GenericOp generic;
  generic.inputs = {input};
  generic.inits = {init};
  generic.maps = {AffineMap::identity(1), AffineMap::identity(1)};
  generic.iterators = {IteratorType::Parallel};
  const Type f32 = scalar_type(ElementType::F32);
  const ValueId in = function.add_value("in", f32, {}), out = function.add_value("out", f32, {});
  ScalarInst add;
  add.op = ScalarOp::AddF;
  add.operands = {in, accumulate ? out : in, ValueId{}};
  add.result = function.add_value("y", f32, {});
  generic.body.args = {in, out};
  generic.body.insts = {add};
  generic.body.yields = {add.result};
  function.ops.push_back({{}, {result}, generic});
}

enum class Shape { SharedEmpty, Updates, UpdatesOfOneArgument };

Function chain(Shape shape) {
  Function function;
  function.name = "f";
  const ValueId x = add_tensor(function, "x");
  function.args = {{x, {}, false}};
  const ValueId empty = add_tensor(function, "e");
  function.ops.push_back({{}, {empty}, EmptyOp{}});
  ValueId last = x;
  for (unsigned k = 0; k < kOps; ++k) {
    const ValueId result = add_tensor(function, "v" + std::to_string(k));
    switch (shape) {
    case Shape::SharedEmpty: append_generic(function, result, last, empty, false); break;
    case Shape::Updates: append_generic(function, result, x, k == 0 ? empty : last, k > 0); break;
    case Shape::UpdatesOfOneArgument: append_generic(function, result, x, x, true); break;
    }
    last = result;
  }
  function.result_types = {tensor_type({8}, ElementType::F32)};
  function.ops.push_back({{}, {}, ReturnOp{{last}}});
  return function;
}

unsigned allocs_after(Function function, BufferizeMode mode) {
  Observer nobody;
  bufferize(function, mode, nobody);
  unsigned allocs = 0;
  for (const Op& op : function.ops)
    allocs += op.is<AllocOp>();
  return allocs;
}

TEST(BufferizeScale, AChainOnOneEmptyKeepsOneTemp) {
  EXPECT_EQ(allocs_after(chain(Shape::SharedEmpty), BufferizeMode::DestinationPassing), 1u);
}

TEST(BufferizeScale, AChainOfUpdatesIsComputedInTheResult) {
  EXPECT_EQ(allocs_after(chain(Shape::Updates), BufferizeMode::DestinationPassing), 0u);
}

TEST(BufferizeScale, UpdatesOfOneArgumentEachGetABuffer) {
  EXPECT_EQ(allocs_after(chain(Shape::UpdatesOfOneArgument), BufferizeMode::Copying), kOps - 1);
}

} // namespace

} // namespace mo::testing

// Long chains: one op in the end, and work in proportion to the number of links.
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

const Type kTensor = tensor_type({16}, ElementType::F32);
const AffineMap kIdentity = AffineMap::identity(1);

/// Appends %v = in0 + in1 (the same twice for a chain of one operand each).
ValueId append_link(Function& f, ValueId in0, ValueId in1, ValueId init) {
  GenericOp op;
  op.inputs = {in0, in1};
  op.inits = {init};
  op.maps = {kIdentity, kIdentity, kIdentity};
  op.iterators = {IteratorType::Parallel};
  for (const char* name : {"x", "y", "o"})
    op.body.args.push_back(f.add_value(name, scalar_type(ElementType::F32), {}));
  ScalarInst add;
  add.op = ScalarOp::AddF;
  add.operands = {op.body.args[0], op.body.args[1], ValueId{}};
  add.result = f.add_value("r", scalar_type(ElementType::F32), {});
  op.body.insts = {add};
  op.body.yields = {add.result};
  ValueId result = f.add_value("v", kTensor, {});
  f.ops.push_back(Op{{}, {result}, std::move(op)});
  return result;
}

enum class Other { SameValue, SameArgument, OwnArgument, FirstLink };

Function chain(unsigned links, Other other) {
  Function f;
  f.name = "chain";
  f.result_types = {kTensor};
  auto argument = [&] {
    ValueId v = f.add_value("a", kTensor, {});
    f.args.push_back({v, std::nullopt, false});
    return v;
  };
  ValueId last = argument(), shared = argument(), init = f.add_value("e", kTensor, {}),
          first = last;
  f.ops.push_back(Op{{}, {init}, EmptyOp{}});
  for (unsigned i = 0; i < links; ++i) {
    ValueId second = other == Other::SameValue      ? last
                     : other == Other::SameArgument ? shared
                     : other == Other::FirstLink    ? first
                                                    : argument();
    last = append_link(f, last, second, init);
    if (i == 0)
      first = last;
  }
  f.ops.push_back(Op{{}, {}, ReturnOp{{last}}});
  return f;
}

TEST(FuseChain, OfTwentyThousandLinksBecomesOneGeneric) {
  for (Other other : {Other::SameValue, Other::SameArgument, Other::OwnArgument}) {
    Function f = chain(20000, other);
    Observer observer;
    fuse_elementwise(f, FusionMode::Strict, observer);
    EXPECT_EQ(count(f).generics, 1u);
    EXPECT_EQ(f.ops[1].as<GenericOp>()->body.insts.size(), 20000u);
    EXPECT_EQ(f.ops[1].as<GenericOp>()->inputs.size(), other == Other::SameValue      ? 1u
                                                       : other == Other::SameArgument ? 2u
                                                                                      : 20001u);
    EXPECT_EQ(violations_in(f, Level::Tensor), "");
  }
}

TEST(FuseChain, AsksForEachRewriteOnce) {
  for (unsigned links : {10u, 100u}) {
    Function f = chain(links, Other::OwnArgument);
    Limit all(UINT32_MAX);
    fuse_elementwise(f, FusionMode::Strict, all);
    EXPECT_EQ(all.asked(), links - 1);
  }
}

class AttemptCounter final : public Observer {
public:
  bool wants_attempts() const override { return true; }
  void attempt(const Remark&) override { ++attempts; }
  unsigned attempts = 0;
};

// The first link has a second user until the last one is gone.
TEST(FuseChain, TellsOfTwentyThousandAttemptsAndBecomesOneGeneric) {
  Function f = chain(20000, Other::FirstLink);
  AttemptCounter counter;
  fuse_elementwise(f, FusionMode::Strict, counter);
  EXPECT_GE(counter.attempts, 19998u);
  EXPECT_LE(counter.attempts, 40000u);
  EXPECT_EQ(count(f).generics, 1u);
}

TEST(FuseChain, LeftOutOnRequestIsNotAskedForAgain) {
  Function f = chain(100, Other::OwnArgument);
  Limit none(0);
  fuse_elementwise(f, FusionMode::Mlir, none);
  EXPECT_EQ(none.asked(), 99u);
}

TEST(FuseChain, OfBroadcastsStopsWhereAnExpensiveBodyWouldBeRepeated) {
  // %0 = exp(%v); %1 = -%0; %2 reads %1 along new rows: by then exp is in %1.
  const Passed p = run_passes(
      "func.func @f(%v: tensor<4xf32>, %e: tensor<4xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> "
      "{\n" +
          generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%v : tensor<4xf32>",
                  "%e : tensor<4xf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = math.exp %i : f32\n"
                  "    linalg.yield %r : f32") +
          generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%0 : tensor<4xf32>",
                  "%e : tensor<4xf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = arith.negf %i : f32\n"
                  "    linalg.yield %r : f32") +
          generic("%2", {"(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)"}, "pp", "%1 : tensor<4xf32>",
                  "%u : tensor<4x8xf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = math.absf %i : f32\n"
                  "    linalg.yield %r : f32") +
          "  return %2 : tensor<4x8xf32>\n}",
      {PassKind::Fuse});
  EXPECT_EQ(count(p.function).generics, 2u);
  EXPECT_TRUE(p.has("expensive-recompute"));
}

} // namespace
} // namespace mo

// How an innermost loop is run, as decided from the loop nest alone.
#include "codegen/vector_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "codegen/loop_walk.h"
#include "tests/codegen/kernel_builder.h"

namespace mo {
namespace {

using testing::KernelBuilder;

std::optional<VectorPlan> plan(const Kernel& kernel, Isa isa = Isa::AVX512) {
  return plan_vector_loop(kernel, *kernel.body.back().as<Loop>(), 0, isa);
}

Kernel copy(ElementType type, int64_t n, int64_t from = 1, int64_t to = 1, bool streaming = false) {
  KernelBuilder k;
  uint32_t x = k.argument(type, n), out = k.argument(type, n);
  k.begin_loop(n, true);
  k.store(k.load(x, {from}), out, {to}, 0, streaming);
  k.end_loop();
  return k.finish();
}

TEST(VectorPlan, FillsAVectorWithTheWidestElements) {
  EXPECT_EQ(plan(copy(ElementType::F32, 100), Isa::SSE42)->lanes, 4u);
  EXPECT_EQ(plan(copy(ElementType::F32, 100), Isa::AVX2)->lanes, 8u);
  EXPECT_EQ(plan(copy(ElementType::F32, 100), Isa::AVX512)->lanes, 16u);
  EXPECT_EQ(plan(copy(ElementType::I1, 100), Isa::AVX512)->lanes, 16u);
  EXPECT_EQ(plan(copy(ElementType::Index, 100), Isa::AVX512)->lanes, 8u);
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 100), out = k.argument(ElementType::F64, 100);
  k.begin_loop(100, true);
  k.store(k.compute(ScalarOp::ExtF, ElementType::F64, {k.load(x, {1})}), out, {1});
  k.end_loop();
  EXPECT_EQ(plan(k.finish(), Isa::AVX2)->lanes, 4u);
}

TEST(VectorPlan, MasksTheEndsOfContiguousLoopsOnAvx512) {
  EXPECT_TRUE(plan(copy(ElementType::F32, 100))->masked_ends);
  EXPECT_FALSE(plan(copy(ElementType::F32, 100), Isa::AVX2)->masked_ends);
  EXPECT_FALSE(plan(copy(ElementType::F32, 100, 2))->masked_ends);
}

TEST(VectorPlan, UnrollsNoMoreThanTheLoopIsLong) {
  EXPECT_EQ(plan(copy(ElementType::F32, 64))->unroll, 4u);
  EXPECT_EQ(plan(copy(ElementType::F32, 63))->unroll, 2u);
  EXPECT_EQ(plan(copy(ElementType::F32, 5))->unroll, 1u);
}

// out[i] = x0[i] + ... : all are loaded before the first is added.
Kernel sum_of(int64_t operands) {
  KernelBuilder k;
  const uint32_t x = k.argument(ElementType::F32, 200), out = k.argument(ElementType::F32, 100);
  k.begin_loop(100, true);
  std::vector<Reg> values;
  for (int64_t j = 0; j < operands; ++j)
    values.push_back(k.load(x, {1}, j));
  for (int64_t j = 1; j < operands; ++j)
    values[0] =
        k.compute(ScalarOp::AddF, ElementType::F32, {values[0], values[static_cast<size_t>(j)]});
  k.store(values[0], out, {1});
  k.end_loop();
  return k.finish();
}

TEST(VectorPlan, LetsAsManyVectorsTakeTurnsAsFitIntoRegisters) {
  const auto turns = [](int64_t operands, Isa isa) {
    const Kernel kernel = sum_of(operands);
    const VectorPlan planned = *plan(kernel, isa);
    EXPECT_EQ(planned.unroll, 4u);
    return planned.turns;
  };
  EXPECT_EQ(turns(1, Isa::AVX2), 4u);
  EXPECT_EQ(turns(2, Isa::AVX2), 4u); // 8 constants and 4 times 2 values
  EXPECT_EQ(turns(3, Isa::AVX2), 2u);
  EXPECT_EQ(turns(5, Isa::AVX2), 1u);
  EXPECT_EQ(turns(3, Isa::AVX512), 4u); // 20 constants and 4 times 3 values
  EXPECT_EQ(turns(4, Isa::AVX512), 2u);
  EXPECT_EQ(turns(7, Isa::AVX512), 1u);
}

TEST(VectorPlan, StreamsOnlyWhereAWholeVectorIsLeftAfterAligning) {
  EXPECT_TRUE(plan(copy(ElementType::F32, 32, 1, 1, true))->streams);
  EXPECT_FALSE(plan(copy(ElementType::F32, 31, 1, 1, true))->streams);
  EXPECT_FALSE(plan(copy(ElementType::F32, 32, 1, 2, true))->streams);
  EXPECT_FALSE(plan(copy(ElementType::I1, 32, 1, 1, true))->streams);
}

TEST(VectorPlan, IsNothingForAStoreThatStandsStill) {
  EXPECT_FALSE(plan(copy(ElementType::F32, 100, 1, 0)));
}

TEST(VectorPlan, IsNothingForALoopThatHasToRunInOrder) {
  Kernel kernel = copy(ElementType::F32, 100);
  kernel.body.back().as<Loop>()->vectorizable = false;
  EXPECT_FALSE(plan(kernel));
}

TEST(VectorPlan, KnowsWhatAReductionCombines) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 100);
  Reg init = k.scalar(ElementType::F32);
  k.begin_loop(100, true);
  Reg current = k.carry(init);
  Reg element = k.load(x, {1});
  k.set_next(current, k.compute(ScalarOp::MaximumF, ElementType::F32, {element, current}),
             ScalarOp::MaximumF);
  k.end_loop();
  Kernel kernel = k.finish(); // plans point into it
  std::optional<VectorPlan> planned = plan(kernel);
  ASSERT_TRUE(planned);
  ASSERT_EQ(planned->reductions.size(), 1u);
  EXPECT_EQ(planned->reductions[0].partial, element);
  EXPECT_EQ(planned->reductions[0].neutral, testing::f32_bits(-INFINITY));
}

/// How many stores of the loop are moves, and how many of its steps are left out.
std::pair<size_t, size_t> moved(const Kernel& kernel, Isa isa) {
  const VectorPlan result = *plan(kernel, isa);
  return {result.moves.size(), result.left_out.size()};
}

TEST(VectorPlan, MovesElementsThatAreToBeStoredOneByOne) {
  using Counts = std::pair<size_t, size_t>;
  EXPECT_EQ(moved(copy(ElementType::F32, 100, 1, 3), Isa::AVX2), Counts(1, 1));
  EXPECT_EQ(moved(copy(ElementType::F32, 100, 3, 1), Isa::AVX2), Counts(0, 0));
  EXPECT_EQ(moved(copy(ElementType::F32, 100, 1, -1), Isa::AVX2), Counts(0, 0));
  EXPECT_EQ(moved(copy(ElementType::F32, 100, 1, 3), Isa::AVX512), Counts(0, 0)) << "masked";
  EXPECT_EQ(moved(copy(ElementType::F32, 100, 1, 5), Isa::AVX512), Counts(1, 1));
  EXPECT_EQ(moved(copy(ElementType::F32, 1 << 20, 1, 3), Isa::AVX512), Counts(1, 1)) << "large";
  EXPECT_EQ(moved(copy(ElementType::I1, 100, 1, 3), Isa::SSE42), Counts(1, 1));
}

// out[3 * i] = x[i], and in between something else is stored, or the value is asked for.
TEST(VectorPlan, MovesNothingAcrossAStoreAndKeepsLoadsThatAreWantedInLanes) {
  for (bool store_between : {false, true}) {
    KernelBuilder k;
    const uint32_t x = k.argument(ElementType::F32, 100), out = k.argument(ElementType::F32, 300);
    const uint32_t other = k.argument(ElementType::F32, 100);
    k.begin_loop(100, true);
    const Reg value = k.load(x, {1});
    const Reg changed = k.compute(ScalarOp::NegF, ElementType::F32, {value});
    if (store_between)
      k.store(changed, other, {1});
    k.store(value, out, {3});
    if (!store_between)
      k.store(changed, other, {1});
    k.end_loop();
    const Kernel kernel = k.finish();
    EXPECT_EQ(moved(kernel, Isa::AVX2), std::pair(store_between ? size_t{0} : 1, size_t{0}));
  }
}

// A copy with a prefetch of what it loads.
bool leaves_out_the_prefetch(int64_t stride, Isa isa) {
  Kernel kernel = copy(ElementType::F32, 1000, stride);
  std::vector<Node>& body = kernel.body.back().as<Loop>()->body;
  body.push_back(Node{Prefetch{*access_of(body.front()), 1, {}}});
  return plan(kernel, isa)->left_out.contains(&body.back());
}

TEST(VectorPlan, LeavesToThePrefetchersWhatTheyCanFollow) {
  for (Isa isa : {Isa::SSE42, Isa::AVX2, Isa::AVX512}) {
    EXPECT_FALSE(leaves_out_the_prefetch(1, isa)) << "arrays side by side";
    EXPECT_FALSE(leaves_out_the_prefetch(8, isa)) << "two in a line";
    EXPECT_FALSE(leaves_out_the_prefetch(-16, isa));
    EXPECT_EQ(leaves_out_the_prefetch(7, isa), isa != Isa::AVX512) << "loaded one by one";
    EXPECT_EQ(leaves_out_the_prefetch(2, isa), isa == Isa::SSE42);
    EXPECT_EQ(leaves_out_the_prefetch(-4, isa), isa == Isa::SSE42);
    EXPECT_EQ(leaves_out_the_prefetch(-1, isa), isa == Isa::SSE42);
  }
}

} // namespace
} // namespace mo

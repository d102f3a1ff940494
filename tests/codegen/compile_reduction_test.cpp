// Values carried from iteration to iteration.
#include <gtest/gtest.h>

#include <limits>

#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"

namespace mo {
namespace {

using testing::f32_bits;
using testing::f64_bits;
using testing::host_isas;
using testing::jit_mismatch;
using testing::KernelBuilder;
using testing::LoopArguments;
using testing::small_arguments;

// out[0] = op(out[0], x[0], ..., x[n-1])
Kernel reduce(ScalarOp op, ElementType type, int64_t n, int64_t stride = 1) {
  KernelBuilder k;
  uint32_t x = k.argument(type, n * stride), out = k.argument(type, 1);
  Reg init = k.load(out, {});
  k.begin_loop(n, true);
  Reg current = k.carry(init);
  Reg element = k.load(x, {stride});
  k.set_next(current, k.compute(op, type, {current, element}), op);
  k.end_loop();
  k.store(k.result_of(current), out, {});
  return k.finish();
}

TEST(CompileReduction, AddsUpEverySize) {
  for (ElementType type : {ElementType::F32, ElementType::F64, ElementType::I32, ElementType::I64})
    for (int64_t n = 0; n <= 70; ++n) {
      Kernel kernel = reduce(is_float(type) ? ScalarOp::AddF : ScalarOp::AddI, type, n);
      EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
          << spelling(type) << ", n = " << n;
    }
}

TEST(CompileReduction, CombinesWithEveryOp) {
  for (ScalarOp op : {ScalarOp::AddF, ScalarOp::MaximumF, ScalarOp::MinimumF, ScalarOp::MaxNumF,
                      ScalarOp::MinNumF})
    for (ElementType type : {ElementType::F32, ElementType::F64})
      for (int64_t n : {1, 2, 5, 16, 31, 67, 130}) {
        Kernel kernel = reduce(op, type, n);
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
            << info(op).spelling << ", " << spelling(type) << ", n = " << n;
      }
  for (ScalarOp op : {ScalarOp::AddI, ScalarOp::MulI, ScalarOp::AndI, ScalarOp::OrI, ScalarOp::XOrI,
                      ScalarOp::MaxSI, ScalarOp::MinSI, ScalarOp::MaxUI, ScalarOp::MinUI})
    for (ElementType type :
         {ElementType::I1, ElementType::I32, ElementType::I64, ElementType::Index})
      for (int64_t n : {1, 2, 5, 16, 31, 67, 130}) {
        Kernel kernel = reduce(op, type, n);
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
            << info(op).spelling << ", " << spelling(type) << ", n = " << n;
      }
}

TEST(CompileReduction, OfNothingIsTheInitialValueBitForBit) {
  for (uint64_t init : {f32_bits(-0.0f), uint64_t{0x7FA00001}, f32_bits(3.0f)})
    for (ScalarOp op : {ScalarOp::AddF, ScalarOp::MaximumF}) {
      Kernel kernel = reduce(op, ElementType::F32, 0);
      EXPECT_EQ(jit_mismatch(kernel, {{}, {init}}), "");
    }
}

TEST(CompileReduction, KeepsTheSignOfAZeroSum) {
  for (int64_t n : {1, 3, 16, 70}) {
    Kernel kernel = reduce(ScalarOp::AddF, ElementType::F32, n);
    LoopArguments zeros{std::vector<uint64_t>(n, f32_bits(-0.0f)), {f32_bits(-0.0f)}};
    EXPECT_EQ(jit_mismatch(kernel, zeros), "") << "n = " << n;
  }
}

// NaN, -0 and infinities, at any lane.
TEST(CompileReduction, OrdersSpecialValuesAsTheScalarOpsDo) {
  float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (ScalarOp op : {ScalarOp::MaximumF, ScalarOp::MinimumF, ScalarOp::MaxNumF, ScalarOp::MinNumF})
    for (float filler : {-0.0f, 0.0f, -inf, inf, nan})
      for (float special : {nan, -0.0f, 0.0f, inf, -inf})
        for (size_t at : {0, 7, 33, 36}) {
          Kernel kernel = reduce(op, ElementType::F32, 37);
          LoopArguments arguments{std::vector<uint64_t>(37, f32_bits(filler)), {f32_bits(filler)}};
          arguments[0][at] = f32_bits(special);
          EXPECT_EQ(jit_mismatch(kernel, arguments), "")
              << info(op).spelling << " of " << filler << " and " << special;
        }
}

TEST(CompileReduction, WalksStridedElements) {
  for (int64_t n : {1, 4, 17, 70}) {
    Kernel kernel = reduce(ScalarOp::AddI, ElementType::I32, n, 3);
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

// sum of x, max of x as f64, and any x > 0, with x stored as well: accumulators of several widths.
TEST(CompileReduction, CarriesSeveralResultsAndStoresBeside) {
  for (bool streaming : {false, true})
    for (int64_t n : {1, 3, 8, 29, 70, 133}) {
      KernelBuilder k;
      uint32_t x = k.argument(ElementType::F32, n), copy = k.argument(ElementType::F32, n);
      uint32_t sum = k.argument(ElementType::F32, 1), max = k.argument(ElementType::F64, 1);
      uint32_t any = k.argument(ElementType::I1, 1);
      Reg zero = k.constant_value(ElementType::F32, 0);
      Reg sum0 = k.load(sum, {}), max0 = k.load(max, {}), any0 = k.load(any, {});
      k.begin_loop(n, true);
      Reg s = k.carry(sum0), m = k.carry(max0), a = k.carry(any0);
      Reg e = k.load(x, {1});
      k.store(e, copy, {1}, 0, streaming);
      Reg wide = k.compute(ScalarOp::ExtF, ElementType::F64, {e});
      Reg positive = k.compute(ScalarOp::CmpF, ElementType::I1, {e, zero},
                               static_cast<uint8_t>(CmpFPredicate::OGT));
      k.set_next(s, k.compute(ScalarOp::AddF, ElementType::F32, {e, s}), ScalarOp::AddF);
      k.set_next(m, k.compute(ScalarOp::MaximumF, ElementType::F64, {m, wide}), ScalarOp::MaximumF);
      k.set_next(a, k.compute(ScalarOp::OrI, ElementType::I1, {a, positive}), ScalarOp::OrI);
      k.end_loop();
      k.store(k.result_of(s), sum, {});
      k.store(k.result_of(m), max, {});
      k.store(k.result_of(a), any, {});
      Kernel kernel = k.finish();
      for (Isa isa : host_isas())
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa, 4, true), "") << "n = " << n;
    }
}

// sum[i] = sum over j of x[i, j], the row's sum in a register
TEST(CompileReduction, SumsEveryRow) {
  for (int64_t n : {1, 7, 16, 45, 70}) {
    KernelBuilder k;
    uint32_t x = k.argument(ElementType::F32, 6 * n), sums = k.argument(ElementType::F32, 6);
    k.begin_loop(6);
    Reg init = k.load(sums, {1});
    k.begin_loop(n, true);
    Reg current = k.carry(init);
    Reg element = k.load(x, {n, 1});
    k.set_next(current, k.compute(ScalarOp::AddF, ElementType::F32, {current, element}),
               ScalarOp::AddF);
    k.end_loop();
    k.store(k.result_of(current), sums, {1});
    k.end_loop();
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

// One value carried through both loops.
TEST(CompileReduction, CarriesThroughNestedLoops) {
  for (int64_t n : {1, 7, 16, 45}) {
    KernelBuilder k;
    uint32_t x = k.argument(ElementType::I64, 5 * n), total = k.argument(ElementType::I64, 1);
    Reg init = k.load(total, {});
    k.begin_loop(5);
    Reg outer = k.carry(init);
    k.begin_loop(n, true);
    Reg inner = k.carry(outer);
    Reg element = k.load(x, {1, 5});
    k.set_next(inner, k.compute(ScalarOp::AddI, ElementType::I64, {inner, element}),
               ScalarOp::AddI);
    k.end_loop();
    k.set_next(outer, k.result_of(inner), ScalarOp::AddI);
    k.end_loop();
    k.store(k.result_of(outer), total, {});
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

// Subtraction has no order to choose from.
TEST(CompileReduction, KeepsTheOrderWhereNothingMayBeCombined) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 50), out = k.argument(ElementType::F32, 1);
  Reg init = k.load(out, {});
  k.begin_loop(50);
  Reg current = k.carry(init);
  Reg element = k.load(x, {1});
  k.set_next(current, k.compute(ScalarOp::SubF, ElementType::F32, {element, current}));
  k.end_loop();
  k.store(k.result_of(current), out, {});
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

// Fibonacci: each value's next is made of the other's current.
TEST(CompileReduction, HandsCarriedValuesOnAllAtOnce) {
  KernelBuilder k;
  uint32_t out = k.argument(ElementType::I64, 2);
  Reg a0 = k.load(out, {}), b0 = k.load(out, {}, 1);
  k.begin_loop(20);
  Reg a = k.carry(a0), b = k.carry(b0);
  k.set_next(b, a);
  k.set_next(a, k.compute(ScalarOp::AddI, ElementType::I64, {a, b}));
  k.end_loop();
  k.store(k.result_of(a), out, {});
  k.store(k.result_of(b), out, {}, 1);
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, {{1, 0}}), "");
}

// A running sum is read in every iteration: not a reduction, whatever the loop says.
TEST(CompileReduction, DoesNotSplitAValueThatIsAlsoStored) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::I32, 50), out = k.argument(ElementType::I32, 50);
  Reg zero = k.constant_value(ElementType::I32, 0);
  k.begin_loop(50, true);
  Reg current = k.carry(zero);
  Reg next = k.compute(ScalarOp::AddI, ElementType::I32, {current, k.load(x, {1})});
  k.store(next, out, {1});
  k.set_next(current, next, ScalarOp::AddI);
  k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

// The counter of iterations: what is combined does not come from the loop at all.
TEST(CompileReduction, CombinesAValueFromOutsideTheLoop) {
  for (int64_t n : {2, 9, 64, 71}) {
    KernelBuilder k;
    uint32_t out = k.argument(ElementType::I32, 1);
    Reg step = k.scalar(ElementType::I32), init = k.load(out, {});
    k.begin_loop(n, true);
    Reg current = k.carry(init);
    k.set_next(current, k.compute(ScalarOp::AddI, ElementType::I32, {current, step}),
               ScalarOp::AddI);
    k.end_loop();
    k.store(k.result_of(current), out, {});
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

TEST(CompileReduction, CountsPastFourBillionIterations) {
  constexpr int64_t kExtent = (int64_t{1} << 32) + 5;
  KernelBuilder k;
  uint32_t out = k.argument(ElementType::I64, 1);
  Reg one = k.constant_value(ElementType::I64, 1), init = k.load(out, {});
  k.begin_loop(kExtent, true);
  Reg current = k.carry(init);
  k.set_next(current, k.compute(ScalarOp::AddI, ElementType::I64, {current, one}), ScalarOp::AddI);
  k.end_loop();
  k.store(k.result_of(current), out, {});
  Diagnostics diagnostics;
  std::optional<CompiledKernel> compiled = compile(k.finish(), host_isas().back(), diagnostics);
  ASSERT_TRUE(compiled);
  int64_t total = 2;
  void* arguments[] = {&total};
  compiled->entry(arguments);
  EXPECT_EQ(total, kExtent + 2);
}

} // namespace
} // namespace mo

// Every way to walk a buffer, for every element type, size and alignment.
#include <gtest/gtest.h>

#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"
#include "tests/support/element_bits.h"

namespace mo {
namespace {

using testing::host_isas;
using testing::jit_mismatch;
using testing::kElementTypes;
using testing::KernelBuilder;
using testing::small_arguments;

// The element that iteration 0 accesses, so that all n accesses are inside 0 .. |stride| * (n-1).
int64_t first(int64_t stride, int64_t n) {
  return stride < 0 && n > 0 ? -stride * (n - 1) : 0;
}
int64_t elements(int64_t stride, int64_t n) {
  return n == 0 ? 0 : std::abs(stride) * (n - 1) + 1;
}

// out[i * to] = x[i * from]
Kernel copy(ElementType type, int64_t n, int64_t from, int64_t to, bool streaming = false) {
  KernelBuilder k;
  uint32_t x = k.argument(type, elements(from, n)), out = k.argument(type, elements(to, n));
  k.begin_loop(n, true);
  k.store(k.load(x, {from}, first(from, n)), out, {to}, first(to, n), streaming);
  k.end_loop();
  return k.finish();
}

bool compiles(const Kernel& kernel, Isa isa) {
  Diagnostics diagnostics;
  return compile(kernel, isa, diagnostics).has_value();
}

/// Another value.
Reg changed(KernelBuilder& k, ElementType type, Reg value) {
  if (is_float(type))
    return k.compute(ScalarOp::NegF, type, {value});
  return k.compute(ScalarOp::XOrI, type, {value, k.constant_value(type, 1)});
}

std::string copy_mismatch(ElementType type, int64_t n, int64_t from, int64_t to) {
  Kernel kernel = copy(type, n, from, to);
  std::string complaint = jit_mismatch(kernel, small_arguments(kernel));
  if (!complaint.empty())
    complaint += " (" + std::string(spelling(type)) + ", n = " + std::to_string(n) + ")";
  return complaint;
}

TEST(CompileAccess, CopiesContiguousElementsOfEveryType) {
  for (ElementType type : kElementTypes)
    for (int64_t n = 0; n <= 70; ++n)
      EXPECT_EQ(copy_mismatch(type, n, 1, 1), "");
}

TEST(CompileAccess, GathersElementsThatAreApart) {
  for (ElementType type : kElementTypes)
    for (int64_t stride : {2, 3, 4, 5, 8, 9, 10, 11, 17, -1, -2, -3, -8, -9})
      for (int64_t n : {1, 2, 3, 7, 15, 16, 17, 33, 70})
        EXPECT_EQ(copy_mismatch(type, n, stride, 1), "") << "stride " << stride;
}

TEST(CompileAccess, ScattersElementsThatAreApart) {
  for (ElementType type : kElementTypes)
    for (int64_t stride : {2, 3, 4, 5, 8, 9, -1, -2, -3, -8})
      for (int64_t n : {1, 2, 3, 7, 15, 16, 17, 33, 70})
        EXPECT_EQ(copy_mismatch(type, n, 1, stride), "") << "stride " << stride;
}

// The same, but of values that are computed, which are never moved from memory to memory.
TEST(CompileAccess, GathersAndScattersWhatIsComputed) {
  for (ElementType type : kElementTypes)
    for (int64_t from : {1, 2, 3, 5, 8, 9, -1, -2})
      for (int64_t to : {1, 2, 3, 4, 5, 9, -1, -2, -9})
        for (int64_t n : {1, 2, 15, 17, 70}) {
          KernelBuilder k;
          uint32_t x = k.argument(type, elements(from, n)), out = k.argument(type, elements(to, n));
          k.begin_loop(n, true);
          k.store(changed(k, type, k.load(x, {from}, first(from, n))), out, {to}, first(to, n));
          k.end_loop();
          const Kernel kernel = k.finish();
          EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
              << spelling(type) << " from " << from << " to " << to << ", n = " << n;
        }
}

// Elements go through other registers where the buffer is large.
TEST(CompileAccess, ScattersIntoLargeBuffers) {
  for (ElementType type : kElementTypes)
    for (int64_t stride : {2, 3, -1, -2})
      for (bool computed : {false, true}) {
        KernelBuilder k;
        const int64_t n = 37, all = (1 << 20) / byte_size(type);
        const uint32_t x = k.argument(type, n), out = k.argument(type, all);
        k.begin_loop(n, true);
        const Reg value = k.load(x, {1});
        k.store(computed ? changed(k, type, value) : value, out, {stride}, first(stride, n));
        k.end_loop();
        const Kernel kernel = k.finish();
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
            << spelling(type) << ", stride " << stride;
      }
}

// out1[3 * i] = x[2 * i], out2[i] = f(x[2 * i]), x[2 * i] = y[i], out3[3 * i] = x[2 * i] as it was:
// elements that are moved are in lanes too where these are asked for, and are those from before.
TEST(CompileAccess, MovesWhatWasThereWhenItWasLoaded) {
  constexpr int64_t kSteps = 45;
  for (ElementType type : kElementTypes) {
    KernelBuilder k;
    const uint32_t x = k.argument(type, 2 * kSteps), y = k.argument(type, kSteps);
    const uint32_t out1 = k.argument(type, 3 * kSteps), out2 = k.argument(type, kSteps);
    const uint32_t out3 = k.argument(type, 3 * kSteps);
    k.begin_loop(kSteps, true);
    const Reg before = k.load(x, {2});
    k.store(before, out1, {3});
    k.store(changed(k, type, before), out2, {1});
    k.store(k.load(y, {1}), x, {2});
    k.store(before, out3, {3});
    k.end_loop();
    const Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << spelling(type);
  }
}

// out[stride * i] = min(log(x[i]), out[stride * i]): what picks elements out may be on the stack.
TEST(CompileAccess, PermutesByWhatHasBeenSpilled) {
  for (ElementType type : {ElementType::F32, ElementType::F64})
    for (int64_t stride : {2, 3, 4, -1, -2}) {
      constexpr int64_t kSteps = 64;
      KernelBuilder k;
      const uint32_t x = k.argument(type, kSteps);
      const uint32_t out = k.argument(type, elements(stride, kSteps));
      k.begin_loop(kSteps, true);
      Reg value = k.load(x, {1});
      const Reg before = k.load(out, {stride}, first(stride, kSteps));
      value = k.compute(ScalarOp::Log, type, {value});
      value = k.compute(ScalarOp::MinimumF, type, {value, before});
      k.store(value, out, {stride}, first(stride, kSteps));
      k.end_loop();
      const Kernel kernel = k.finish();
      for (Isa isa : host_isas())
        EXPECT_TRUE(compiles(kernel, isa)) << spelling(type) << ", stride " << stride;
    }
}

// More values than any instruction set has registers, so that most are on the stack when they are
// stored, by whichever instruction takes them apart.
TEST(CompileAccess, ScattersWhatHasBeenSpilled) {
  constexpr int64_t kValues = 40, kSteps = 35;
  for (ElementType type : kElementTypes)
    for (int64_t stride : {1, 2, 3, 9, -1, -5}) {
      KernelBuilder k;
      const uint32_t x = k.argument(type, kSteps + kValues);
      std::vector<uint32_t> outs;
      for (int64_t j = 0; j < kValues; ++j)
        outs.push_back(k.argument(type, elements(stride, kSteps)));
      k.begin_loop(kSteps, true);
      std::vector<Reg> values;
      for (int64_t j = 0; j < kValues; ++j)
        values.push_back(changed(k, type, k.load(x, {1}, j)));
      for (int64_t j = 0; j < kValues; ++j)
        k.store(values[j], outs[j], {stride}, first(stride, kSteps));
      k.end_loop();
      const Kernel kernel = k.finish();
      EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
          << spelling(type) << ", stride " << stride;
    }
}

// out[2 * i] = x[3 * i]: what stands between the elements written keeps its value.
TEST(CompileAccess, LeavesTheElementsBetweenAlone) {
  for (ElementType type : kElementTypes)
    for (int64_t to : {2, 3, -2, -7})
      for (int64_t n : {5, 16, 31, 64})
        EXPECT_EQ(copy_mismatch(type, n, 3, to), "") << "stride " << to;
}

TEST(CompileAccess, BroadcastsAnElementThatStandsStill) {
  for (ElementType type : kElementTypes)
    for (int64_t n : {1, 2, 3, 7, 15, 16, 17, 33, 70})
      EXPECT_EQ(copy_mismatch(type, n, 0, 1), "");
}

TEST(CompileAccess, TakesBuffersAtAnyAddress) {
  for (Isa isa : host_isas())
    for (ElementType type : kElementTypes)
      for (size_t misalign : {1, 3, 4, 8, 12, 20, 36, 63})
        for (int64_t n : {1, 5, 16, 31, 67}) {
          Kernel kernel = copy(type, n, 1, 1);
          EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa, misalign, true), "")
              << spelling(type) << ", n = " << n << ", " << misalign << " bytes off";
        }
}

TEST(CompileAccess, StreamsToOutputsAtAnyAddress) {
  for (Isa isa : host_isas())
    for (ElementType type : kElementTypes)
      for (size_t misalign : {0, 1, 4, 8, 12, 20, 36, 60})
        for (int64_t n : {1, 8, 15, 16, 31, 33, 64, 67, 150}) {
          Kernel kernel = copy(type, n, 1, 1, true);
          EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa, misalign, true), "")
              << spelling(type) << ", n = " << n << ", " << misalign << " bytes off";
        }
}

// Both outputs aligned at the same iteration or at different ones, or of different widths.
TEST(CompileAccess, StreamsToSeveralOutputsOnlyWhereTheyAlignTogether) {
  for (Isa isa : host_isas())
    for (auto [a, b] : {std::pair{ElementType::F32, ElementType::F32},
                        std::pair{ElementType::F32, ElementType::F64},
                        std::pair{ElementType::I1, ElementType::I64}})
      for (size_t misalign : {0, 4, 8, 32})
        for (bool spread : {false, true})
          for (int64_t n : {30, 65, 131}) {
            KernelBuilder k;
            uint32_t x = k.argument(a, n), y = k.argument(b, n);
            uint32_t out = k.argument(a, n), out2 = k.argument(b, n);
            k.begin_loop(n, true);
            Reg left = k.load(x, {1}), right = k.load(y, {1});
            k.store(left, out, {1}, 0, true);
            k.store(right, out2, {1}, 0, true);
            k.end_loop();
            Kernel kernel = k.finish();
            EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa, misalign, spread), "")
                << spelling(a) << ", " << spelling(b) << ", n = " << n << ", " << misalign;
          }
}

// out[i, j] = x[j, i]
TEST(CompileAccess, ReadsATransposedMatrix) {
  for (ElementType type : kElementTypes)
    for (int64_t rows : {1, 3, 17})
      for (int64_t columns : {1, 4, 15, 33}) {
        KernelBuilder k;
        uint32_t x = k.argument(type, rows * columns), out = k.argument(type, rows * columns);
        k.begin_loop(rows);
        k.begin_loop(columns, true);
        k.store(k.load(x, {1, rows}), out, {columns, 1});
        k.end_loop();
        k.end_loop();
        Kernel kernel = k.finish();
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
      }
}

// out[i, j] = x[i, j] + row[j] + column[i] + x[i, j + 1], rows apart from each other
TEST(CompileAccess, WalksRowsWithBroadcastsAndNeighbours) {
  constexpr int64_t kRows = 5, kPitch = 80;
  for (int64_t n = 1; n <= 70; ++n) {
    KernelBuilder k;
    uint32_t x = k.argument(ElementType::I32, kRows * kPitch);
    uint32_t row = k.argument(ElementType::I32, n), column = k.argument(ElementType::I32, kRows);
    uint32_t out = k.argument(ElementType::I32, kRows * kPitch);
    k.begin_loop(kRows);
    Reg of_row = k.load(column, {1});
    k.begin_loop(n, true);
    Reg sum = k.load(x, {kPitch, 1});
    for (Reg other : {k.load(row, {0, 1}), of_row, k.load(x, {kPitch, 1}, 1)})
      sum = k.compute(ScalarOp::AddI, ElementType::I32, {sum, other});
    k.store(sum, out, {kPitch, 1}, 3);
    k.end_loop();
    k.end_loop();
    Kernel kernel = k.finish();
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

TEST(CompileAccess, RunsALoopWithDependencesInOrder) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 40);
  k.begin_loop(39);
  Reg sum = k.compute(ScalarOp::AddF, ElementType::F32, {k.load(x, {1}), k.load(x, {1}, 1)});
  k.store(sum, x, {1}, 1);
  k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

TEST(CompileAccess, ReadsAndWritesOneBufferInPlace) {
  for (bool streaming : {false, true})
    for (int64_t n : {1, 6, 33, 70, 200}) {
      KernelBuilder k;
      uint32_t x = k.argument(ElementType::F32, n);
      k.begin_loop(n, true);
      Reg before = k.load(x, {1});
      k.store(k.compute(ScalarOp::AddF, ElementType::F32, {before, before}), x, {1}, 0, streaming);
      k.end_loop();
      Kernel kernel = k.finish();
      for (Isa isa : host_isas())
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa, 4), "") << "n = " << n;
    }
}

// Coefficients of loops that run once may be anything; addresses wrap (affine_map.h).
TEST(CompileAccess, IgnoresTheStrideOfALoopThatRunsOnce) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 8), out = k.argument(ElementType::F32, 8);
  k.begin_loop(1);
  k.begin_loop(8, true);
  k.store(k.load(x, {INT64_MAX, 1}), out, {INT64_MIN + 1, 1});
  k.end_loop();
  k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

TEST(CompileAccess, GathersAcrossMoreThanTwoGigabytes) {
  // Lane k stands k * 2^29 * 8 bytes away in the arithmetic; the outer loop's stride takes it back.
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F64, 4), out = k.argument(ElementType::F64, 4);
  constexpr int64_t kFar = int64_t{1} << 29;
  k.begin_loop(1);
  k.begin_loop(4, true);
  k.store(k.load(x, {0, 1}, 0), out, {kFar, 1}, 0);
  k.end_loop();
  k.end_loop();
  k.begin_loop(2, true);
  k.store(k.load(x, {-kFar * 16}, 0), out, {1});
  k.end_loop();
  Kernel kernel = k.finish();
  // Only its compilation: no array is that large.
  for (Isa isa : host_isas())
    EXPECT_TRUE(compiles(kernel, isa));
}

} // namespace
} // namespace mo

// Copies that turn rows into columns, at sizes around every tile, for every element type.
#include <gtest/gtest.h>

#include "codegen/emit_transpose.h"
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

// out[c * rows + r] = x[r * columns + c], as two loops alone, in either order
Kernel copy(ElementType type, int64_t rows, int64_t columns, bool rows_outside,
            bool streaming = false) {
  KernelBuilder k;
  uint32_t x = k.argument(type, rows * columns), out = k.argument(type, rows * columns);
  k.begin_loop(rows_outside ? rows : columns);
  k.begin_loop(rows_outside ? columns : rows, true);
  if (rows_outside)
    k.store(k.load(x, {columns, 1}), out, {1, rows});
  else
    k.store(k.load(x, {1, columns}), out, {rows, 1}, 0, streaming);
  k.end_loop();
  k.end_loop();
  return k.finish();
}

TEST(CompileTranspose, CopiesMatricesAroundEveryTile) {
  for (ElementType type : kElementTypes)
    for (int64_t rows : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 35})
      for (int64_t columns : {1, 2, 4, 6, 8, 11, 16, 19, 48}) {
        Kernel kernel = copy(type, rows, columns, (rows + columns) % 2 == 0);
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
            << spelling(type) << ", " << rows << " x " << columns;
      }
}

TEST(CompileTranspose, TheLargestTileThatFitsIsChosen) {
  const auto tile = [](ElementType type, int64_t rows, int64_t columns, Isa isa) {
    const Kernel kernel = copy(type, rows, columns, true);
    const auto plan = plan_transposing_copy(kernel, *kernel.body[0].as<Loop>(), 0, isa);
    return plan ? plan->tile : 0;
  };
  EXPECT_EQ(tile(ElementType::F32, 16, 100, Isa::AVX512), 16u);
  EXPECT_EQ(tile(ElementType::F32, 100, 15, Isa::AVX512), 8u);
  EXPECT_EQ(tile(ElementType::F32, 7, 100, Isa::AVX512), 4u);
  EXPECT_EQ(tile(ElementType::F32, 100, 3, Isa::AVX512), 0u);
  EXPECT_EQ(tile(ElementType::F32, 100, 100, Isa::AVX2), 8u);
  EXPECT_EQ(tile(ElementType::F32, 100, 100, Isa::SSE42), 4u);
  EXPECT_EQ(tile(ElementType::F64, 100, 100, Isa::AVX512), 8u);
  EXPECT_EQ(tile(ElementType::F64, 2, 2, Isa::SSE42), 2u);
  EXPECT_EQ(tile(ElementType::I1, 100, 100, Isa::AVX512), 16u);
  EXPECT_EQ(tile(ElementType::I1, 100, 15, Isa::AVX512), 0u);
}

TEST(CompileTranspose, StreamsWhereRowsOfTilesAreAligned) {
  for (Isa isa : host_isas())
    for (ElementType type : kElementTypes)
      for (size_t misalign : {0, 4, 8, 16, 32})
        for (int64_t rows : {16, 32, 40})
          for (int64_t columns : {16, 20}) {
            Kernel kernel = copy(type, rows, columns, false, true);
            EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa, misalign, true), "")
                << spelling(type) << ", " << rows << " x " << columns << ", " << misalign
                << " bytes off";
          }
}

// Rows and columns of larger matrices: what is around the copied part keeps its value.
TEST(CompileTranspose, LeavesWhatIsAroundTheMatrixAlone) {
  for (ElementType type : kElementTypes)
    for (int64_t pad : {1, 5, 16}) {
      constexpr int64_t kRows = 18, kColumns = 21;
      KernelBuilder k;
      uint32_t x = k.argument(type, kRows * (kColumns + pad));
      uint32_t out = k.argument(type, kColumns * (kRows + pad));
      k.begin_loop(kRows);
      k.begin_loop(kColumns, true);
      k.store(k.load(x, {kColumns + pad, 1}, pad), out, {1, kRows + pad}, 1);
      k.end_loop();
      k.end_loop();
      Kernel kernel = k.finish();
      EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << spelling(type);
    }
}

// Two elements go to one place, the later one stays: no copy that may run in any order.
TEST(CompileTranspose, ACopyOntoItselfRunsInOrder) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 64), out = k.argument(ElementType::F32, 15);
  k.begin_loop(8);
  k.begin_loop(8, true);
  k.store(k.load(x, {1, 8}), out, {1, 1});
  k.end_loop();
  k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_FALSE(plan_transposing_copy(kernel, *kernel.body[0].as<Loop>(), 0, Isa::SSE42));
}

TEST(CompileTranspose, RowsFartherApartThanDisplacementsReachAreCopiedOneByOne) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, 8), out = k.argument(ElementType::F32, 64);
  k.begin_loop(8);
  k.begin_loop(8, true);
  k.store(k.load(x, {int64_t{1} << 40, 1}), out, {1, 8});
  k.end_loop();
  k.end_loop();
  Kernel kernel = k.finish();
  EXPECT_FALSE(plan_transposing_copy(kernel, *kernel.body[0].as<Loop>(), 0, Isa::AVX512));
}

} // namespace
} // namespace mo

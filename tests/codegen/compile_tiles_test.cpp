// Machine code of nests in blocks, at sizes around every tile and block, for every element type.
#include <gtest/gtest.h>

#include "codegen/simplify.h"
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

// y[i, j] = x[j, i] op r[i, j], z[j, i] = that too: through scratches.
Kernel both_ways(ElementType type, int64_t rows, int64_t columns) {
  KernelBuilder k;
  uint32_t x = k.argument(type, rows * columns), r = k.argument(type, rows * columns);
  uint32_t y = k.argument(type, rows * columns), z = k.argument(type, rows * columns);
  k.begin_loop(rows);
  k.begin_loop(columns, true);
  Reg a = k.load(x, {1, rows}), b = k.load(r, {columns, 1});
  Reg c = k.compute(is_float(type) ? ScalarOp::AddF : ScalarOp::XOrI, type, {a, b});
  k.store(c, y, {columns, 1});
  k.store(c, z, {1, rows});
  k.end_loop();
  k.end_loop();
  Kernel kernel = k.finish();
  simplify(kernel);
  return kernel;
}

TEST(CompileTiles, ComputesOnBlocksAtAnySize) {
  for (ElementType type : kElementTypes)
    for (int64_t rows : {4, 16, 17, 33, 130})
      for (int64_t columns : {4, 9, 16, 31, 128, 145}) {
        Kernel kernel = both_ways(type, rows, columns);
        EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "")
            << spelling(type) << ", " << rows << " x " << columns;
      }
}

TEST(CompileTiles, StreamsFromBlocksAtAnyAddress) {
  for (Isa isa : host_isas())
    for (ElementType type : {ElementType::F32, ElementType::F64})
      for (size_t misalign : {0, 4, 8, 24, 32})
        for (int64_t rows : {64, 130}) {
          Kernel kernel = both_ways(type, rows, 144);
          choose_streaming_stores(kernel, NtStores::Always, 0);
          EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel), isa, misalign, true), "")
              << spelling(type) << ", " << rows << " rows, " << misalign << " bytes off";
        }
}

// A nest of one block has no loop over blocks that would hold it together: the scratches of its
// operands are filled by nests of their own.
TEST(CompileTiles, ScratchesOfOneBlockKeepApart) {
  for (int64_t size : {8, 16, 24}) {
    KernelBuilder k;
    const uint32_t x = k.argument(ElementType::F32, size * size);
    const uint32_t r = k.argument(ElementType::F32, size * size);
    const uint32_t y = k.argument(ElementType::F32, size * size);
    k.begin_loop(size);
    k.begin_loop(size, true);
    const Reg a = k.load(x, {1, size}), b = k.load(r, {1, size}), c = k.load(y, {size, 1});
    const Reg sum = k.compute(ScalarOp::AddF, ElementType::F32, {a, b});
    k.store(k.compute(ScalarOp::SubF, ElementType::F32, {sum, c}), y, {size, 1});
    k.end_loop();
    k.end_loop();
    Kernel kernel = k.finish();
    simplify(kernel);
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << size;
  }
}

// Several nests use the same scratch memory, also when each is a machine function of its own.
TEST(CompileTiles, NestsShareTheScratchMemory) {
  KernelBuilder k;
  constexpr int64_t kSize = 24;
  std::vector<uint32_t> buffers;
  for (int n = 0; n < 12; ++n)
    buffers.push_back(k.argument(ElementType::F32, kSize * kSize));
  for (size_t n = 0; n + 1 < buffers.size(); ++n) {
    k.begin_loop(kSize);
    k.begin_loop(kSize, true);
    Reg a = k.load(buffers[n], {1, kSize});
    k.store(k.compute(ScalarOp::AddF, ElementType::F32, {a, a}), buffers[n + 1], {kSize, 1});
    k.end_loop();
    k.end_loop();
  }
  Kernel kernel = k.finish();
  simplify(kernel);
  EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "");
}

} // namespace
} // namespace mo

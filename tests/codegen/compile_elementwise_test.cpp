// Vector loops over contiguous and strided elements, at every size and alignment.
#include <gtest/gtest.h>

#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"

namespace mo {
namespace {

using testing::f32_bits;
using testing::jit_mismatch;
using testing::KernelBuilder;
using testing::small_arguments;

// out[i] = max(x[i] * s + b, 0)
Kernel relu_chain(int64_t n, bool streaming = false) {
  KernelBuilder k;
  uint32_t x = k.argument(ElementType::F32, n), out = k.argument(ElementType::F32, n);
  Reg s = k.scalar(ElementType::F32), b = k.scalar(ElementType::F32);
  Reg zero = k.constant_value(ElementType::F32, 0);
  k.begin_loop(n, true);
  Reg product = k.compute(ScalarOp::MulF, ElementType::F32, {k.load(x, {1}), s});
  Reg sum = k.compute(ScalarOp::AddF, ElementType::F32, {product, b});
  Reg relu = k.compute(ScalarOp::MaximumF, ElementType::F32, {sum, zero});
  k.store(relu, out, {1}, 0, streaming);
  k.end_loop();
  return k.finish();
}

TEST(CompileElementwise, ComputesEveryElementAtEverySize) {
  for (int64_t n = 0; n <= 70; ++n) {
    Kernel kernel = relu_chain(n);
    EXPECT_EQ(jit_mismatch(kernel, small_arguments(kernel)), "") << "n = " << n;
  }
}

} // namespace
} // namespace mo

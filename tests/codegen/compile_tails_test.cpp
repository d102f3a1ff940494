// Ops that could trap or signal, in loops whose last elements do not fill a register.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/codegen/jit_support.h"
#include "tests/codegen/kernel_builder.h"
#include "tests/codegen/vector_harness.h"

namespace mo {
namespace {

using testing::jit_mismatch;
using testing::KernelBuilder;
using testing::LoopArguments;

/// out[i] = op(x[i], ...) for every size around those of registers, the operands' special values
/// in turn, each size starting with another pair. Empty, or what is wrong.
std::string mismatch_at_some_size(ScalarOp op, ElementType from, ElementType to) {
  const std::vector<uint64_t> special = test::special_values(from);
  const unsigned arity = info(op).arity;
  for (int64_t n = 1; n <= 37; ++n) {
    KernelBuilder k;
    const uint32_t a = k.argument(from, n), b = k.argument(from, n), out = k.argument(to, n);
    k.begin_loop(n, true);
    const Reg x = k.load(a, {1});
    const Reg result = arity == 2 ? k.compute(op, to, {x, k.load(b, {1})}) : k.compute(op, to, {x});
    k.store(result, out, {1});
    k.end_loop();
    const Kernel kernel = k.finish();
    LoopArguments arguments(3);
    for (int64_t i = 0; i < n; ++i) {
      // Zero, minus one and the smallest number meet one another, in the last element too.
      const size_t number = static_cast<size_t>(n * 41 + i);
      arguments[0].push_back(special[number % special.size()]);
      arguments[1].push_back(special[number / special.size() * 7 % special.size()]);
      arguments[2].push_back(0);
    }
    if (const std::string story = jit_mismatch(kernel, arguments); !story.empty())
      return fmt::format("{} from {} to {}, {} elements: {}", info(op).spelling, spelling(from),
                         spelling(to), n, story);
  }
  return "";
}

TEST(CompileTails, IntegerDivisionNeverTraps) {
  for (ElementType type : {ElementType::I32, ElementType::I64, ElementType::Index, ElementType::I1})
    for (ScalarOp op : {ScalarOp::DivSI, ScalarOp::DivUI, ScalarOp::CeilDivSI, ScalarOp::FloorDivSI,
                        ScalarOp::RemSI, ScalarOp::RemUI})
      EXPECT_EQ(mismatch_at_some_size(op, type, type), "");
}

TEST(CompileTails, FloatsBecomeIntegersAndBack) {
  for (ElementType real : {ElementType::F32, ElementType::F64})
    for (ElementType whole : {ElementType::I1, ElementType::I32, ElementType::I64}) {
      EXPECT_EQ(mismatch_at_some_size(ScalarOp::FPToSI, real, whole), "");
      EXPECT_EQ(mismatch_at_some_size(ScalarOp::FPToUI, real, whole), "");
      EXPECT_EQ(mismatch_at_some_size(ScalarOp::SIToFP, whole, real), "");
      EXPECT_EQ(mismatch_at_some_size(ScalarOp::UIToFP, whole, real), "");
    }
}

TEST(CompileTails, FloatsAreRounded) {
  for (ElementType type : {ElementType::F32, ElementType::F64})
    for (ScalarOp op : {ScalarOp::Floor, ScalarOp::Ceil, ScalarOp::Round, ScalarOp::RoundEven,
                        ScalarOp::Trunc, ScalarOp::RemF})
      EXPECT_EQ(mismatch_at_some_size(op, type, type), "");
}

} // namespace
} // namespace mo

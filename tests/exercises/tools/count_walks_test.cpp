// Exercise: how often does a kernel walk over memory?
#include "tests/codegen/kernel_builder.h"
#include "tests/exercises/cases.h"
#include "tools/memory_model.h"

namespace mo::exercise {
namespace {

using testing::KernelBuilder;

constexpr int64_t kLarge = 1 << 20;

void expect_walks(const char* rule, const Kernel& kernel, int expected) {
  expect_case(rule, print(kernel), std::to_string(expected) + " walks",
              std::to_string(walks_over_memory(kernel)) + " walks");
}

Reg sum(KernelBuilder& builder, Reg a, Reg b) {
  return builder.compute(ScalarOp::AddF, ElementType::F32, {a, b});
}

TEST(CountWalks, ANestWalksOnceOverWhatItReadsAndOnceOverWhatItWrites) {
  const char* const rule = "each nest counts every large buffer that it reads once, and every one "
                           "that it writes once, however many loads and stores there are";
  {
    KernelBuilder builder; // b = a
    const uint32_t a = builder.argument(ElementType::F32, kLarge),
                   b = builder.argument(ElementType::F32, kLarge);
    builder.begin_loop(kLarge);
    builder.store(builder.load(a, {1}), b, {1});
    builder.end_loop();
    expect_walks(rule, builder.finish(), 2);
  }
  {
    KernelBuilder builder; // a = a + a, by two loads
    const uint32_t a = builder.argument(ElementType::F32, kLarge);
    builder.begin_loop(kLarge);
    const Reg first = builder.load(a, {1}), second = builder.load(a, {1});
    builder.store(sum(builder, first, second), a, {1});
    builder.end_loop();
    expect_walks(rule, builder.finish(), 2);
  }
}

TEST(CountWalks, EveryNestWalksForItself) {
  KernelBuilder builder; // b = a; c = b
  const uint32_t a = builder.argument(ElementType::F32, kLarge),
                 b = builder.argument(ElementType::F32, kLarge),
                 c = builder.argument(ElementType::F32, kLarge);
  for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}}) {
    builder.begin_loop(kLarge);
    builder.store(builder.load(from, {1}), to, {1});
    builder.end_loop();
  }
  expect_walks("what one nest writes and the next one reads is walked over twice: it is no longer "
               "in the cache",
               builder.finish(), 4);
}

TEST(CountWalks, LoopsThatShareAnOuterOneAreOneNest) {
  KernelBuilder builder; // per row: s = sum of a's row; b's row = a's row
  const uint32_t a = builder.argument(ElementType::F32, kLarge),
                 b = builder.argument(ElementType::F32, kLarge),
                 s = builder.argument(ElementType::F32, 1024);
  builder.begin_loop(1024);
  builder.begin_loop(1024);
  const Reg old = builder.load(s, {1, 0});
  builder.store(sum(builder, old, builder.load(a, {1024, 1})), s, {1, 0});
  builder.end_loop();
  builder.begin_loop(1024);
  builder.store(builder.load(a, {1024, 1}), b, {1024, 1});
  builder.end_loop();
  builder.end_loop();
  expect_walks("a nest is a loop of the outermost block: what it comes to again within one "
               "iteration is still in the cache",
               builder.finish(), 2);
}

TEST(CountWalks, SmallBuffersDoNotCount) {
  const char* const rule = "a buffer counts from half the bytes of the largest one on";
  for (const auto& [elements, expected] :
       {std::pair{kLarge / 2, 3}, std::pair{kLarge / 2 - 1, 2}, std::pair{int64_t{1024}, 2}}) {
    KernelBuilder builder; // b = a + bias
    const uint32_t a = builder.argument(ElementType::F32, kLarge),
                   bias = builder.argument(ElementType::F32, elements),
                   b = builder.argument(ElementType::F32, kLarge);
    builder.begin_loop(kLarge / elements);
    builder.begin_loop(elements);
    const Reg x = builder.load(a, {elements, 1}), y = builder.load(bias, {0, 1});
    builder.store(sum(builder, x, y), b, {elements, 1});
    builder.end_loop();
    builder.end_loop();
    expect_walks(rule, builder.finish(), expected);
  }
  KernelBuilder builder; // bytes, not elements
  const uint32_t a = builder.argument(ElementType::F64, kLarge),
                 b = builder.argument(ElementType::I1, kLarge);
  builder.begin_loop(kLarge);
  const Reg x = builder.load(a, {1});
  builder.store(builder.compute(ScalarOp::CmpF, ElementType::I1, {x, x}, 1), b, {1});
  builder.end_loop();
  expect_walks(rule, builder.finish(), 1);
}

} // namespace
} // namespace mo::exercise

// Exercise: which stores may go around the caches?
#include "tests/exercises/cases.h"
#include "tests/exercises/codegen/compiled.h"

namespace mo::exercise {
namespace {

using testing::KernelBuilder;

constexpr int64_t kCache = 1 << 20; // bytes
constexpr int64_t kRow = 1024, kRows = 1024, kAll = kRow * kRows;

/// "arg1 streams, arg2 does not" for the stores in program order.
std::string stores_of(const Kernel& kernel, const std::vector<Node>& block) {
  std::string text;
  for (const Node& node : block) {
    std::string part;
    if (const Loop* loop = node.as<Loop>())
      part = stores_of(kernel, loop->body);
    else if (const Store* store = node.as<Store>())
      part = kernel.buffers[store->to.buffer].name + (store->streaming ? " streams" : " does not");
    if (!part.empty())
      text += (text.empty() ? "" : ", ") + part;
  }
  return text;
}

void expect_stores(const char* rule, Kernel kernel, const char* expected) {
  const std::string before = print(kernel);
  choose_streaming_stores(kernel, NtStores::Auto, kCache);
  expect_case(rule, before, expected, stores_of(kernel, kernel.body));
}

/// arg1[strides] = arg0[d0 * 1024 + d1] in two loops.
Kernel row_by_row(const std::vector<int64_t>& out_strides, int64_t rows = kRows) {
  KernelBuilder builder;
  const uint32_t x = builder.argument(ElementType::F32, kAll),
                 out = builder.argument(ElementType::F32, 2 * kAll);
  builder.begin_loop(rows);
  builder.begin_loop(kRow, true);
  builder.store(builder.load(x, {kRow, 1}), out, out_strides);
  builder.end_loop();
  builder.end_loop();
  return builder.finish();
}

/// A walk over all elements of `from`, to `to`.
void copy(KernelBuilder& builder, uint32_t from, uint32_t to) {
  builder.begin_loop(kAll, true);
  builder.store(builder.load(from, {1}), to, {1});
  builder.end_loop();
}

TEST(StreamingStores, LinesAreWrittenWholeOneAfterTheOther) {
  const char* const rule =
      "the innermost stride is 1: a line that is written in pieces would go to "
      "memory in pieces";
  expect_stores(rule, row_by_row({kRow, 1}), "arg1 streams");
  expect_stores(rule, row_by_row({2 * kRow, 2}), "arg1 does not");
  expect_stores(rule, row_by_row({1, kRows}), "arg1 does not");
}

TEST(StreamingStores, WhatIsReadFromHereOnStaysInTheCaches) {
  const char* const rule = "a buffer that this nest or a later one reads does not stream: the read "
                           "would come from memory. Earlier reads do not matter";
  {
    KernelBuilder builder;
    const uint32_t a = builder.argument(ElementType::F32, kAll),
                   b = builder.argument(ElementType::F32, kAll),
                   c = builder.argument(ElementType::F32, kAll);
    copy(builder, a, b);
    copy(builder, b, c);
    expect_stores(rule, builder.finish(), "arg1 does not, arg2 streams");
  }
  {
    KernelBuilder builder;
    const uint32_t a = builder.argument(ElementType::F32, kAll),
                   b = builder.argument(ElementType::F32, kAll),
                   c = builder.argument(ElementType::F32, kAll);
    copy(builder, a, b);
    copy(builder, c, a);
    expect_stores(rule, builder.finish(), "arg1 streams, arg0 streams");
  }
  {
    KernelBuilder builder;
    const uint32_t a = builder.argument(ElementType::F32, kAll);
    builder.begin_loop(kAll, true);
    const Reg old = builder.load(a, {1});
    builder.store(builder.compute(ScalarOp::NegF, ElementType::F32, {old}), a, {1});
    builder.end_loop();
    expect_stores(rule, builder.finish(), "arg0 does not");
  }
}

TEST(StreamingStores, ABufferThatTwoStoresOfANestWriteDoesNot) {
  const char* const rule = "one store of the nest writes the buffer: two might write the same line";
  for (const bool same : {true, false}) {
    KernelBuilder builder;
    const uint32_t x = builder.argument(ElementType::F32, kAll),
                   a = builder.argument(ElementType::F32, 2 * kAll),
                   b = builder.argument(ElementType::F32, 2 * kAll);
    builder.begin_loop(kAll, true);
    const Reg value = builder.load(x, {1});
    builder.store(value, a, {1});
    builder.store(value, same ? a : b, {1}, kAll);
    builder.end_loop();
    expect_stores(rule, builder.finish(),
                  same ? "arg1 does not, arg1 does not" : "arg1 streams, arg2 streams");
  }
}

TEST(StreamingStores, ALoopThatComesBackToTheSameLinesKeepsThemInTheCaches) {
  const char* const rule = "no loop of more than one iteration has stride 0: it would write the "
                           "same lines again";
  expect_stores(rule, row_by_row({0, 1}), "arg1 does not");
  // A row of 4 MiB, in a loop that runs once.
  KernelBuilder builder;
  const uint32_t x = builder.argument(ElementType::F32, kAll),
                 out = builder.argument(ElementType::F32, kAll);
  builder.begin_loop(1);
  builder.begin_loop(kAll, true);
  builder.store(builder.load(x, {0, 1}), out, {0, 1});
  builder.end_loop();
  builder.end_loop();
  expect_stores(rule, builder.finish(), "arg1 streams");
}

} // namespace
} // namespace mo::exercise

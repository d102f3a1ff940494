// Exercise: what is left where the loop is no multiple of the vector.
#include <fmt/format.h>

#include "tests/exercises/cases.h"
#include "tests/exercises/codegen/compiled.h"

namespace mo::exercise {
namespace {

constexpr size_t kAround = 64; // elements before and after, which nobody may write

/// out[i] = -x[i] for i < count.
Kernel negate_kernel(ElementType type, int64_t count) {
  testing::KernelBuilder builder;
  const uint32_t x = builder.argument(type, count), out = builder.argument(type, count);
  builder.begin_loop(count, true);
  builder.store(builder.compute(ScalarOp::NegF, type, {builder.load(x, {1})}), out, {1});
  builder.end_loop();
  return builder.finish();
}

/// Nothing where out[0, count) is -1, -2, ... and all around it is 0 as before.
template <class T> std::string complaint(const std::vector<T>& memory, size_t count) {
  for (size_t i = 0; i < memory.size(); ++i) {
    const bool inside = i >= kAround && i < kAround + count;
    const T expected = inside ? -static_cast<T>(i - kAround + 1) : T{0};
    if (memory[i] == expected)
      continue;
    const auto place = static_cast<int64_t>(i) - static_cast<int64_t>(kAround);
    return inside ? fmt::format("out[{}] is {}, not {}", place, memory[i], expected)
                  : fmt::format("out[{}] is written, which is outside of the loop", place);
  }
  return "";
}

template <class T>
void expect_negated(const char* rule, ElementType type, const std::vector<int64_t>& counts) {
  for (const Isa isa : testing::host_isas())
    for (const int64_t count : counts) {
      const Kernel kernel = negate_kernel(type, count);
      std::vector<T> x(static_cast<size_t>(count)), memory(x.size() + 2 * kAround, T{0});
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<T>(i + 1);
      call(kernel, isa, {x.data(), memory.data() + kAround});
      const std::string wrong = complaint(memory, x.size());
      expect_case(rule, fmt::format("{}\n{}", spelling(isa), print(kernel)),
                  "every element of the loop, and no other",
                  wrong.empty() ? "every element of the loop, and no other" : wrong);
    }
}

std::vector<int64_t> counts_from_to(int64_t from, int64_t to) {
  std::vector<int64_t> counts;
  for (int64_t count = from; count <= to; ++count)
    counts.push_back(count);
  return counts;
}

TEST(MaskedTail, WhatDoesNotFillAVectorIsDoneTooAndNothingElse) {
  expect_negated<float>("the elements after the last whole vector are computed, each once, and no "
                        "byte beyond them is written",
                        ElementType::F32, counts_from_to(2, 80));
}

TEST(MaskedTail, DoublesHaveHalfAsManyLanes) {
  expect_negated<double>("the number of lanes follows from the widest type of the loop",
                         ElementType::F64, counts_from_to(2, 40));
}

TEST(MaskedTail, ASumTakesNothingFromLanesThatAreOff) {
  for (const Isa isa : testing::host_isas())
    for (const int64_t count : counts_from_to(2, 70)) {
      testing::KernelBuilder builder;
      const uint32_t x = builder.argument(ElementType::F32, count);
      const uint32_t sum = builder.argument(ElementType::F32, 1);
      const Reg init = builder.load(sum, {});
      builder.begin_loop(count, true);
      const Reg current = builder.carry(init);
      const Reg value = builder.load(x, {1});
      builder.set_next(current, builder.compute(ScalarOp::AddF, ElementType::F32, {current, value}),
                       ScalarOp::AddF);
      builder.end_loop();
      builder.store(builder.result_of(current), sum, {});
      const Kernel kernel = builder.finish();
      std::vector<float> elements(static_cast<size_t>(count) + kAround, 1000.0F);
      for (size_t i = 0; i < static_cast<size_t>(count); ++i)
        elements[i] = static_cast<float>(i + 1);
      float total = 0.5F;
      call(kernel, isa, {elements.data(), &total});
      expect_case("the tail adds its elements to the partial sums, and nothing that lies behind",
                  fmt::format("{}\n{}", spelling(isa), print(kernel)),
                  fmt::format("{}", 0.5F + static_cast<float>(count * (count + 1) / 2)),
                  fmt::format("{}", total));
    }
}

} // namespace
} // namespace mo::exercise

// Every step of the simplification, over random generics: the kernel stays well-formed and computes
// the same.
#include <gtest/gtest.h>

#include "codegen/check_loops.h"
#include "codegen/simplify.h"
#include "tests/codegen/loops_support.h"
#include "tests/codegen/random_generic.h"

namespace mo {
namespace {

using testing::LoopArguments;
using testing::VectorLoops;

struct Step {
  const char* name;
  void (*run)(Kernel&);
};
constexpr Step kSteps[] = {
    {"drop_empty_loops", drop_empty_loops},
    {"drop_unit_loops", drop_unit_loops},
    {"merge_equal_steps", merge_equal_steps},
    {"remove_dead_steps", remove_dead_steps},
    {"order_loops", order_loops},
    {"share_outer_loops", [](Kernel& kernel) { share_outer_loops(kernel, 1); }},
    {"contract_temps", contract_temps},
    {"merge_contiguous_loops", merge_contiguous_loops},
    {"tile_transposes", tile_transposes},
    {"jam_column_reductions", jam_column_reductions},
    {"carry_in_registers", carry_in_registers},
    {"hoist_invariants", hoist_invariants},
    {"mark_vectorizable", mark_vectorizable},
    {"share_inner_loops", share_inner_loops},
    {"remove_unread_temps", remove_unread_temps},
    {"simplify once more", [](Kernel& kernel) { simplify(kernel); }},
};

void expect_steps_keep_the_meaning(uint32_t seed, std::span<const Step> steps) {
  const Function function = testing::random_generic(seed);
  if (!testing::is_valid(function)) // a loop of extent 0 may reach outside on paper
    return;
  const LoopArguments before = testing::random_arguments(function, seed);
  Kernel kernel = lower_to_loops(function);
  ASSERT_EQ(check(kernel), std::vector<std::string>{}) << "seed " << seed;
  const LoopArguments expected = testing::result_of(kernel, before);
  for (const Step& step : steps) {
    const std::string text = print(kernel);
    step.run(kernel);
    ASSERT_EQ(testing::complaint(kernel, function, before, expected), "")
        << "seed " << seed << " after " << step.name << "\n"
        << text << "became\n"
        << print(kernel);
  }
}

TEST(SimplifyRandom, EveryStepKeepsTheMeaningOfRandomGenerics) {
  for (uint32_t seed = 0; seed < 600 && !HasFatalFailure(); ++seed)
    expect_steps_keep_the_meaning(seed, kSteps);
}

TEST(SimplifyRandom, EachStepAloneKeepsTheMeaningOfRandomGenerics) {
  for (uint32_t seed = 1000; seed < 1100 && !HasFatalFailure(); ++seed)
    for (const Step& step : kSteps) {
      const Step alone[] = {step, {"mark_vectorizable", mark_vectorizable}};
      expect_steps_keep_the_meaning(seed, alone);
    }
}

TEST(SimplifyRandom, SimplifyingTwiceChangesNothingMore) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    Kernel kernel = lower_to_loops(testing::random_generic(seed));
    simplify(kernel);
    const std::string once = print(kernel);
    simplify(kernel);
    ASSERT_EQ(print(kernel), once) << "seed " << seed;
  }
}

TEST(SimplifyRandom, TheGeneratorMakesValidGenericsOfManyKinds) {
  unsigned valid = 0, vector_loops = 0, reductions = 0, carried_in_order = 0, in_place = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const Function function = testing::random_generic(seed);
    if (!testing::is_valid(function))
      continue;
    ++valid;
    Kernel kernel = lower_to_loops(function);
    simplify(kernel);
    const std::string text = print(kernel);
    vector_loops += text.find(" vector") != std::string::npos;
    reductions += text.find(" by ") != std::string::npos;
    carried_in_order +=
        text.find("carrying") != std::string::npos && text.find(" by ") == std::string::npos;
    in_place += function.args.size() < function.ops[0].as<GenericOp>()->maps.size();
  }
  EXPECT_GT(valid, 350u);
  EXPECT_GT(vector_loops, 150u);
  EXPECT_GT(reductions, 40u);
  EXPECT_GT(carried_in_order, 15u);
  EXPECT_GT(in_place, 80u);
}

} // namespace
} // namespace mo

// Sharing loops over random sequences of nests: rows reduced, broadcast, overwritten, transposed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "codegen/check_loops.h"
#include "codegen/simplify.h"
#include "tests/codegen/loops_support.h"
#include "tests/codegen/random_generic.h"

namespace mo {
namespace {

using testing::LoopArguments;
using testing::VectorLoops;

/// A function of 2 to 7 nests over matrices (m: rows x columns), one number per row (r) and one per
/// column (c). Arguments hold something; temps are read only once a nest has written all of them.
class SequenceGenerator {
public:
  explicit SequenceGenerator(uint32_t seed) : random_(seed) {
    rows_ = 2 + below(4);
    columns_ = one_in(3) ? rows_ : 1 + below(9);
  }

  std::string run() {
    for (const char* kind : {"m", "r", "c"})
      for (int k = 0; k < 4; ++k)
        add_buffer(kind[0], k);
    const size_t nests = 2 + below(6);
    std::string body = allocs_;
    for (size_t n = 0; n < nests; ++n)
      body += random_nest();
    return testing::function_text(arguments_, body + frees_);
  }

private:
  struct Named {
    std::string name, type;
    char kind;
    bool defined;
  };

  size_t below(size_t n) { return random_() % n; }
  bool one_in(size_t n) { return below(n) == 0; }

  void add_buffer(char kind, int number) {
    const std::string shape = kind == 'm'   ? fmt::format("{}x{}", rows_, columns_)
                              : kind == 'r' ? fmt::format("{}", rows_)
                                            : fmt::format("{}", columns_);
    Named buffer{fmt::format("%{}{}", kind, number), fmt::format("memref<{}xf32>", shape), kind,
                 number < 2};
    if (buffer.defined) {
      arguments_ +=
          fmt::format("{}{}: {}", arguments_.empty() ? "" : ", ", buffer.name, buffer.type);
    } else {
      allocs_ += fmt::format("{} = memref.alloc() : {}\n", buffer.name, buffer.type);
      frees_ += fmt::format("memref.dealloc {} : {}\n", buffer.name, buffer.type);
    }
    buffers_.push_back(buffer);
  }

  Named& pick(std::string_view kinds, bool defined) {
    for (;;) {
      Named& buffer = buffers_[below(buffers_.size())];
      if (kinds.find(buffer.kind) != std::string_view::npos && (buffer.defined || !defined))
        return buffer;
    }
  }

  std::string map_of(char kind) {
    if (kind == 'm')
      return rows_ == columns_ && one_in(5) ? "d1, d0" : "d0, d1";
    return kind == 'r' ? "d0" : "d1";
  }

  std::string random_nest() { return one_in(4) ? vector_nest() : matrix_nest(); }

  /// One loop over the rows.
  std::string vector_nest() {
    const Named in = pick("r", true);
    Named& out = pick("r", false);
    out.defined = true;
    return testing::generic_text(
        "d0", {"d0", "d0"}, R"("parallel")",
        fmt::format("ins({} : {}) outs({} : {})", in.name, in.type, out.name, out.type),
        "^bb0(%a: f32, %o: f32): %v = arith.negf %a : f32 linalg.yield %v : f32");
  }

  std::string matrix_nest() {
    const Named x = pick("m", true), y = pick("mrc", true);
    const bool reduces = one_in(2);
    Named& out = reduces ? pick("mrc", true) : pick("m", false);
    out.defined = true;
    const std::string out_map = map_of(out.kind);
    const char* combine[] = {"arith.addf", "arith.maximumf", "arith.mulf"};
    return testing::generic_text(
        "d0, d1", {map_of('m'), map_of(y.kind), out_map},
        out.kind == 'r'   ? R"("parallel", "reduction")"
        : out.kind == 'c' ? R"("reduction", "parallel")"
                          : R"("parallel", "parallel")",
        fmt::format("ins({}, {} : {}, {}) outs({} : {})", x.name, y.name, x.type, y.type, out.name,
                    out.type),
        fmt::format("^bb0(%a: f32, %b: f32, %o: f32): %v = arith.maximumf %a, %b : f32 "
                    "%w = {} %o, %v : f32 linalg.yield %{} : f32",
                    combine[below(3)], reduces ? "w" : "v"));
  }

  std::mt19937 random_;
  size_t rows_ = 0, columns_ = 0;
  std::string arguments_, allocs_, frees_;
  std::vector<Named> buffers_;
};

TEST(ShareRandom, SequencesOfNestsComputeTheSameInSharedLoops) {
  unsigned shared = 0, contracted = 0, joined = 0;
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    const std::string text = SequenceGenerator(seed).run();
    const Function function = testing::parse_function(text);
    ASSERT_TRUE(testing::is_valid(function)) << text;
    const LoopArguments before = testing::random_arguments(function, seed);
    Kernel kernel = lower_to_loops(function);
    const LoopArguments expected = testing::result_of(kernel, before);
    const auto expect_same = [&](const char* step) {
      ASSERT_EQ(testing::complaint(kernel, function, before, expected), "")
          << "seed " << seed << " after " << step << "\n"
          << text << "became\n"
          << print(kernel);
    };
    drop_unit_loops(kernel);
    order_loops(kernel);
    const size_t nests = kernel.body.size();
    ASSERT_NO_FATAL_FAILURE((share_outer_loops(kernel, 1), expect_same("share_outer_loops")));
    shared += kernel.body.size() < nests;
    ASSERT_NO_FATAL_FAILURE((merge_equal_steps(kernel), expect_same("merge_equal_steps")));
    ASSERT_NO_FATAL_FAILURE((remove_unread_temps(kernel), expect_same("remove_unread_temps")));
    const std::string wide = print(kernel);
    ASSERT_NO_FATAL_FAILURE((contract_temps(kernel), expect_same("contract_temps")));
    contracted += print(kernel) != wide;
    carry_in_registers(kernel);
    hoist_invariants(kernel);
    ASSERT_NO_FATAL_FAILURE((merge_equal_steps(kernel), expect_same("the second merging")));
    mark_vectorizable(kernel);
    const std::string apart = print(kernel);
    ASSERT_NO_FATAL_FAILURE(
        (share_inner_loops(kernel), mark_vectorizable(kernel), expect_same("share_inner_loops")));
    joined += print(kernel) != apart;
    ASSERT_NO_FATAL_FAILURE((simplify(kernel), expect_same("simplify")));
  }
  EXPECT_GT(shared, 200u);
  EXPECT_GT(contracted, 50u);
  EXPECT_GT(joined, 50u);
}

} // namespace
} // namespace mo

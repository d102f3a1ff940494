// Calling compiled functions: arguments, results, and what goes wrong.
#include "runtime/executable.h"

#include <gtest/gtest.h>

#include "tests/runtime/support.h"

// An allocation that cannot be is to fail as it does without a sanitizer.
extern "C" const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}

namespace mo {
namespace {

using namespace mo::testing;
using Floats = std::vector<float>;

Executable compiled(const std::string& text) {
  Diagnostics diagnostics;
  CompileOptions options;
  options.isa = best_isa().value();
  auto executable = Executable::compile(parse_function(text), options, diagnostics);
  if (!executable)
    throw std::runtime_error(render(diagnostics, {"test.tir", text}, false));
  return std::move(*executable);
}

constexpr const char* kScale = R"(
    #id = affine_map<(d0) -> (d0)>
    func.func @scale(%x: memref<5xf32>, %s: f32, %y: memref<5xf32>) {
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : memref<5xf32>) outs(%y : memref<5xf32>) {
      ^bb0(%a: f32, %o: f32):
        %r = arith.mulf %a, %s : f32
        linalg.yield %r : f32
      }
      return
    })";

TEST(Executable, ItReadsItsArgumentsAndWritesItsBuffers) {
  const Executable scale = compiled(kScale);
  auto args = make_args(array_of<float>({5}, {1, 2, 3, 4, 5}), scalar_of(0.5F),
                        array_of<float>({5}, Floats(5)));
  const auto failed = scale.run(args);
  ASSERT_FALSE(failed) << failed->message;
  EXPECT_EQ(elements_of<float>(args[2]), (Floats{0.5F, 1, 1.5F, 2, 2.5F}));
  EXPECT_EQ(elements_of<float>(args[0]), (Floats{1, 2, 3, 4, 5}));
}

TEST(Executable, ItMayBeMovedAndRunAgain) {
  Executable first = compiled(kScale);
  const Executable scale = std::move(first);
  auto args = make_args(array_of<float>({5}, Floats(5, 1)), scalar_of(2.0F),
                        array_of<float>({5}, Floats(5)));
  ASSERT_FALSE(scale.run(args));
  std::get<Scalar>(args[1]) = scalar_of(3.0F);
  ASSERT_FALSE(scale.run(args));
  EXPECT_EQ(elements_of<float>(args[2]), Floats(5, 3));
}

TEST(Executable, AnArgumentThatDoesNotFitIsRefusedBeforeAnythingRuns) {
  const Executable scale = compiled(kScale);
  auto args = make_args(array_of<float>({5}, Floats(5, 1)), scalar_of(2.0F),
                        array_of<float>({4}, Floats(4, 7)));
  EXPECT_EQ(scale.run(args)->message,
            "argument 2 is of type memref<5xf32>, given is an array of 4xf32");
  EXPECT_EQ(elements_of<float>(args[2]), Floats(4, 7));
}

TEST(Executable, TooManyArgumentsAreCounted) {
  const Executable scale = compiled(kScale);
  auto args = make_args(scalar_of(2.0F), scalar_of(2.0F), scalar_of(2.0F), scalar_of(2.0F));
  EXPECT_EQ(scale.run(args)->message, "the function takes 3 arguments, 4 given");
}

TEST(Executable, ATempWithoutMemoryIsNamedWithItsSize) {
  const Executable huge = compiled(R"(
    func.func @huge(%out: memref<2xf32>) {
      %small = memref.alloc() : memref<2xf32>
      %big = memref.alloc() : memref<1000000000000x100000xf32>
      memref.copy %small, %out : memref<2xf32> to memref<2xf32>
      linalg.generic {indexing_maps = [affine_map<(d0) -> (0, 0)>, affine_map<(d0) -> (d0)>],
                      iterator_types = ["parallel"]}
        ins(%big : memref<1000000000000x100000xf32>) outs(%out : memref<2xf32>) {
      ^bb0(%b: f32, %o: f32):
        linalg.yield %b : f32
      }
      memref.dealloc %big : memref<1000000000000x100000xf32>
      memref.dealloc %small : memref<2xf32>
      return
    })");
  auto args = make_args(array_of<float>({2}, {5, 6}));
  EXPECT_EQ(huge.run(args)->message, "no memory for %big: 400000000000000000 bytes");
}

TEST(Executable, EntryArgumentsAreTheAddressesOfElementsAndScalars) {
  auto args = make_args(array_of<float>({2}, {1, 2}), scalar_of(int32_t{-3}));
  const std::vector<void*> addresses = entry_arguments(args);
  EXPECT_EQ(addresses[0], std::get<Array>(args[0]).data());
  EXPECT_EQ(*static_cast<const int32_t*>(addresses[1]), -3);
}

} // namespace
} // namespace mo

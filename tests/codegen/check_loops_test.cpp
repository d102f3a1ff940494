// The checker of kernels finds what it says it finds.
#include "codegen/check_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/simplify.h"
#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A row sum in its final form: a load, a loop that carries the sum, a store, in a loop over rows.
Kernel row_sum() {
  Kernel kernel = lower_to_loops(testing::parse_function(R"(
    func.func @f(%x: memref<4x8xf32>, %o: memref<4xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                      iterator_types = ["parallel", "reduction"]}
          ins(%x : memref<4x8xf32>) outs(%o : memref<4xf32>) {
      ^bb0(%in: f32, %acc: f32):
        %s = arith.addf %in, %acc : f32
        linalg.yield %s : f32
      }
      return
    })"));
  simplify(kernel);
  return kernel;
}
std::vector<Node>& rows(Kernel& kernel) {
  return kernel.body[0].as<Loop>()->body;
}
Loop& inner(Kernel& kernel) {
  return *rows(kernel)[1].as<Loop>();
}

TEST(CheckLoops, AWellFormedKernelHasNoViolations) {
  EXPECT_THAT(check(row_sum()), IsEmpty());
}

TEST(CheckLoops, AUseBeforeTheDefinition) {
  Kernel kernel = row_sum();
  std::swap(inner(kernel).body[0], inner(kernel).body[1]);
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("is used where no definition is visible")));
}

TEST(CheckLoops, AUseOutsideOfTheDefiningBlock) {
  Kernel kernel = row_sum();
  rows(kernel)[2].as<Store>()->value = inner(kernel).carried[0].next;
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("is used where no definition is visible")));
}

TEST(CheckLoops, ASecondDefinition) {
  Kernel kernel = row_sum();
  rows(kernel).insert(rows(kernel).begin(), rows(kernel)[0]);
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("is defined twice")));
}

TEST(CheckLoops, StridesThatDoNotMatchTheDepth) {
  Kernel kernel = row_sum();
  inner(kernel).body[0].as<Load>()->from.strides.pop_back();
  EXPECT_THAT(check(kernel), ElementsAre("access to %x with 1 strides in 2 loops"));
}

TEST(CheckLoops, AnAccessBeyondTheEndOrBeforeTheBeginning) {
  Kernel kernel = row_sum();
  inner(kernel).body[0].as<Load>()->from.offset = 1;
  EXPECT_THAT(check(kernel), ElementsAre("access to %x from 1 to 32 where it has 32 elements"));
  inner(kernel).body[0].as<Load>()->from.offset = -1;
  EXPECT_THAT(check(kernel), ElementsAre("access to %x from -1 to 30 where it has 32 elements"));
}

TEST(CheckLoops, ElementTypesThatDisagree) {
  Kernel kernel = row_sum();
  kernel.buffers[0].element = ElementType::I32;
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("(f32) meets an element of %x (i32)")));
}

TEST(CheckLoops, ACombineThatIsNotWhatTheLoopDoes) {
  Kernel kernel = row_sum();
  inner(kernel).carried[0].combine = ScalarOp::MaximumF;
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("by arith.maximumf alone")));
}

TEST(CheckLoops, ACombineWhoseOrderIsNotFree) {
  Kernel kernel = row_sum();
  inner(kernel).carried[0].combine = ScalarOp::MulF;
  inner(kernel).body[1].as<Compute>()->op = ScalarOp::MulF;
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("by arith.mulf alone")));
}

TEST(CheckLoops, AVectorizableLoopThatCarriesInOrder) {
  Kernel kernel = row_sum();
  inner(kernel).carried[0].combine.reset();
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("is vectorizable and carries")));
}

TEST(CheckLoops, AVectorizableLoopThatHoldsLoops) {
  Kernel kernel = row_sum();
  kernel.body[0].as<Loop>()->vectorizable = true;
  EXPECT_THAT(check(kernel), ElementsAre("loop d0 is vectorizable and holds loops"));
}

TEST(CheckLoops, AStreamingStoreOutsideOfAVectorizableLoop) {
  Kernel kernel = row_sum();
  rows(kernel)[2].as<Store>()->streaming = true;
  EXPECT_THAT(check(kernel), ElementsAre(HasSubstr("streaming store")));
}

TEST(CheckLoops, ATempUsedOutsideOfItsAllocation) {
  Kernel kernel = row_sum();
  kernel.buffers[1].kind = Buffer::Kind::Temp;
  EXPECT_THAT(check(kernel), ElementsAre("%o is used where it is not allocated",
                                         "%o is used where it is not allocated"));
}

} // namespace
} // namespace mo

// What gdb shows of mini-opt's data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/gdb/gdb_session.h"
#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string example(const std::string& name) {
  return repository_file("examples/" + name + ".tir");
}

TEST(GdbPrinters, ShowTheVerdictOfPlanFusionWithItsMaps) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("break mo::plan_fusion\nrun\nfinish", {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("consumer=op #4 (%1), operand=0, mode=mo::FusionMode::Strict"));
  EXPECT_THAT(said, HasSubstr("= fuse result 0 of op #3 (%0) into op #4 (%1) at operand 0\n"
                              "  write  (d0) -> (d0)    producer loops -> element of the value\n"
                              "  read   (d0) -> (d0)    consumer loops -> element of the value\n"
                              "  loops  (d0) -> (d0)    consumer loops -> producer loops\n"));
}

TEST(GdbPrinters, ShowARefusalWhereItIsMade) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("break mo::(anonymous namespace)::Planner::refuse\nrun\nprint plan_.read\nfinish",
             {"--fuse", example("transposed")});
  EXPECT_THAT(said, HasSubstr("reason=mo::FusionReason::TransposedRead"));
  EXPECT_THAT(said, HasSubstr("$1 = (d0, d1) -> (d1, d0)\n"));
  EXPECT_THAT(said,
              HasSubstr("refused [transposed-read]: op #3 (%0) into op #4 (%1) at operand 0"));
}

TEST(GdbPrinters, ShowAFunctionWithItsOpsTypesAndNames) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("break mo::plan_fusion\nrun\nprint function", {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("func.func @fusion(%x: memref<16777216xf32>, %out: "
                              "memref<16777216xf32>, %s: f32, %b: f32) {\n"
                              "  #0   %zero = arith.constant 0.000000e+00 : f32\n"
                              "  #1   %xt = to_tensor %x restrict : tensor<16777216xf32>\n"
                              "  #2   %e = tensor.empty : tensor<16777216xf32>\n"
                              "  #3   %0 = linalg.generic [parallel]\n"
                              "         ins(%xt at (d0) -> (d0))\n"
                              "         outs(%e at (d0) -> (d0))\n"
                              "         ^bb0(%in, %o):\n"
                              "           %m = arith.mulf %in, %s : f32\n"
                              "           linalg.yield %m\n"));
}

// One op of every kind that the example has not, and maps whose rows are sums.
TEST(GdbPrinters, ShowOpsAndMapsOfEveryKind) {
  MO_SKIP_WITHOUT_GDB();
  const TemporaryDirectory dir;
  write_file(dir / "k.tir", R"(
#sum = affine_map<(d0, d1) -> (-d0 + d1 * 2 + 3)>
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @k(%m: memref<4xf32>, %p: memref<4xf32>, %n: memref<4x4xi32>, %q: memref<16xi32>, %c: i32) {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %m, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %p : memref<4xf32> to memref<4xf32>
  linalg.fill ins(%c : i32) outs(%n : memref<4x4xi32>)
  linalg.generic {indexing_maps = [#sum, #id], iterator_types = ["parallel", "parallel"]} ins(%q : memref<16xi32>) outs(%n : memref<4x4xi32>) {
  ^bb0(%in: i32, %o: i32):
    %i = linalg.index 1 : index
    %less = arith.cmpi slt, %in, %o : i32
    %r = arith.select %less, %in, %c : i32
    linalg.yield %r : i32
  }
  memref.dealloc %a : memref<4xf32>
  return
}
)");
  const std::string said = in_gdb("mo pass\nprint module\nprint module.functions", //
                                  {"--fuse", dir / "k.tir"});
  EXPECT_THAT(said, HasSubstr("= module of @k\n"));
  for (const char* line :
       {"%a = memref.alloc {alignment = 64} : memref<4xf32>", "memref.copy %m to %a",
        "linalg.fill %c into %n", "ins(%q at (d0, d1) -> (-d0 + d1 * 2 + 3))",
        "%i = linalg.index 1 : index", "%less = arith.cmpi slt, %in, %o : i1",
        "%r = arith.select %less, %in, %c : i32", "memref.dealloc %a"})
    EXPECT_THAT(said, HasSubstr(line));
}

TEST(GdbPrinters, ShowThePlanOfBufferization) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("break mo::buffer_remarks\nrun\nprint plan", {"--elim", example("fusion")});
  EXPECT_THAT(said, HasSubstr("DestinationPassing\n  buffers\n"));
  EXPECT_THAT(said, HasSubstr("Given %out : memref<16777216xf32>"));
  EXPECT_THAT(said, HasSubstr("(%2) result 0: [destination-passed] to %out, buffer #"));
}

// Memory that was never made an object, or is none any more: no printer may fail, say too much or
// take long.
TEST(GdbPrinters, AreBoundedAndCalmOnMemoryThatIsNoObject) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo pass\nsource " + repository_file("tests/gdb/garbage.py"),
                                  {"--fuse", example("fusion")});
  std::smatch counts;
  ASSERT_TRUE(std::regex_search(said, counts, std::regex("printed (\\d+) of (\\d+)\n"))) << said;
  EXPECT_EQ(counts[1], counts[2]);
  EXPECT_THAT(said, HasSubstr("longest bounded"));
  EXPECT_THAT(said, HasSubstr("map: <no map: 4294967295 dims, 4294967295 results>"));
  EXPECT_THAT(said, HasSubstr("type: <no mo::Type::Kind: 255>"));
  EXPECT_THAT(said, HasSubstr("verdict: <no variant: alternative 255>"));
  EXPECT_THAT(said, Not(HasSubstr("Python Exception")));
  EXPECT_THAT(said, Not(HasSubstr("Error")));
}

TEST(GdbPrinters, AreCalmOnObjectsWhoseConstructorHasNotRun) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("break mo::(anonymous namespace)::Planner::Planner\nrun\n"
                                  "print *this\nup 2\ninfo locals\necho done\\n",
                                  {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("plan_ = "));
  EXPECT_THAT(said, HasSubstr("proposal = "));
  EXPECT_THAT(said, HasSubstr("done"));
  EXPECT_THAT(said, Not(HasSubstr("Python Exception")));
}

TEST(GdbPrinters, LeaveTheRawFieldsToPrintR) {
  MO_SKIP_WITHOUT_GDB();
  EXPECT_THAT(in_gdb("break mo::plan_fusion\nrun\nprint/r consumer", {"--fuse", example("fusion")}),
              HasSubstr("$1 = {index = 4}"));
}

} // namespace
} // namespace mo::testing

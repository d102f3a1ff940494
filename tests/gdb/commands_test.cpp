// The commands `mo ...` in gdb.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gdb/gdb_session.h"
#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string example(const std::string& name) {
  return repository_file("examples/" + name + ".tir");
}

// How often `part` stands in `text`.
size_t count_of(const std::string& part, const std::string& text) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

TEST(GdbNext, StopsBeforeEachRewriteAndAtTheEndOfEachPass) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo next\nmo next\nmo next\nmo next\nmo next\nmo next\nmo next",
                                  {"--fuse", "--elim", example("fusion")});
  size_t at = 0;
  for (const char* stop :
       {"rewrite 1, fuse in @fusion: fuse %0 into %1 at operand 0 [fused]\nSweep::fuse at fuse_",
        "rewrite 2, fuse in @fusion: fuse %1 into %2 at operand 0 [fused]\nSweep::fuse at fuse_",
        "pass 1 ends: fuse\nrun_pipeline at pipeline.cpp:",
        "rewrite 3, elim in @fusion: compute %2 in %out [destination-passed]\n",
        "pass 2 ends: elim\n", "the passes are done; `continue` lets mini-opt go on\n",
        "the passes are done; `continue` lets mini-opt go on, `run` starts again\n"}) {
    const size_t found = said.find(stop, at);
    ASSERT_NE(found, std::string::npos) << stop << "\nis not in order in\n" << said;
    at = found + 1;
  }
}

TEST(GdbPass, StopsBeforeEachPassAndWhereTheyAreDone) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("mo pass\nmo pass\nmo pass\nmo ir", {"--fuse", "--elim", example("fusion")});
  EXPECT_LT(said.find("pass 1 begins: fuse\n"), said.find("pass 2 begins: elim\n"));
  EXPECT_LT(said.find("pass 2 begins: elim\n"), said.find("the passes are done"));
  EXPECT_THAT(said.substr(said.find("the passes are done")),
              HasSubstr("outs(%out : memref<16777216xf32>)"));
}

TEST(GdbPass, StopsWhereWhatAPassLeftDoesNotVerify) {
  MO_SKIP_WITHOUT_GDB();
  // The pass has no such mistake, so gdb makes one for it: the first result becomes an f64 tensor.
  const std::string said =
      in_gdb("mo next\nset variable function_.values._M_impl._M_start[10].type.element = "
             "mo::ElementType::F64\nmo skip\nmo next\nmo skip\nmo next\nmo ir",
             {"--fuse", "--elim", example("fusion")});
  EXPECT_THAT(said, HasSubstr("pass 1 fails: what fuse left does not verify; error 1 of "));
  EXPECT_THAT(said, HasSubstr("tensor<16777216xf64>"));
}

TEST(GdbDiff, ShowsWhatARewriteDid) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("mo next\nmo diff\nmo next\nmo diff", {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("nothing has changed since the last stop"));
  EXPECT_THAT(said, HasSubstr("--- @fusion before\n+++ @fusion now\n"));
  EXPECT_THAT(said, HasSubstr("\n-    %a = arith.addf %in, %b : f32\n+    %a = arith.addf %m, %b"));
}

TEST(GdbDiff, ShowsEachStepOfBufferization) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("mo pass\nmo next\nmo next\nmo diff", {"--elim", example("silu")});
  EXPECT_THAT(said, HasSubstr("\n-  memref.copy %"));
}

TEST(GdbDiff, ComparesWithWhereContinueLeft) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("break mo::apply_fusion\nrun\ncontinue\nmo diff", {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("\n+    %a = arith.addf %m, %b"));
}

TEST(GdbWhy, GivesTheReasonBothFactsAndThePlan) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo next\nmo why", {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("fuse passed [fused] @fusion: %0 "));
  EXPECT_THAT(said, HasSubstr("is written through (d0) -> (d0) and read through (d0) -> (d0)"));
  EXPECT_THAT(said, HasSubstr(": note: the producer "));
  EXPECT_THAT(said,
              HasSubstr("verdict = fuse result 0 of op #3 (%0) into op #4 (%1) at operand 0"));
}

TEST(GdbWhy, GivesThePlanSoFarInTheMiddleOfADecision) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("break mo::compose\nrun\nup\nmo why", //
                                  {"--fuse", example("transposed")});
  EXPECT_THAT(said, HasSubstr("plan_ = fuse result 0 of op #3 (%0) into op #4 (%1)"));
  EXPECT_THAT(said, HasSubstr("read   (d0, d1) -> (d1, d0) "));
}

TEST(GdbBreak, StopsAtADecisionWithTheReason) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo break transposed-read\nrun\nmo why\ncontinue",
                                  {"--fuse", example("transposed"), "-o", "/dev/null"});
  EXPECT_THAT(said, HasSubstr("decision, fuse in @transposed: missed [transposed-read] for line 22"
                              "\nreport_missed_fusions at fuse_driver.cpp:"));
  EXPECT_THAT(said, HasSubstr("refusal = refused [transposed-read]: op #3 (%0) into op #4 (%2)"));
  EXPECT_THAT(said, HasSubstr("exited normally")) << "there is no second one";
}

TEST(GdbBreak, StopsBeforeARewriteAndNotAgainAtItsRemark) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo break fused\nrun\ncontinue\ncontinue\ncontinue",
                                  {"--fuse", example("fusion"), "-o", "/dev/null"});
  EXPECT_EQ(count_of("\nrewrite ", said), 2u) << said;
  EXPECT_EQ(count_of("\ndecision", said), 0u) << said;
}

TEST(GdbBreak, StopsAtAFunctionAndAValueTogether) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo break @fusion %0\nrun\ncontinue",
                                  {"--fuse", example("fusion"), "-o", "/dev/null"});
  EXPECT_THAT(said, HasSubstr("rewrite 1, fuse in @fusion: fuse %0 into %1"));
  EXPECT_THAT(said, HasSubstr("exited normally")) << "rewrite 2 is not about %0";
}

TEST(GdbBreak, NamesTheNearestWhereThereIsNoSuchThing) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("mo break transposed\nmo break\nmo next\nmo break @fusio\nmo break %xx",
             {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("there is no reason 'transposed'; did you mean transposed-read?\n"));
  EXPECT_THAT(said, HasSubstr("mo break REASON-ID, mo break @function or mo break %value"));
  EXPECT_THAT(said, HasSubstr("there is no @fusio here; did you mean @fusion?\n"));
  EXPECT_THAT(said, HasSubstr("there is no %xx here; did you mean %x"));
}

TEST(GdbBreak, SaysAtTheFirstPassWhatIsNotInTheProgram) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said =
      in_gdb("mo break %x\nmo break @fusio\nrun", {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr("pass 1 begins: fuse\n"));
  EXPECT_THAT(said, HasSubstr("there is no @fusio here; did you mean @fusion?\n"));
}

TEST(GdbBreak, GoesWithDeleteAndRestsWithDisable) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo break fused\nmo break @fusion\ndisable 1\ndelete 2\nrun\n"
                                  "mo break left-out",
                                  {"--fuse", example("fusion"), "-o", "/dev/null"});
  EXPECT_EQ(count_of("\nrewrite ", said), 0u) << said;
  EXPECT_THAT(said, HasSubstr("exited normally"));
  EXPECT_THAT(said, HasSubstr("stops at rewrites and decisions: left-out\n"));
}

constexpr const char* kChain = R"(#map = affine_map<(d0) -> (d0)>
func.func @f(%x: tensor<5xf32>, %s: f32) -> tensor<5xf32> {
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %s : f32
    linalg.yield %m : f32
  } -> tensor<5xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%in: f32, %o: f32):
    %a = arith.addf %in, %s : f32
    linalg.yield %a : f32
  } -> tensor<5xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%in: f32, %o: f32):
    %q = arith.mulf %in, %in : f32
    linalg.yield %q : f32
  } -> tensor<5xf32>
  return %2 : tensor<5xf32>
}
)";

TEST(GdbSkip, LeavesTheRewriteAtHandOutAndTheOthersIn) {
  MO_SKIP_WITHOUT_GDB();
  const TemporaryDirectory dir;
  write_file(dir / "f.tir", kChain);
  const std::string said = in_gdb("mo next\nmo skip\ncontinue", //
                                  {"--fuse", dir / "f.tir", "-o", dir / "out.tir"});
  EXPECT_THAT(said, HasSubstr("left out: fuse %0 into %1 at operand 0; `mo next` goes on\n"));
  const std::string out = read_file(dir / "out.tir");
  EXPECT_EQ(count_of("linalg.generic", out), 2u) << out;
  EXPECT_THAT(out, HasSubstr("%0 = linalg.generic"));
  const std::vector<std::string> run = {"--run", "--elim", "--arg=iota", "--arg=2"};
  std::vector<std::string> written = run, skipped = run;
  written.push_back(dir / "f.tir");
  skipped.push_back(dir / "out.tir");
  EXPECT_EQ(mini_opt(skipped).out, mini_opt(written).out);
  EXPECT_THAT(mini_opt(skipped).out, HasSubstr("[4, 16, 36, 64, 100]"));
}

TEST(GdbSkip, LeavesABufferOfItsOwnWhereSharingIsLeftOut) {
  MO_SKIP_WITHOUT_GDB();
  const TemporaryDirectory dir;
  write_file(dir / "f.tir", kChain);
  in_gdb("mo next\nmo skip\ncontinue", {"--elim", dir / "f.tir", "-o", dir / "out.tir"});
  const std::string all = mini_opt({"--elim", dir / "f.tir"}).out;
  const std::string out = read_file(dir / "out.tir");
  EXPECT_GT(count_of("memref.copy", out), count_of("memref.copy", all)) << out;
  EXPECT_EQ(mini_opt({dir / "out.tir"}).status, 0) << "it verifies";
}

TEST(GdbStep, LeadsBackIntoThePassAndOnThroughOurOwnCodeOnly) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo next\nmo step\nnext\nbreak mo::apply_fusion\ncontinue\n"
                                  "step\nstep\nstep\nstep\nstep\nstep\nbacktrace 1",
                                  {"--fuse", example("fusion")});
  EXPECT_EQ(count_of("Sweep::fuse at fuse_driver.cpp:", said), 2u) << said;
  EXPECT_THAT(said, Not(HasSubstr("stl_vector.h")));
  EXPECT_THAT(said, HasSubstr(" at fuse_apply.cpp:"));
}

TEST(GdbShow, TellsWhatDefinesAValueAndWhoNamesIt) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo next\nmo show %1\nmo show %s\nmo show %zz\nmo show x",
                                  {"--fuse", example("fusion")});
  EXPECT_THAT(said, HasSubstr(" %1 : tensor<16777216xf32>, line 14\n"
                              "  defined by op #4: %1 = linalg.generic [parallel]\n"
                              "  named in op #5: %2 = linalg.generic [parallel]\n"));
  EXPECT_THAT(said, HasSubstr(" %s : f32, line 4\n"
                              "  argument 2\n"
                              "  named in op #3: %0 = linalg.generic [parallel]\n"))
      << "its body does";
  EXPECT_THAT(said, HasSubstr("there is no %zz here; did you mean %zero?\n"));
  EXPECT_THAT(said, HasSubstr("mo show %x or mo show #7\n"));
}

TEST(GdbCommands, SayWhatIsMissing) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo skip\nmo ir\nmo diff\nmo why\nmo step\nmo nxt\nmo next 3\n"
                                  "mo pass\nmo skip\nmo why\nmo ir @g",
                                  {"--fuse", example("fusion")});
  EXPECT_EQ(count_of("no rewrite is at hand: `mo next` first\n", said), 2u) << said;
  EXPECT_THAT(said, HasSubstr("the program is not running: `mo next` or `mo pass` starts it\n"));
  EXPECT_THAT(said, HasSubstr("there is no `mo nxt`; `mo help` lists what there is\n"));
  EXPECT_THAT(said, HasSubstr("`mo next` takes no argument\n"));
  EXPECT_THAT(said, HasSubstr("nothing is decided here: stop at a rewrite"));
  EXPECT_THAT(said, HasSubstr("there is no function @g at hand; there is @fusion\n"));
  EXPECT_THAT(said, Not(HasSubstr("Python Exception")));
}

TEST(GdbCommands, ShowWhatStoppedTheProgramInstead) {
  MO_SKIP_WITHOUT_GDB();
  EXPECT_THAT(in_gdb("break mo::plan_fusion\nmo next", {"--fuse", example("fusion")}),
              HasSubstr("Breakpoint 1, mo::plan_fusion (function="));
  EXPECT_THAT(in_gdb("mo next", {"--fuse", "nowhere.tir"}), HasSubstr("exited with code 01"));
}

TEST(GdbCommands, SayWhereAProgramIsNotMiniOpt) {
  MO_SKIP_WITHOUT_GDB();
  const Ended ended = run_process({repository_file("tools/gdb/mini-opt-gdb"), "-nx", "-batch",
                                   "-ex", "mo next", "-ex", "mo break fused", "--"},
                                  "", {"MINI_OPT=/bin/true"});
  EXPECT_EQ(count_of("this program has no debug information of mini-opt: cmake --preset debug",
                     ended.err),
            2u)
      << ended.err;
}

TEST(GdbCommands, AreAllInTheHelp) {
  MO_SKIP_WITHOUT_GDB();
  const std::string said = in_gdb("mo help", {});
  for (const char* command :
       {"next", "pass", "ir", "diff", "why", "skip", "step", "show", "break", "help"})
    EXPECT_THAT(said, HasSubstr(std::string("mo ") + command + " "));
}

} // namespace
} // namespace mo::testing

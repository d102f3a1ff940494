// Fusion and clean-ups keep every result to the bit: the interpreter says so, on special values and
// sizes from 0 to 17; and running a pass twice is running it once.
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

// N stands for the size.
std::string sized(std::string text, unsigned size) {
  for (size_t at; (at = text.find('N')) != std::string::npos;)
    text.replace(at, 1, std::to_string(size));
  return text;
}

const std::vector<std::string>& programs() {
  static const std::vector<std::string> list = {
      // relu(x * s + b)
      "func.func @f(%x: tensor<Nxf32>, %s: f32, %b: f32) -> tensor<Nxf32> {\n"
      "  %e = tensor.empty() : tensor<Nxf32>\n  %zero = arith.constant 0.0 : f32\n" +
          generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%x : tensor<Nxf32>",
                  "%e : tensor<Nxf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = arith.mulf %i, %s : f32\n"
                  "    linalg.yield %r : f32") +
          generic("%1", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%0 : tensor<Nxf32>",
                  "%e : tensor<Nxf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = arith.addf %i, %b : f32\n"
                  "    linalg.yield %r : f32") +
          generic("%2", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%1 : tensor<Nxf32>",
                  "%e : tensor<Nxf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = arith.maximumf %i, %zero : f32\n"
                  "    linalg.yield %r : f32") +
          "  return %2 : tensor<Nxf32>\n}\n",

      // A broadcast, a transposed read, two results, loop counters.
      "func.func @f(%v: tensor<Nxf64>, %m: tensor<Nx3xf64>) -> (tensor<3xNxf64>, tensor<3xNxf64>) "
      "{\n  %ev = tensor.empty() : tensor<Nxf64>\n  %e = tensor.empty() : tensor<Nx3xf64>\n"
      "  %t = tensor.empty() : tensor<3xNxf64>\n" +
          generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%v : tensor<Nxf64>",
                  "%ev : tensor<Nxf64>",
                  "^bb0(%i: f64, %o: f64):\n    %n = linalg.index 0 : index\n"
                  "    %k = arith.index_cast %n : index to i64\n"
                  "    %d = arith.sitofp %k : i64 to f64\n    %r = arith.subf %i, %d : f64\n"
                  "    linalg.yield %r : f64") +
          generic("%1", {"(d0, d1) -> (d0)", "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                  "%0, %m : tensor<Nxf64>, tensor<Nx3xf64>", "%e : tensor<Nx3xf64>",
                  "^bb0(%i: f64, %j: f64, %o: f64):\n    %n = linalg.index 1 : index\n"
                  "    %k = arith.index_cast %n : index to i64\n"
                  "    %d = arith.sitofp %k : i64 to f64\n    %p = arith.addf %i, %j : f64\n"
                  "    %r = arith.mulf %p, %d : f64\n    linalg.yield %r : f64") +
          generic("%2:2", {"(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"},
                  "pp", "%1 : tensor<Nx3xf64>", "%t, %t : tensor<3xNxf64>, tensor<3xNxf64>",
                  "^bb0(%i: f64, %o: f64, %q: f64):\n    %r = arith.negf %i : f64\n"
                  "    %w = arith.minnumf %r, %i : f64\n    linalg.yield %r, %w : f64, f64") +
          "  return %2#0, %2#1 : tensor<3xNxf64>, tensor<3xNxf64>\n}\n",

      // A diamond of compares and selects over i1, summed up.
      "func.func @f(%x: tensor<Nxf32>, %acc: tensor<f32>) -> tensor<f32> {\n"
      "  %e = tensor.empty() : tensor<Nxf32>\n  %c = tensor.empty() : tensor<Nxi1>\n" +
          generic("%a", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%x : tensor<Nxf32>",
                  "%e : tensor<Nxf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = arith.mulf %i, %i : f32\n"
                  "    linalg.yield %r : f32") +
          generic("%b", {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                  "%a, %x : tensor<Nxf32>, tensor<Nxf32>", "%c : tensor<Nxi1>",
                  "^bb0(%i: f32, %j: f32, %o: i1):\n    %r = arith.cmpf ult, %i, %j : f32\n"
                  "    linalg.yield %r : i1") +
          generic("%d", {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}, "p",
                  "%b, %a, %x : tensor<Nxi1>, tensor<Nxf32>, tensor<Nxf32>", "%e : tensor<Nxf32>",
                  "^bb0(%i: i1, %j: f32, %k: f32, %o: f32):\n"
                  "    %r = arith.select %i, %j, %k : f32\n    linalg.yield %r : f32") +
          generic("%s", {"(d0) -> (d0)", "(d0) -> ()"}, "r", "%d : tensor<Nxf32>",
                  "%acc : tensor<f32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = arith.addf %o, %i : f32\n"
                  "    linalg.yield %r : f32") +
          "  return %s : tensor<f32>\n}\n",

      // A fill, a splat, a dead result, a copy, and an init that is only partly overwritten.
      "func.func @f(%x: tensor<Nxf32>, %p: tensor<Nx2xf32>) -> (tensor<Nxf32>, tensor<Nx2xf32>) {\n"
      "  %e = tensor.empty() : tensor<Nxf32>\n  %two = arith.constant dense<2.0> : tensor<Nxf32>\n"
      "  %m = arith.constant -0.0 : f32\n"
      "  %f = linalg.fill ins(%m : f32) outs(%e : tensor<Nxf32>) -> tensor<Nxf32>\n" +
          generic("%0:2",
                  {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"},
                  "p", "%x, %two, %f : tensor<Nxf32>, tensor<Nxf32>, tensor<Nxf32>",
                  "%x, %e : tensor<Nxf32>, tensor<Nxf32>",
                  "^bb0(%i: f32, %t: f32, %z: f32, %o: f32, %q: f32):\n"
                  "    %r = arith.divf %i, %t : f32\n    %w = arith.addf %r, %z : f32\n"
                  "    linalg.yield %w, %r : f32, f32") +
          generic("%c", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%0#0 : tensor<Nxf32>",
                  "%e : tensor<Nxf32>", "^bb0(%i: f32, %o: f32):\n    linalg.yield %i : f32") +
          generic("%h", {"(d0) -> (d0)", "(d0) -> (d0, 1)"}, "p", "%c : tensor<Nxf32>",
                  "%p : tensor<Nx2xf32>",
                  "^bb0(%i: f32, %o: f32):\n    %r = arith.negf %i : f32\n"
                  "    linalg.yield %r : f32") +
          "  return %c, %h : tensor<Nxf32>, tensor<Nx2xf32>\n}\n",

      // Mlir mode: an init that is read and kept; a read through a constant, and one through a
      // diagonal whose producer counts loops.
      "func.func @f(%x: tensor<NxNxi32>, %d: tensor<NxNxi32>, %u: tensor<Nxi32>) -> tensor<Nxi32> "
      "{\n  %e = tensor.empty() : tensor<NxNxi32>\n" +
          generic("%0", {"(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"}, "pp",
                  "%x : tensor<NxNxi32>", "%d : tensor<NxNxi32>",
                  "^bb0(%i: i32, %o: i32):\n    %r = arith.subi %i, %o : i32\n"
                  "    linalg.yield %r : i32") +
          generic("%1", {"(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                  "%0 : tensor<NxNxi32>", "%e : tensor<NxNxi32>",
                  "^bb0(%i: i32, %o: i32):\n    %a = linalg.index 0 : index\n"
                  "    %b = linalg.index 1 : index\n    %m = arith.muli %a, %b : index\n"
                  "    %c = arith.index_cast %m : index to i32\n"
                  "    %r = arith.addi %i, %c : i32\n    linalg.yield %r : i32") +
          generic("%2", {"(d0, d1) -> (d1, d0)", "(d0, d1) -> (d0, d1)"}, "pp",
                  "%1 : tensor<NxNxi32>", "%e : tensor<NxNxi32>",
                  "^bb0(%i: i32, %o: i32):\n    %r = arith.xori %i, %i : i32\n"
                  "    %s = arith.ori %r, %i : i32\n    linalg.yield %s : i32") +
          generic("%3", {"(d0) -> (d0, d0)", "(d0) -> (d0)"}, "p", "%2 : tensor<NxNxi32>",
                  "%u : tensor<Nxi32>",
                  "^bb0(%i: i32, %o: i32):\n    %r = arith.maxsi %i, %o : i32\n"
                  "    linalg.yield %r : i32") +
          "  return %3 : tensor<Nxi32>\n}\n",
  };
  return list;
}

const std::vector<std::vector<PassKind>> kPipelines = {{PassKind::Fuse},
                                                       {PassKind::FuseMlir},
                                                       {PassKind::Canonicalize},
                                                       {PassKind::Fuse, PassKind::Canonicalize},
                                                       {PassKind::Canonicalize, PassKind::Fuse}};

TEST(FusionOracle, EveryPipelineKeepsEveryBit) {
  for (const std::string& program : programs())
    for (unsigned size = 0; size <= 17; ++size) {
      const std::string text = sized(program, size);
      const Function before = function_from(text);
      for (const std::vector<PassKind>& pipeline : kPipelines)
        ASSERT_EQ(difference(before, run_passes(text, pipeline).function, size), "")
            << spelling(pipeline[0]) << "\n"
            << text;
    }
}

TEST(FusionOracle, EveryPrefixOfTheRewritesIsValidAndKeepsEveryBit) {
  for (const std::string& program : programs()) {
    const std::string text = sized(program, 5);
    const Function before = function_from(text);
    for (auto* pass : {+[](Function&f, Observer&o) { fuse_elementwise(f, FusionMode::Strict, o); },
                       +[](Function&f, Observer&o) { fuse_elementwise(f, FusionMode::Mlir, o); },
                       +[](Function&f, Observer&o) { canonicalize(f, o); }})
      for (unsigned limit = 0;; ++limit) {
        Function after = before;
        Limit observer(limit);
        pass(after, observer);
        ASSERT_EQ(violations_in(after, Level::Tensor), "") << limit << "\n" << text;
        ASSERT_EQ(difference(before, after, limit), "") << limit << "\n" << text;
        if (observer.asked() <= limit)
          break;
      }
  }
}

TEST(FusionOracle, RunningAPassAgainChangesNothing) {
  for (const std::string& program : programs())
    for (unsigned size : {0u, 1u, 7u})
      for (const std::vector<PassKind>& pipeline : kPipelines) {
        if (pipeline.size() != 1)
          continue;
        const std::string once = run_passes(sized(program, size), pipeline).text();
        EXPECT_EQ(run_passes(once, pipeline).text(), once) << spelling(pipeline[0]);
      }
}

} // namespace
} // namespace mo

// Fusion, strict: which loops of the consumer a broadcast may leave out.
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

/// %0 = -%v, one loop, read by %1 = %0 * %b through `read` of two loops.
Passed fuse_read_through(const char* read, const std::string& v_type) {
  const std::string b_type = "tensor<4x8xf32>";
  return run_passes(
      "func.func @f(%v: " + v_type + ", %b: " + b_type + ", %ev: " + v_type + ", %e: " + b_type +
          ") -> " + b_type + " {\n" +
          generic("%0", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%v : " + v_type, "%ev : " + v_type,
                  "^bb0(%x: f32, %o: f32):\n    %r = arith.negf %x : f32\n    linalg.yield %r : "
                  "f32") +
          generic("%1", {read, "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0, d1)"}, "pp",
                  "%0, %b : " + v_type + ", " + b_type, "%e : " + b_type,
                  "^bb0(%x: f32, %y: f32, %o: f32):\n    %r = arith.mulf %x, %y : f32\n    "
                  "linalg.yield %r : f32") +
          "  return %1 : " + b_type + "\n}\n",
      {PassKind::Fuse});
}

TEST(FuseBroadcast, MayLeaveOutTheInnerLoop) {
  EXPECT_TRUE(fuse_read_through("(d0, d1) -> (d0)", "tensor<4xf32>").has("fused"));
}

TEST(FuseBroadcast, MayLeaveOutTheOuterLoop) {
  EXPECT_TRUE(fuse_read_through("(d0, d1) -> (d1)", "tensor<8xf32>").has("fused"));
}

} // namespace
} // namespace mo

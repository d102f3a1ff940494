// Exercise: may an op write to the buffer of its init?
#include "tests/exercises/cases.h"
#include "tests/exercises/passes/buffers.h"

namespace mo::exercise {
namespace {

using testing::add_to;
using testing::double_it;
using testing::empty;
using testing::materialize;
using testing::view;

struct Decided {
  std::string program;
  const char* expected;
};

void expect_decisions(const char* rule, const std::vector<Decided>& table) {
  for (const Decided& c : table)
    expect_case(rule, c.program, c.expected, decisions_of(c.program, BufferizeMode::Copying));
}

TEST(InPlace, AReadAfterTheWriteNeedsTheOldContents) {
  expect_decisions("the write that makes `second` has to come after the last read of `first`",
                   {
                       {on_tensors_and_memrefs(add_to("%a", "%x", "%d") + empty("%e") +
                                               double_it("%b", "%d", "%e") +
                                               materialize("%a", "%o") + materialize("%b", "%p")),
                        "%a: read-after-write, copies the old contents\n"
                        "%b: in-place\n"
                        "%a -> %o: copied-to-destination\n"
                        "%b -> %p: copied-to-destination"},
                       {on_tensors_and_memrefs(empty("%e") + double_it("%b", "%d", "%e") +
                                               add_to("%a", "%x", "%d") + materialize("%a", "%o") +
                                               materialize("%b", "%p")),
                        "%b: in-place\n"
                        "%a: in-place\n"
                        "%a -> %o: copied-to-destination\n"
                        "%b -> %p: copied-to-destination"},
                   });
}

TEST(InPlace, TheOpThatWritesMayReadElementByElement) {
  expect_decisions(
      "where the last read is by the op that writes, may_read_while_writing decides, "
      "for every operand that reads",
      {
          {on_tensors_and_memrefs(double_it("%a", "%d", "%d", "d1, d0") + materialize("%a", "%o")),
           "%a: not-elementwise\n"
           "%a -> %o: copied-to-destination"},
          {on_tensors_and_memrefs(double_it("%a", "%d", "%d") + materialize("%a", "%o")),
           "%a: in-place\n"
           "%a -> %o: copied-to-destination"},
      });
}

const std::string kTwoResults =
    "%e = tensor.empty() : tensor<4x4xf32>\n"
    "%r:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, "
    "affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = "
    "[\"parallel\", \"parallel\"]} ins(%x : tensor<4x4xf32>) outs(%e, %e : tensor<4x4xf32>, "
    "tensor<4x4xf32>) {\n"
    "^bb0(%in: f32, %u: f32, %v: f32):\n"
    "  %y = arith.negf %in : f32\n"
    "  linalg.yield %in, %y : f32, f32\n"
    "} -> (tensor<4x4xf32>, tensor<4x4xf32>)\n";

TEST(InPlace, TwoInitsOfOneOpDoNotShareABuffer) {
  expect_decisions(
      "what one op makes through two inits is made at one time: neither may follow the other",
      {
          {on_tensors_and_memrefs(kTwoResults + materialize("%r#0", "%o") +
                                  materialize("%r#1", "%p")),
           "%r#0: in-place\n%r#1: init-shared\n%r -> %o: copied-to-destination\n"
           "%r -> %p: copied-to-destination"},
          {on_tensors_and_memrefs(kTwoResults), "%r#0: in-place\n%r#1: init-shared"},
      });
}

TEST(InPlace, TheCallerReadsAfterTheCall) {
  expect_decisions(
      "what a memref argument holds is read by the caller, after everything in the function",
      {
          {on_tensors_and_memrefs(view("%v", "%o", "restrict writable") + add_to("%a", "%x", "%v") +
                                  materialize("%a", "%p")),
           "%a: read-after-write, copies the old contents\n"
           "%a -> %p: copied-to-destination"},
          {on_tensors_and_memrefs(view("%v", "%o", "restrict writable") + add_to("%a", "%x", "%v") +
                                  materialize("%a", "%o")),
           "%a: in-place\n"
           "%a -> %o: already-there"},
      });
}

} // namespace
} // namespace mo::exercise

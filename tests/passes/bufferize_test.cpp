// The exact text that --bufferize leaves, decision by decision.
#include <gtest/gtest.h>

#include "ir/print.h"
#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

constexpr BufferizeMode kCopying = BufferizeMode::Copying;

// The text of double_it on buffers.
std::string doubled(const std::string& input, const std::string& output,
                    const std::string& map = "d0, d1", const std::string& other = "%in") {
  return "  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (" + map +
         ")>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = [\"parallel\", \"parallel\"]} "
         "ins(" +
         input + " : memref<4x4xf32>) outs(" + output +
         " : memref<4x4xf32>) {\n"
         "  ^bb0(%in: f32, %out: f32):\n"
         "    %y = arith.addf %in, " +
         other +
         " : f32\n"
         "    linalg.yield %y : f32\n"
         "  }\n";
}
std::string allocated(const std::string& name) {
  return "  " + name + " = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>\n";
}
std::string freed(const std::string& name) {
  return "  memref.dealloc " + name + " : memref<4x4xf32>\n";
}
std::string copied(const std::string& from, const std::string& to) {
  return "  memref.copy " + from + ", " + to + " : memref<4x4xf32> to memref<4x4xf32>\n";
}

TEST(Bufferize, AChainOnOneEmptyIsOneBufferAndACopyOfTheResult) {
  EXPECT_EQ(bufferized("func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" + empty("%e") +
                           double_it("%a", "%x", "%e") + double_it("%b", "%a", "%e") +
                           "return %b : tensor<4x4xf32>\n}",
                       kCopying),
            "func.func @f(%x: memref<4x4xf32>, %b_out: memref<4x4xf32> {bufferize.result}) {\n" +
                allocated("%e") + doubled("%x", "%e") + doubled("%e", "%e") +
                copied("%e", "%b_out") + freed("%e") + "  return\n}\n");
}

TEST(Bufferize, ATransposedReadOfTheBufferGetsAnother) {
  EXPECT_EQ(bufferized("func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" + empty("%e") +
                           double_it("%a", "%x", "%e") + double_it("%b", "%a", "%e", "d1, d0") +
                           "return %b : tensor<4x4xf32>\n}",
                       kCopying),
            "func.func @f(%x: memref<4x4xf32>, %b_out: memref<4x4xf32> {bufferize.result}) {\n" +
                allocated("%a") + doubled("%x", "%a") + allocated("%e") +
                doubled("%a", "%e", "d1, d0") + freed("%a") + copied("%e", "%b_out") + freed("%e") +
                "  return\n}\n");
}

TEST(Bufferize, AnUpdatedArgumentIsUpdatedInTheCallersArray) {
  EXPECT_EQ(bufferized("func.func @f(%x: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> tensor<4x4xf32> "
                       "{\n" +
                           add_to("%a", "%x", "%d") + "return %a : tensor<4x4xf32>\n}",
                       kCopying),
            "func.func @f(%x: memref<4x4xf32>, %d: memref<4x4xf32>, %a_out: memref<4x4xf32> "
            "{bufferize.result}) {\n" +
                doubled("%x", "%d", "d0, d1", "%out") + copied("%d", "%a_out") + "  return\n}\n");
}

TEST(Bufferize, OldContentsThatAreReadLaterAreCopiedBeforeTheUpdate) {
  EXPECT_EQ(bufferized("func.func @f(%x: tensor<4x4xf32>, %d: tensor<4x4xf32>) -> "
                       "(tensor<4x4xf32>, tensor<4x4xf32>) {\n" +
                           add_to("%a", "%x", "%d") +
                           "return %d, %a : tensor<4x4xf32>, tensor<4x4xf32>\n}",
                       kCopying),
            "func.func @f(%x: memref<4x4xf32>, %d: memref<4x4xf32>, %d_out: memref<4x4xf32> "
            "{bufferize.result}, %a_out: memref<4x4xf32> {bufferize.result}) {\n" +
                allocated("%a") + copied("%d", "%a") + doubled("%x", "%a", "d0, d1", "%out") +
                copied("%d", "%d_out") + copied("%a", "%a_out") + freed("%a") + "  return\n}\n");
}

TEST(Bufferize, AConstantIsCopiedBeforeItIsUpdated) {
  const std::string text =
      bufferized("func.func @f(%x: tensor<4x4xf32>, %o: memref<4x4xf32>) {\n"
                 "%c = arith.constant dense<1.0> : tensor<4x4xf32>\n" +
                     add_to("%a", "%x", "%c") + materialize("%a", "%o") + "return\n}",
                 kCopying);
  EXPECT_NE(text.find("%c = memref.get_global"), std::string::npos) << text;
  EXPECT_NE(text.find(allocated("%a") + copied("%c", "%a") + doubled("%x", "%a", "d0, d1", "%out") +
                      copied("%a", "%o") + freed("%a")),
            std::string::npos)
      << text;
}

TEST(Bufferize, AConstantThatNobodyReadsIsGone) {
  const std::string text =
      bufferized("func.func @f(%x: tensor<4x4xf32>, %o: memref<4x4xf32>) {\n"
                 "%c = arith.constant dense<1.0> : tensor<4x4xf32>\n" +
                     double_it("%a", "%x", "%c") + materialize("%a", "%o") + "return\n}",
                 kCopying);
  EXPECT_EQ(text.find("get_global"), std::string::npos) << text;
}

TEST(Bufferize, ATempIsFreedRightAfterItsLastUse) {
  EXPECT_EQ(
      bufferized("func.func @f(%x: tensor<4x4xf32>, %o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n" +
                     empty("%e") + double_it("%a", "%x", "%e") + materialize("%a", "%o") +
                     materialize("%x", "%p") + "return\n}",
                 kCopying),
      "func.func @f(%x: memref<4x4xf32>, %o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n" +
          allocated("%e") + doubled("%x", "%e") + copied("%e", "%o") + freed("%e") +
          copied("%x", "%p") + "  return\n}\n");
}

TEST(Bufferize, AViewReadAfterItsMemrefIsOverwrittenIsCopiedInTime) {
  EXPECT_EQ(bufferized("func.func @swap(%o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n" +
                           view("%s", "%o") + view("%t", "%p") + materialize("%s", "%p") +
                           materialize("%t", "%o") + "return\n}",
                       kCopying),
            "func.func @swap(%o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n" + allocated("%t") +
                copied("%p", "%t") + copied("%o", "%p") + copied("%t", "%o") + freed("%t") +
                "  return\n}\n");
}

TEST(Bufferize, AViewPutBackWhereItCameFromIsNoCopy) {
  EXPECT_EQ(bufferized("func.func @f(%o: memref<4x4xf32>) {\n" + view("%s", "%o") +
                           materialize("%s", "%o") + "return\n}",
                       kCopying),
            "func.func @f(%o: memref<4x4xf32>) {\n  return\n}\n");
}

TEST(Bufferize, AWritableViewPutBackIsUpdatedInPlace) {
  EXPECT_EQ(bufferized("func.func @f(%x: tensor<4x4xf32>, %o: memref<4x4xf32>) {\n" +
                           view("%s", "%o", "restrict writable") + add_to("%a", "%x", "%s") +
                           materialize("%a", "%o") + "return\n}",
                       kCopying),
            "func.func @f(%x: memref<4x4xf32>, %o: memref<4x4xf32>) {\n" +
                doubled("%x", "%o", "d0, d1", "%out") + "  return\n}\n");
}

TEST(Bufferize, AWritableViewThatIsNotPutBackLeavesTheMemrefAsItWas) {
  EXPECT_EQ(bufferized("func.func @f(%x: tensor<4x4xf32>, %o: memref<4x4xf32>, %p: "
                       "memref<4x4xf32>) {\n" +
                           view("%s", "%o", "restrict writable") + add_to("%a", "%x", "%s") +
                           materialize("%a", "%p") + "return\n}",
                       kCopying),
            "func.func @f(%x: memref<4x4xf32>, %o: memref<4x4xf32>, %p: memref<4x4xf32>) {\n" +
                allocated("%a") + copied("%o", "%a") + doubled("%x", "%a", "d0, d1", "%out") +
                copied("%a", "%p") + freed("%a") + "  return\n}\n");
}

TEST(Bufferize, ElementsThatAnOpLeavesAloneAreCopied) {
  const std::string text = bufferized(
      "func.func @f(%x: tensor<4xf32>, %d: tensor<4x4xf32> {bufferization.writable = false}) -> "
      "tensor<4x4xf32> {\n"
      "%a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, "
      "1)>], iterator_types = [\"parallel\"]} ins(%x : tensor<4xf32>) outs(%d : tensor<4x4xf32>) "
      "{\n^bb0(%in: f32, %out: f32):\nlinalg.yield %in : f32\n} -> tensor<4x4xf32>\n"
      "return %a : tensor<4x4xf32>\n}",
      kCopying);
  EXPECT_NE(text.find(copied("%d", "%a")), std::string::npos) << text;
}

TEST(Bufferize, AReductionOverNothingKeepsItsInit) {
  const std::string text = bufferized(
      "func.func @f(%x: tensor<4x0xf32>, %d: tensor<4xf32> {bufferization.writable = false}) -> "
      "tensor<4xf32> {\n"
      "%a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) "
      "-> (d0)>], iterator_types = [\"parallel\", \"reduction\"]} ins(%x : tensor<4x0xf32>) "
      "outs(%d : tensor<4xf32>) {\n^bb0(%in: f32, %out: f32):\nlinalg.yield %in : f32\n} -> "
      "tensor<4xf32>\nreturn %a : tensor<4xf32>\n}",
      kCopying);
  EXPECT_NE(text.find("memref.copy %d, %a :"), std::string::npos) << text;
}

TEST(Bufferize, OneValueReturnedTwiceIsCopiedTwice) {
  EXPECT_EQ(bufferized("func.func @f(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) "
                       "{\nreturn %x, %x : tensor<4x4xf32>, tensor<4x4xf32>\n}",
                       kCopying),
            "func.func @f(%x: memref<4x4xf32>, %x_out: memref<4x4xf32> {bufferize.result}, "
            "%x_out_0: memref<4x4xf32> {bufferize.result}) {\n" +
                copied("%x", "%x_out") + copied("%x", "%x_out_0") + "  return\n}\n");
}

TEST(Bufferize, NamesOfNumbersAndOfSeveralResultsStayReadable) {
  const std::string text =
      bufferized("func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" + empty("%e") +
                     double_it("%0", "%x", "%e") + "return %0 : tensor<4x4xf32>\n}",
                 BufferizeMode::DestinationPassing);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "func.func @f(%x: memref<4x4xf32>, %r0: memref<4x4xf32> {bufferize.result}) {");
}

TEST(Bufferize, AReturnedScalarIsWrittenToAnOutParameter) {
  EXPECT_EQ(bufferized("func.func @f(%s: f32) -> f32 {\n  return %s : f32\n}",
                       BufferizeMode::DestinationPassing),
            "func.func @f(%s: f32, %s_out: memref<f32> {bufferize.result}) {\n"
            "  linalg.fill ins(%s : f32) outs(%s_out : memref<f32>)\n  return\n}\n");
}

TEST(Bufferize, AFunctionWithoutTensorsIsLeftAsItIs) {
  const std::string text = "func.func @f(%o: memref<4x4xf32>) {\n  return\n}\n";
  EXPECT_EQ(bufferized(text, kCopying), text);
}

TEST(Bufferize, BufferizingAgainChangesNothing) {
  Function function =
      function_of("func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {\n" + empty("%e") +
                  double_it("%a", "%x", "%e") + "return %a : tensor<4x4xf32>\n}");
  Observer nobody;
  bufferize(function, kCopying, nobody);
  const std::string once = print(function);
  bufferize(function, kCopying, nobody);
  EXPECT_EQ(print(function), once);
}

} // namespace

} // namespace mo::testing

// What goes across the innermost loop goes through scratches.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codegen/check_loops.h"
#include "codegen/simplify.h"
#include "tests/codegen/loops_support.h"

namespace mo {
namespace {

using testing::function_text;
using testing::generic_text;
using ::testing::HasSubstr;
using testing::kAddBody;
using testing::LoopArguments;
using ::testing::Not;
using testing::simplified;
using testing::VectorLoops;

constexpr std::string_view kParallel2 = R"("parallel", "parallel")";

constexpr std::string_view kSumBody =
    "^bb0(%a: f32, %b: f32, %old: f32): %s = arith.addf %a, %b : f32 linalg.yield %s : f32";

/// y = transpose(x) + r, of `rows` rows.
std::string transpose_add(int64_t rows, int64_t columns) {
  return function_text(
      fmt::format("%x: memref<{1}x{0}xf32>, %r: memref<{0}x{1}xf32>, %y: memref<{0}x{1}xf32>", rows,
                  columns),
      generic_text("d0, d1", {"d1, d0", "d0, d1", "d0, d1"}, kParallel2,
                   fmt::format("ins(%x, %r : memref<{1}x{0}xf32>, memref<{0}x{1}xf32>) "
                               "outs(%y : memref<{0}x{1}xf32>)",
                               rows, columns),
                   kSumBody));
}

/// Empty if the simplified kernel is well-formed and does what the lowered one does.
std::string complaint(const std::string& text) {
  const Function function = testing::parse_function(text);
  Kernel kernel = lower_to_loops(function);
  LoopArguments before;
  for (const Argument& argument : function.args) {
    std::vector<uint64_t>& bits = before.emplace_back();
    const Type& type = function.type(argument.value);
    for (int64_t k = 0; k < element_count(type); ++k) // small integers, also as floats' bits
      bits.push_back(type.element == ElementType::I1    ? static_cast<uint64_t>(k % 3 == 0)
                     : type.element == ElementType::F32 ? 0x3f800000u + static_cast<uint64_t>(k)
                                                        : static_cast<uint64_t>(k));
  }
  const LoopArguments expected = testing::result_of(kernel, before);
  simplify(kernel);
  if (const std::vector<std::string> violations = check(kernel); !violations.empty())
    return violations.front();
  for (VectorLoops order : {VectorLoops::InOrder, VectorLoops::SideBySide})
    if (std::string differs =
            testing::difference(expected, testing::result_of(kernel, before, order), function);
        !differs.empty())
      return differs;
  return "";
}

TEST(TileTransposes, ATransposedReadGoesThroughAScratch) {
  EXPECT_EQ(simplified(transpose_add(4, 8)),
            R"(kernel @f(%x: 32 x f32, %r: 32 x f32, %y: 32 x f32) {
  %x_tile = scratch 128 x f32
  for d0 in 0..4 {
    for d1 in 0..8 vector {
      %x_0 = load %x[d0 + 4*d1]
      store %x_0, %x_tile[32*d0 + d1]
    }
  }
  for d0 in 0..4 {
    for d1 in 0..8 vector {
      %a = load %x_tile[32*d0 + d1]
      %b = load %r[8*d0 + d1]
      %s = arith.addf %a, %b : f32
      store %s, %y[8*d0 + d1]
    }
  }
}
)");
}

TEST(TileTransposes, BlocksAskForTheNextOneRowByRow) {
  const std::string text = simplified(transpose_add(1024, 2048));
  EXPECT_THAT(text, HasSubstr(R"(  for d0_block in 0..8 {
    for d1_block in 0..16 {
      for d0 in 0..128 {
        for d1 in 0..128 vector {
          %x_0 = load %x[128*d0_block + 131072*d1_block + d0 + 1024*d1]
          store %x_0, %x_tile[144*d0 + d1]
        }
      }
      for d0 in 0..128 {
        prefetch 128 x %x[128*d0_block + 131072*d1_block + 1024*d0 + 131072]
        prefetch 128 x %r[262144*d0_block + 128*d1_block + 2048*d0 + 128]
        for d1 in 0..128 vector {
          %a = load %x_tile[144*d0 + d1]
)"));
}

TEST(TileTransposes, RowsThatStartAnywhereInALineAreAskedForToTheirLastLine) {
  const std::string text = simplified(transpose_add(1023, 1040));
  EXPECT_THAT(text, HasSubstr("prefetch 143 x %x["));
  EXPECT_THAT(text, HasSubstr("prefetch 128 x %r["));
}

TEST(TileTransposes, SmallerOrNarrowerNestsStayAsTheyAre) {
  EXPECT_THAT(simplified(transpose_add(3, 100)), Not(HasSubstr("scratch")));
  EXPECT_THAT(simplified(transpose_add(100, 3)), Not(HasSubstr("scratch")));
  EXPECT_THAT(simplified(transpose_add(4, 4)), HasSubstr("scratch"));
}

TEST(TileTransposes, KeepsTheMeaningAtSizesAroundTheBlocks) {
  for (int64_t rows : {4, 5, 16, 127, 128, 129, 130, 257})
    for (int64_t columns : {4, 17, 128, 131, 260})
      EXPECT_EQ(complaint(transpose_add(rows, columns)), "") << rows << " x " << columns;
}

TEST(TileTransposes, ATransposedWriteGoesThroughAScratch) {
  // Two outputs pull in two directions; one of them is written across.
  const std::string text = function_text(
      "%x: memref<20x12xf32>, %y: memref<20x12xf32>, %z: memref<12x20xf32>",
      generic_text(
          "d0, d1", {"d0, d1", "d0, d1", "d1, d0"}, kParallel2,
          "ins(%x : memref<20x12xf32>) outs(%y, %z : memref<20x12xf32>, memref<12x20xf32>)",
          "^bb0(%a: f32, %y0: f32, %z0: f32): %t = arith.addf %a, %a : f32 "
          "linalg.yield %a, %t : f32, f32"));
  const std::string loops = simplified(text);
  EXPECT_THAT(loops, HasSubstr("%z_tile = scratch"));
  EXPECT_THAT(loops, HasSubstr(R"(  for d1 in 0..12 {
    for d0 in 0..20 vector {
      %z_0 = load %z_tile[d1 + 32*d0]
      store %z_0, %z[20*d1 + d0]
)"));
  EXPECT_EQ(complaint(text), "");
}

TEST(TileTransposes, ABatchOfTransposesIsTiledInsideOfIt) {
  for (const char* map : {"d0, d2, d1", "d2, d0, d1", "d2, d1, d0", "d1, d2, d0", "d1, d0, d2"}) {
    const std::string text = function_text(
        "%x: memref<20x20x20xi64>, %y: memref<20x20x20xi64>",
        generic_text(
            "d0, d1, d2", {map, "d0, d1, d2"}, R"("parallel", "parallel", "parallel")",
            "ins(%x : memref<20x20x20xi64>) outs(%y : memref<20x20x20xi64>)",
            "^bb0(%a: i64, %old: i64): %b = arith.addi %a, %a : i64 linalg.yield %b : i64"));
    EXPECT_EQ(complaint(text), "") << map;
    const bool innermost_stays = std::string_view(map) == "d1, d0, d2";
    EXPECT_EQ(simplified(text).find("scratch") == std::string::npos, innermost_stays) << map;
  }
}

TEST(TileTransposes, IndicesCountOnThroughTheBlocks) {
  for (auto [rows, columns] : {std::pair{5, 300}, {300, 5}, {300, 300}, {9, 9}}) {
    const std::string text = function_text(
        fmt::format("%x: memref<{1}x{0}xi64>, %y: memref<{0}x{1}xi64>", rows, columns),
        generic_text("d0, d1", {"d1, d0", "d0, d1"}, kParallel2,
                     fmt::format("ins(%x : memref<{1}x{0}xi64>) outs(%y : memref<{0}x{1}xi64>)",
                                 rows, columns),
                     "^bb0(%a: i64, %old: i64): %i = linalg.index 0 : index %j = linalg.index 1 : "
                     "index %k = arith.muli %i, %j : index %l = arith.subi %k, %j : index "
                     "%m = arith.index_cast %l : index to i64 %n = arith.addi %a, %m : i64 "
                     "linalg.yield %n : i64"));
    EXPECT_EQ(complaint(text), "") << rows << " x " << columns;
  }
}

// o[d0] += sum over d1 of x[d1, d0] * r[d0, d1]
TEST(TileTransposes, ASumOverATransposedOperandIsCarriedInsideOfABlock) {
  const std::string text = function_text(
      "%x: memref<150x150xi64>, %r: memref<150x150xi64>, %o: memref<150xi64>",
      generic_text(
          "d0, d1", {"d1, d0", "d0, d1", "d0"}, R"("parallel", "reduction")",
          "ins(%x, %r : memref<150x150xi64>, memref<150x150xi64>) outs(%o : memref<150xi64>)",
          "^bb0(%a: i64, %b: i64, %acc: i64): %m = arith.muli %a, %b : i64 "
          "%s = arith.addi %acc, %m : i64 linalg.yield %s : i64"));
  EXPECT_THAT(simplified(text), HasSubstr("scratch"));
  EXPECT_THAT(simplified(text), HasSubstr("carrying"));
  EXPECT_EQ(complaint(text), "");
}

// A product of floats over both loops has to stay in order: the blocks would change it.
TEST(TileTransposes, WhatHasToRunInOrderIsNotTiled) {
  const std::string text = function_text(
      "%x: memref<8x8xf32>, %r: memref<8x8xf32>, %o: memref<f32>",
      generic_text("d0, d1", {"d1, d0", "d0, d1", ""}, R"("reduction", "reduction")",
                   "ins(%x, %r : memref<8x8xf32>, memref<8x8xf32>) outs(%o : memref<f32>)",
                   "^bb0(%a: f32, %b: f32, %acc: f32): %m = arith.subf %a, %b : f32 "
                   "%s = arith.mulf %acc, %m : f32 linalg.yield %s : f32"));
  EXPECT_THAT(simplified(text), Not(HasSubstr("scratch")));
  EXPECT_EQ(complaint(text), "");
}

TEST(TileTransposes, ABufferUpdatedInPlaceKeepsItsElements) {
  const std::string text = function_text(
      "%x: memref<40x24xf32>, %y: memref<24x40xf32>",
      generic_text("d0, d1", {"d0, d1", "d1, d0", "d0, d1", "d1, d0"}, kParallel2,
                   "ins(%x, %y : memref<40x24xf32>, memref<24x40xf32>) "
                   "outs(%x, %y : memref<40x24xf32>, memref<24x40xf32>)",
                   "^bb0(%a: f32, %b: f32, %c: f32, %d: f32): linalg.yield %b, %a : f32, f32"));
  EXPECT_THAT(simplified(text), HasSubstr("scratch"));
  EXPECT_EQ(complaint(text), "");
}

// As many operands read across as read along, and one more, so that the loops stay as they are.
std::string sum_of_both_ways(int count) {
  std::vector<std::string> maps;
  std::string arguments, names, types, block, sum = "%s0 = arith.addf %a0, %a0 : f64 ";
  for (int k = 0; k <= 2 * count; ++k) {
    maps.push_back(k < count ? "d1, d0" : "d0, d1");
    arguments += fmt::format("%x{}: memref<70x70xf64>, ", k);
    names += fmt::format("{}%x{}", k ? ", " : "", k);
    types += fmt::format("{}memref<70x70xf64>", k ? ", " : "");
    block += fmt::format("%a{}: f64, ", k);
    sum += fmt::format("%s{} = arith.addf %s{}, %a{} : f64 ", k + 1, k, k);
  }
  maps.push_back("d0, d1");
  return function_text(
      arguments + "%y: memref<70x70xf64>",
      generic_text(
          "d0, d1", maps, kParallel2,
          fmt::format("ins({} : {}) outs(%y : memref<70x70xf64>)", names, types),
          fmt::format("^bb0({}%old: f64): {} linalg.yield %s{} : f64", block, sum, 2 * count + 1)));
}

TEST(TileTransposes, ManyOperandsGetSmallerBlocksOrNone) {
  for (auto [count, block] : {std::pair{1, 70}, {2, 64}, {9, 32}, {36, 16}, {37, 0}}) {
    const std::string text = sum_of_both_ways(count);
    EXPECT_EQ(complaint(text), "") << count;
    Kernel kernel = testing::lowered(text);
    simplify(kernel);
    int64_t scratches = 0, elements = 0;
    for (const Buffer& buffer : kernel.buffers)
      if (buffer.kind == Buffer::Kind::Scratch) {
        ++scratches;
        elements = buffer.elements;
      }
    EXPECT_EQ(scratches, block ? count : 0);
    EXPECT_LE(elements, block * (block + 32)) << count;
    EXPECT_LE(scratches * elements * 8, 144 << 10) << count;
  }
}

} // namespace
} // namespace mo

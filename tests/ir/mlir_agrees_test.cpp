// The verifier beside mlir-opt: what we accept it accepts, and where we are stricter a test says
// so.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/ir/from_text.h"
#include "tests/support/process.h"

namespace mo {
namespace {

struct Case {
  std::string name;
  std::string text;
};

/// A generic that copies %x, read through a map, to %e, written through another.
Case copying(const std::string& loops, const std::string& read, const std::string& write,
             const std::string& x, const std::string& e) {
  const auto iterators = [&] {
    std::string text;
    for (char c : loops)
      text +=
          fmt::format("{}\"{}\"", text.empty() ? "" : ", ", c == 'p' ? "parallel" : "reduction");
    return text;
  }();
  const auto element = [](const std::string& type) {
    const size_t at = type.find_last_of("<x");
    return at == type.npos ? type : type.substr(at + 1, type.size() - at - 2);
  };
  const std::string result = e.starts_with("tensor") ? " -> " + e : "";
  return {fmt::format("[{}] {} : {} to {} : {}", loops, read, x, write, e),
          fmt::format(R"(func.func @f(%x: {2}, %e: {3}) {{
  {6}linalg.generic {{indexing_maps = [affine_map<{0}>, affine_map<{1}>], iterator_types = [{4}]}}
      ins(%x : {2}) outs(%e : {3}) {{
  ^bb0(%i: {7}, %o: {8}):
    linalg.yield %i : {7}
  }}{5}
  return
}})",
                      read, write, x, e, iterators, result,
                      result.empty() ? "" : "%r = ", element(x), element(e))};
}

Case statement(const std::string& args, const std::string& op) {
  return {op, "func.func @f(" + args + ") {\n  " + op + "\n  return\n}"};
}

/// Programs on which we and mlir-opt have the same opinion.
const std::vector<Case> kSameOpinion = {
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "memref<4xf32>", "memref<4xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "memref<4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<5xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf64>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<4x4xf32>", "tensor<4xf32>"),
    copying("pp", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("", "() -> ()", "() -> ()", "tensor<f32>", "tensor<f32>"),
    copying("", "() -> ()", "() -> ()", "f32", "tensor<f32>"),
    copying("p", "(d0) -> ()", "(d0) -> (d0)", "f32", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "f32", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> ()", "tensor<4xf32>", "f32"),
    copying("r", "(d0) -> (d0)", "(d0) -> ()", "tensor<4xf32>", "tensor<f32>"),
    copying("pp", "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0)", "tensor<4x5xf32>", "tensor<4xf32>"),
    copying("pp", "(d0, d1) -> (d0)", "(d0, d1) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("pp", "(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d0 + d1)", "tensor<4xf32>",
            "tensor<4xf32>"),
    copying("pp", "(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d0, d1)", "tensor<5xf32>",
            "tensor<3x3xf32>"),
    copying("pp", "(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d0, d1)", "tensor<9xf32>",
            "tensor<3x3xf32>"),
    copying("pp", "(d0, d1) -> (d0 + d1)", "(d0, d1) -> (d0, d1)", "tensor<4xf32>",
            "tensor<3x3xf32>"),
    copying("pp", "(d0, d1) -> (d0, d1)", "(d0, d1) -> (d0 + d1)", "tensor<4x4xf32>",
            "tensor<7xf32>"),
    copying("p", "(d0) -> (d0 * 2)", "(d0) -> (d0 * 2)", "tensor<8xf32>", "tensor<8xf32>"),
    copying("p", "(d0) -> (d0 * 2 + 1)", "(d0) -> (d0)", "tensor<8xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0 * 2 + 1)", "(d0) -> (d0)", "tensor<7xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (-d0 + 3)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (-d0 + 3)", "(d0) -> (d0)", "tensor<9xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (-d0 + 3)", "(d0) -> (d0)", "tensor<3xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (-d0 + 2)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (2)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (4)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (-1)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0, d0)", "(d0) -> (d0)", "tensor<4x4xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0, d0)", "(d0) -> (d0)", "tensor<4x5xf32>", "tensor<4xf32>"),
    // loops of extent 0
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<0xf32>", "tensor<0xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<0xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (0)", "(d0) -> (d0)", "tensor<1xf32>", "tensor<0xf32>"),
    copying("p", "(d0) -> (3)", "(d0) -> (d0)", "tensor<1xf32>", "tensor<0xf32>"),
    copying("p", "(d0) -> (d0 + 1)", "(d0) -> (d0)", "tensor<0xf32>", "tensor<0xf32>"),
    copying("p", "(d0) -> (-d0 + 3)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<0xf32>"),
    copying("p", "(d0) -> (-d0 + 3)", "(d0) -> (d0)", "tensor<5xf32>", "tensor<0xf32>"),
    copying("p", "(d0) -> (d0 * 2)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<0xf32>"),
    copying("p", "(d0) -> (d0 + 4)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<0xf32>"),
    copying("pp", "(d0, d1) -> (d0 + 5)", "(d0, d1) -> (d0, d1)", "tensor<3xf32>",
            "tensor<3x0xf32>"),
    // the other ops
    statement("%c: i32, %t: tensor<4xf32>",
              "%r = linalg.fill ins(%c : i32) outs(%t : tensor<4xf32>) -> tensor<4xf32>"),
    statement("%c: f32, %m: memref<4xf32>", "linalg.fill ins(%c : f32) outs(%m : memref<4xf32>)"),
    statement("%a: memref<4xf32>, %b: memref<5xf32>",
              "memref.copy %a, %b : memref<4xf32> to memref<5xf32>"),
    statement("%a: memref<4xf32>", "memref.copy %a, %a : memref<4xf32> to memref<4xf32>"),
    statement("", "%a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>"),
    statement("", "%a = memref.alloc() {alignment = 48 : i64} : memref<4xf32>"),
    statement("%t: tensor<4xf32>, %m: memref<4xf32>",
              "bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, "
              "memref<4xf32>) -> ()"),
    statement("%t: tensor<4xf32>, %m: memref<4xf32>",
              "bufferization.materialize_in_destination %t in restrict %m : (tensor<4xf32>, "
              "memref<4xf32>) -> ()"),
    statement("%t: tensor<4xf32>, %d: tensor<4xf32>",
              "%r = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, "
              "tensor<4xf32>) -> tensor<4xf32>"),
    statement("%t: tensor<4xf32>, %d: tensor<4xf32>",
              "%r = bufferization.materialize_in_destination %t in restrict %d : (tensor<4xf32>, "
              "tensor<4xf32>) -> tensor<4xf32>"),
    statement("%m: memref<4xf32>",
              "%t = bufferization.to_tensor %m : memref<4xf32> to tensor<5xf32>"),
    statement("%a: i32", "%r = arith.addf %a, %a : i32"),
    statement("%a: i1", "%r = arith.index_cast %a : i1 to index"),
    statement("%a: f32", "%r = arith.bitcast %a : f32 to f32"),
    statement("%a: index", "%r = arith.bitcast %a : index to i64"),
    statement("%a: index", "%r = arith.shli %a, %a : index"),
};

/// Programs that mlir-opt accepts and we refuse, each for a reason.
const std::vector<Case> kStricterThanMlir = {
    // d0 - d1 is 0 at the first and the last point, which is all that mlir-opt looks at.
    copying("pp", "(d0, d1) -> (d0 - d1)", "(d0, d1) -> (d0, d1)", "tensor<4xf32>",
            "tensor<4x4xf32>"),
    // Elements that are not there are read and written: mlir-opt skips dimensions of extent 0.
    copying("p", "(d0) -> (0)", "(d0) -> (d0)", "tensor<0xf32>", "tensor<4xf32>"),
    copying("p", "(d0) -> (d0)", "(d0) -> (d0)", "tensor<4xf32>", "tensor<0xf32>"),
    // A function works on tensors or on buffers.
    statement("%t: tensor<4xf32>", "%a = memref.alloc() : memref<4xf32>"),
    // Undefined behaviour.
    statement("%m: memref<4xf32>", "memref.dealloc %m : memref<4xf32>"),
    // A meaning that only the other kind of type has.
    statement("%m: memref<4xf32> {bufferization.writable = true}", ""),
};

bool we_accept(const std::string& text) {
  Diagnostics diagnostics;
  return parse_and_verify({"case.mlir", text}, diagnostics).has_value();
}

class MlirAgrees : public ::testing::Test {
protected:
  void SetUp() override {
    mlir_opt_ = testing::find_mlir_opt();
    if (mlir_opt_.empty())
      GTEST_SKIP() << "NOT COMPARED WITH MLIR: no mlir-opt 20 or later on the PATH";
  }
  /// For each case, does mlir-opt accept it? All go through one run, split at its `// -----` lines;
  /// the line that an error names tells whose it is.
  std::vector<bool> mlir_accepts(const std::vector<Case>& cases) const {
    std::string text;
    std::vector<size_t> last_line;
    for (const Case& c : cases) {
      text += c.text + "\n// -----\n";
      last_line.push_back(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')));
    }
    const testing::Ended ended = testing::run_process({mlir_opt_, "--split-input-file", "-"}, text);
    std::vector<bool> accepts(cases.size(), true);
    for (size_t at = ended.err.find("<stdin>:"); at != std::string::npos;
         at = ended.err.find("<stdin>:", at + 1)) {
      const size_t line = std::stoul(ended.err.substr(at + 8));
      const auto whose = std::lower_bound(last_line.begin(), last_line.end(), line);
      accepts.at(static_cast<size_t>(whose - last_line.begin())) = false;
    }
    return accepts;
  }
  std::string mlir_opt_;
};

TEST_F(MlirAgrees, OnWhatIsValid) {
  const std::vector<Case> cases = kSameOpinion;
  const std::vector<bool> accepted = mlir_accepts(cases);
  EXPECT_TRUE(std::find(accepted.begin(), accepted.end(), false) != accepted.end());
  for (size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(we_accept(cases[i].text), accepted[i]) << cases[i].name;
}

TEST_F(MlirAgrees, ExceptWhereWeAreStricter) {
  const std::vector<Case> cases = kStricterThanMlir;
  const std::vector<bool> accepted = mlir_accepts(cases);
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_FALSE(we_accept(cases[i].text)) << cases[i].name;
    EXPECT_TRUE(accepted[i]) << cases[i].name;
  }
}

TEST_F(MlirAgrees, OnTheTextOfMaps) {
  // mlir-opt prints each map back as it was written, where it was written as we write it.
  const std::vector<std::vector<int64_t>> rows = {
      {1, 0, 0},  {0, 0, 0},  {2, 1, 0},   {-1, 0, 7},  {1, -1, 0},         {-3, -1, -5},
      {0, -1, 0}, {0, -4, 1}, {-1, -1, 0}, {0, 0, -12}, {INT64_MAX, 0, -1}, {1, -INT64_MAX, 0}};
  std::string text = "func.func private @f() attributes {";
  std::vector<std::string> maps;
  for (size_t i = 0; i < rows.size(); ++i) {
    AffineMap map(2, 1);
    map.set_coefficient(0, 0, rows[i][0]);
    map.set_coefficient(0, 1, rows[i][1]);
    map.set_constant(0, rows[i][2]);
    maps.push_back("affine_map<" + to_string(map) + ">");
    text += fmt::format("{}a{} = {}", i == 0 ? "" : ", ", i, maps.back());
  }
  const testing::Ended ended = testing::run_process({mlir_opt_}, text + "}");
  ASSERT_EQ(ended.status, 0) << ended.err;
  for (const std::string& map : maps)
    EXPECT_NE(ended.out.find("= " + map + "\n"), std::string::npos) << map << "\n" << ended.out;
}

TEST_F(MlirAgrees, OnTheSmallestCoefficientsMeaning) {
  AffineMap map(1, 1);
  map.set_coefficient(0, 0, INT64_MIN);
  map.set_constant(0, INT64_MIN);
  const std::string text =
      "func.func private @f() attributes {a = affine_map<" + to_string(map) + ">}";
  const testing::Ended ended = testing::run_process({mlir_opt_}, text);
  EXPECT_EQ(ended.status, 0) << ended.err;
}

TEST(Examples, EveryExampleAndEveryCaseVerifies) {
  namespace fs = std::filesystem;
  unsigned count = 0;
  for (const char* folder : {"examples", "tests/cases"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(testing::repository_file(folder))) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".tir" && extension != ".mlir")
        continue;
      ++count;
      EXPECT_EQ(violations_in(testing::read_file(entry.path().string())), "") << entry.path();
    }
  EXPECT_GT(count, 0u);
}

} // namespace
} // namespace mo

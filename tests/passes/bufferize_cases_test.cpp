// The inputs of tests/cases/bufferize, whose first lines hold what mlir-opt counted.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

struct Traffic {
  unsigned allocs = 0, copies = 0;
};

std::string case_text(const std::string& name) {
  std::ifstream file(std::string(MO_SOURCE_DIR) + "/tests/cases/bufferize/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(MO_SOURCE_DIR) + "/tests/cases/bufferize"))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// The counts in brackets: bufferized, empties eliminated first, cleaned up after that.
std::vector<Traffic> expected_by(const std::string& text) {
  static const std::regex kCounts(R"((\d+) alloc (\d+) copy)");
  const std::string line = text.substr(0, text.find('\n'));
  std::vector<Traffic> counts;
  for (std::sregex_iterator it(line.begin(), line.end(), kCounts), end; it != end; ++it)
    counts.push_back(
        {static_cast<unsigned>(std::stoul((*it)[1])), static_cast<unsigned>(std::stoul((*it)[2]))});
  return counts;
}

Traffic traffic_of(const std::string& text, BufferizeMode mode) {
  Function function = function_of(text);
  Observer nobody;
  bufferize(function, mode, nobody);
  Traffic traffic;
  for (const Op& op : function.ops) {
    traffic.allocs += op.is<AllocOp>();
    traffic.copies += op.is<CopyOp>();
  }
  return traffic;
}

class BufferizeCase : public ::testing::TestWithParam<std::string> {};

TEST_P(BufferizeCase, BufferizeAllocatesAsMlirOptAndCopiesEachResultOnceMore) {
  const std::string text = case_text(GetParam());
  const std::vector<Traffic> expected = expected_by(text);
  ASSERT_EQ(expected.size(), 3u);
  const size_t returned = function_of(text).result_types.size();
  const Traffic got = traffic_of(text, BufferizeMode::Copying);
  EXPECT_EQ(got.allocs, expected[0].allocs);
  EXPECT_EQ(got.copies, expected[0].copies + returned);
}

// mlir-opt's counts are for results that are returned; as out-parameters each costs it one more
// copy.
TEST_P(BufferizeCase, ElimNeedsNoMoreThanMlirOptAfterCleanUp) {
  const std::string text = case_text(GetParam());
  const Traffic limit = expected_by(text).at(2);
  const size_t returned = function_of(text).result_types.size();
  const Traffic got = traffic_of(text, BufferizeMode::DestinationPassing);
  EXPECT_LE(got.allocs, limit.allocs);
  EXPECT_LE(got.copies, limit.copies + returned);
}

INSTANTIATE_TEST_SUITE_P(Cases, BufferizeCase, ::testing::ValuesIn(case_names()),
                         [](const auto& it) { return it.param.substr(0, it.param.find('.')); });

TEST(BufferizeCases, ElimReachesTheseCounts) {
  struct Row {
    const char* name;
    unsigned allocs, copies;
  };
  const Row rows[] = {
      {"b01_chain_shared_empty.mlir", 1, 0},
      {"b02_chain_two_empties.mlir", 1, 0},
      {"b03_transpose_shared_empty.mlir", 1, 0},
      {"b04_both_transposed.mlir", 1, 0},
      {"b08_arg_read_after_write.mlir", 0, 1},
      {"b10_in_is_init_identity.mlir", 0, 0},
      {"b13_in_is_init_other_transposed.mlir", 0, 0},
      {"b14_in_is_init_reduction.mlir", 0, 1},
      {"b17_fill_shared_by_two_reductions.mlir", 0, 1},
      {"b18_const_init_read.mlir", 0, 1},
      {"b20_return_arg_and_update.mlir", 0, 2},
      {"b21_two_updates.mlir", 0, 2},
      {"b27_out_param_empty.mlir", 0, 0},
      {"b29_out_param_chain.mlir", 1, 0},
      {"b51_reuse_after_materialize.mlir", 0, 1},
  };
  EXPECT_EQ(std::size(rows), case_names().size());
  for (const Row& row : rows) {
    const Traffic got = traffic_of(case_text(row.name), BufferizeMode::DestinationPassing);
    EXPECT_EQ(got.allocs, row.allocs) << row.name;
    EXPECT_EQ(got.copies, row.copies) << row.name;
  }
}

TEST(BufferizeCases, TheLabsPayloadHasOneTempAndOneCopyAndLosesTheCopy) {
  std::ifstream file(std::string(MO_SOURCE_DIR) + "/examples/fusion.tir");
  std::stringstream text;
  text << file.rdbuf();
  const Traffic naive = traffic_of(text.str(), BufferizeMode::Copying);
  const Traffic passing = traffic_of(text.str(), BufferizeMode::DestinationPassing);
  EXPECT_EQ(naive.allocs, 1u);
  EXPECT_EQ(naive.copies, 1u);
  EXPECT_EQ(passing.allocs, 1u);
  EXPECT_EQ(passing.copies, 0u);
}

} // namespace

} // namespace mo::testing

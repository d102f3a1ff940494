// What is printed is what was read.
#include <gtest/gtest.h>

#include <filesystem>

#include "ir/print.h"
#include "tests/ir/from_text.h"
#include "tests/ir/rich_text.h"
#include "tests/support/process.h"

namespace mo {
namespace {

namespace fs = std::filesystem;

std::string reprinted(const std::string& text) {
  return print(module_from(text));
}

std::vector<std::string> sample_texts() {
  std::vector<std::string> texts = {rich_text(), all_scalar_ops()};
  for (const char* dir : {"examples", "tests/cases"})
    for (const auto& entry : fs::recursive_directory_iterator(testing::repository_file(dir)))
      if (entry.path().extension() == ".tir" || entry.path().extension() == ".mlir")
        texts.push_back(testing::read_file(entry.path().string()));
  return texts;
}

TEST(RoundTrip, EveryOpPrintsAsItWasWritten) {
  EXPECT_EQ(reprinted(rich_text()), rich_text());
}

TEST(RoundTrip, EveryScalarOpPrintsAsItWasWritten) {
  EXPECT_EQ(reprinted(all_scalar_ops()), all_scalar_ops());
}

TEST(RoundTrip, TheSamplesAreValid) {
  for (const std::string& text : {rich_text(), all_scalar_ops()})
    EXPECT_EQ(violations_in(text), "");
}

TEST(RoundTrip, PrintingIsAFixedPointOfParsing) {
  for (const std::string& text : sample_texts()) {
    const std::string once = reprinted(text);
    EXPECT_EQ(reprinted(once), once);
  }
}

TEST(RoundTrip, AFunctionAloneReadsBackToo) {
  for (const std::string& text : sample_texts())
    for (const Function& function : module_from(text).functions) {
      const std::string once = print(function);
      EXPECT_EQ(print(function_from(once)), once);
    }
}

TEST(RoundTrip, MlirOptReadsWhatIsPrintedAsItReadsTheOriginal) {
  const std::string mlir_opt = testing::find_mlir_opt();
  if (mlir_opt.empty())
    GTEST_SKIP() << "no mlir-opt of version 20 or later on the PATH";
  for (const std::string& text : {rich_text(), all_scalar_ops()}) {
    const testing::Ended original = testing::run_process({mlir_opt, "-"}, text);
    const testing::Ended printed = testing::run_process({mlir_opt, "-"}, reprinted(text));
    ASSERT_EQ(printed.status, 0) << printed.err;
    EXPECT_EQ(printed.out, original.out);
  }
}

TEST(RoundTrip, WhatMlirOptPrintsIsReadAndIsTheSameToIt) {
  const std::string mlir_opt = testing::find_mlir_opt();
  if (mlir_opt.empty())
    GTEST_SKIP() << "no mlir-opt of version 20 or later on the PATH";
  for (const std::string& text : {rich_text(), all_scalar_ops()}) {
    const testing::Ended theirs = testing::run_process({mlir_opt, "-"}, text);
    ASSERT_EQ(theirs.status, 0) << theirs.err;
    const testing::Ended ours = testing::run_process({mlir_opt, "-"}, reprinted(theirs.out));
    EXPECT_EQ(ours.out, theirs.out) << ours.err;
  }
}

} // namespace
} // namespace mo

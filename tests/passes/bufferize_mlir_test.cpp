// Where mlir-opt is installed: does it count the same allocations and copies?
#include <iostream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "ir/parse.h"
#include "ir/print.h"
#include "tests/passes/bufferize_programs.h"
#include "tests/support/process.h"

namespace mo::testing {

namespace {

struct Traffic {
  unsigned allocs = 0, copies = 0;
};

// Per function of a printed module.
std::map<std::string, Traffic> traffic_in(const std::string& text) {
  std::map<std::string, Traffic> traffic;
  std::string name;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (const size_t at = line.find("func.func @"); at != std::string::npos)
      name = line.substr(at + 11, line.find('(', at) - at - 11);
    traffic[name].allocs += line.find("memref.alloc(") != std::string::npos;
    traffic[name].copies += line.find("memref.copy") != std::string::npos;
  }
  return traffic;
}

std::string bufferized_module(const std::string& text, BufferizeMode mode) {
  const SourceFile source{"random.mlir", text};
  Diagnostics diagnostics;
  auto module = parse_and_verify(source, diagnostics);
  if (!module)
    return render(diagnostics, source, false);
  Observer nobody;
  for (Function& function : module->functions)
    bufferize(function, mode, nobody);
  return print(*module);
}

std::string random_module(RandomOptions options, uint64_t programs) {
  std::string text;
  for (uint64_t seed = 0; seed < programs; ++seed)
    text += random_buffer_program(seed, "f" + std::to_string(seed), options);
  return text;
}

#define SKIP_WITHOUT_MLIR_OPT(mlir_opt)                                                            \
  const std::string mlir_opt = find_mlir_opt();                                                    \
  if (mlir_opt.empty())                                                                            \
  GTEST_SKIP() << "*** NOT TESTED: no mlir-opt 20 or newer on the PATH ***"

TEST(BufferizeAsMlir, AllocatesAndCopiesAsOftenOnRandomPrograms) {
  SKIP_WITHOUT_MLIR_OPT(mlir_opt);
  const std::string text = random_module({.as_mlir = true}, 300);
  const Ended theirs = run_process({mlir_opt,
                                    "--one-shot-bufferize=bufferize-function-boundaries "
                                    "function-boundary-type-conversion=identity-layout-map",
                                    "--buffer-results-to-out-params=modify-public-functions", "-"},
                                   text);
  ASSERT_EQ(theirs.status, 0) << theirs.err;
  const auto expected = traffic_in(theirs.out);
  const auto got = traffic_in(bufferized_module(text, BufferizeMode::Copying));
  ASSERT_EQ(expected.size(), got.size());
  for (const auto& [name, traffic] : expected) {
    EXPECT_EQ(got.at(name).allocs, traffic.allocs) << name;
    EXPECT_EQ(got.at(name).copies, traffic.copies) << name;
  }
}

TEST(BufferizeAsMlir, ItsResultsAreAcceptedByMlirOpt) {
  SKIP_WITHOUT_MLIR_OPT(mlir_opt);
  const std::string text = random_module({}, 100);
  for (const BufferizeMode mode : {BufferizeMode::Copying, BufferizeMode::DestinationPassing}) {
    const Ended read = run_process({mlir_opt, "-"}, bufferized_module(text, mode));
    EXPECT_EQ(read.status, 0) << read.err;
  }
}

} // namespace

} // namespace mo::testing

// --jit-debug, as a person at gdb's prompt sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

#include "codegen/isa.h"
#include "tests/codegen/host_isas.h"
#include "tests/gdb/gdb_session.h"
#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// relu(x*s + b) over elements that fill unrolled vectors, single ones, and leave some over.
constexpr const char* kFunction = R"(
#map = affine_map<(d0) -> (d0)>
func.func @relu(%x: memref<1001xf32>, %out: memref<1001xf32>, %s: f32, %b: f32) {
  %zero = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : memref<1001xf32>) outs(%out : memref<1001xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %s : f32
    %a = arith.addf %m, %b : f32
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  }
  return
}
)";
constexpr unsigned kMulLine = 6, kAddLine = 7, kMaxLine = 8; // as it is printed

// The same into a temp, and a copy from there.
constexpr const char* kWithTemp = R"(
func.func @through(%x: memref<5xf32>, %out: memref<5xf32>) {
  %e = memref.alloc() : memref<5xf32>
  memref.copy %x, %e : memref<5xf32> to memref<5xf32>
  memref.copy %e, %out : memref<5xf32> to memref<5xf32>
  memref.dealloc %e : memref<5xf32>
  return
}
)";

const std::vector<std::string> kArguments = {"--arg=iota", "--arg=zeros", "--arg=2", "--arg=1"};

class JitDebug : public ::testing::Test {
protected:
  void SetUp() override { MO_SKIP_WITHOUT_GDB(); }

  // What gdb, without the commands of tools/gdb, says to these about mini-opt --run.
  std::string gdb(const std::string& program, const std::vector<std::string>& commands,
                  std::vector<std::string> arguments) {
    write_file(dir_ / "program.tir", program);
    std::vector<std::string> argv = {"gdb", "-batch", "-nx"};
    for (const char* setting : {"breakpoint pending on", "debuginfod enabled off", "width 0",
                                "disable-randomization off"}) // a container may not let gdb do it
      argv.insert(argv.end(), {"-ex", fmt::format("set {}", setting)});
    for (const std::string& command : commands)
      argv.insert(argv.end(), {"-ex", command});
    argv.insert(argv.end(), {"--args", MO_MINI_OPT_STEPPED, "--run", "--jit-debug=" + dir_ / "ir"});
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    argv.push_back(dir_ / "program.tir");
    const Ended ended = run_process(argv);
    return ended.out + ended.err;
  }
  std::string gdb_on_relu(const std::vector<std::string>& commands, Isa isa) {
    std::vector<std::string> arguments = kArguments;
    arguments.push_back(fmt::format("--isa={}", spelling(isa)));
    return gdb(kFunction, commands, std::move(arguments));
  }

  TemporaryDirectory dir_;
};

std::string break_at(unsigned line) {
  return fmt::format("break relu.jit.tir:{}", line);
}

TEST_F(JitDebug, StopsOnALineOfThePrintedIrAndShowsIt) {
  for (const Isa isa : host_isas()) {
    const std::string said = gdb_on_relu({break_at(kAddLine), "run", "bt"}, isa);
    EXPECT_THAT(said,
                HasSubstr("relu () at relu.jit.tir:7\n7\t    %a = arith.addf %m, %b : f32\n"));
    EXPECT_THAT(said, ContainsRegex("#1 .* in mo::Executable::run "));
    EXPECT_THAT(said, ContainsRegex("#[0-9]+ .*main \\("));
  }
}

TEST_F(JitDebug, StopsInTheVectorLoopsAndInTheTail) {
  const std::string form = "printf \"%u vectors of %u\\n\", vectors, lanes";
  for (const Isa isa : host_isas()) {
    const unsigned lanes = vector_bytes(isa) / 4;
    const std::string said = gdb_on_relu({break_at(kAddLine), "run", form, "disable 1.1",
                                          "continue", form, "disable 1.2", "continue", form},
                                         isa);
    EXPECT_THAT(said, HasSubstr(fmt::format("4 vectors of {}\n", lanes)));
    EXPECT_THAT(said, HasSubstr("Breakpoint 1.2, relu () at relu.jit.tir:7"));
    EXPECT_THAT(said, HasSubstr(fmt::format("1 vectors of {}\n", lanes)));
    EXPECT_THAT(said, ContainsRegex("Breakpoint 1\\.[3-9], relu \\(\\) at relu.jit.tir:7"));
    EXPECT_THAT(said, HasSubstr(isa == Isa::AVX512 ? "1 vectors of 16\n" // under a mask
                                                   : "1 vectors of 1\n"));
  }
}

// x is 0, 1, 2, ...: so x*2 + 1 is 1, 3, 5, ...
TEST_F(JitDebug, PrintsTheValuesThatAreInRegisters) {
  const std::map<Isa, std::string> expected = {
      {Isa::SSE42, "= {1, 3, 5, 7}\n"},
      {Isa::AVX2, "= {1, 3, 5, 7, 9, 11, 13, 15}\n"},
      {Isa::AVX512, "= {1, 3, 5, 7, 9, 11, 13, 15, <optimized out>"}}; // no names for upper halves
  for (const Isa isa : host_isas()) {
    const std::string said =
        gdb_on_relu({break_at(kAddLine), "run", "print a", "next", "print a"}, isa);
    EXPECT_THAT(said, HasSubstr("$1 = <optimized out>\n")) << "line 7 has not run yet";
    EXPECT_THAT(said, HasSubstr("$2 " + expected.at(isa)));
  }
}

TEST_F(JitDebug, PrintsOneElementWhereOneIsLeft) {
  EXPECT_THAT(gdb_on_relu({break_at(kMaxLine), "run", "disable 1.1 1.2", "continue", "print a"},
                          Isa::SSE42),
              HasSubstr("$1 = 2001\n"));
}

TEST_F(JitDebug, NextGoesByLinesOfTheIr) {
  for (const Isa isa : host_isas())
    EXPECT_THAT(gdb_on_relu({break_at(kMulLine), "run", "next", "next"}, isa),
                HasSubstr("6\t    %m = arith.mulf %in, %s : f32\n"
                          "7\t    %a = arith.addf %m, %b : f32\n"
                          "8\t    %r = arith.maximumf %a, %zero : f32\n"));
}

TEST_F(JitDebug, StopsAtTheNameOfAKernelBehindItsPrologue) {
  for (const Isa isa : host_isas()) {
    const std::string said = gdb_on_relu({"break relu", "run", "finish"}, isa);
    EXPECT_THAT(said, HasSubstr("Breakpoint 1, relu () at relu.jit.tir:4\n4\t  linalg.generic "));
    EXPECT_THAT(said, ContainsRegex("\nmo::Executable::run .* at .*executable.cpp"));
  }
}

TEST_F(JitDebug, StepGoesFromTheCallIntoTheKernel) {
  for (const Isa isa : host_isas()) {
    const std::string said =
        gdb_on_relu({"break mo::entry_arguments", "run", "finish", "step", "step"}, isa);
    EXPECT_THAT(said, HasSubstr("kernel_.entry(addresses.data())"));
    EXPECT_THAT(said, HasSubstr("relu () at relu.jit.tir:4\n4\t  linalg.generic "));
  }
}

TEST_F(JitDebug, ShowsTheInstructionsOfEachLine) {
  const std::string said = gdb_on_relu({"break relu", "run", "disassemble /s"}, Isa::SSE42);
  EXPECT_THAT(said,
              ContainsRegex("7\t    %a = arith.addf %m, %b : f32\n([^\n]+\n)?[^\n]*\taddps "));
}

TEST_F(JitDebug, FindsTheKernelFromWithinTheCLibrary) {
  const std::vector<std::string> arguments = {"--arg=iota", "--arg=zeros"};
  const std::string caller = "in through \\(\\) at through.jit.tir:2\n";
  EXPECT_THAT(
      gdb(kWithTemp, {"break through", "run", "tbreak malloc", "continue", "bt"}, arguments),
      ContainsRegex("#1 .* " + caller + "#2 .* in mo::Executable::run "));
  EXPECT_THAT(gdb(kWithTemp, {"break through", "run", "tbreak jump_to_malloc", "continue", "bt"},
                  arguments),
              ContainsRegex("#0 .* in jump_to_malloc \\(\\)\n#1 .* " + caller +
                            "#2 .* in mo::Executable::run "));
}

TEST_F(JitDebug, StepsOverCallsOfTheCLibrary) {
  EXPECT_THAT(gdb(kWithTemp, {"break through", "run", "step"}, {"--arg=iota", "--arg=zeros"}),
              HasSubstr("2\t  %e = memref.alloc() : memref<5xf32>\n"
                        "3\t  memref.copy %x, %e : memref<5xf32> to memref<5xf32>\n"));
}

// So many nests that they are several machine functions.
TEST_F(JitDebug, KnowsEveryPartOfALongKernel) {
  std::string program = "func.func @long(%x: memref<8xf32>, %y: memref<8xf32>) {\n";
  for (int nest = 0; nest < 100; ++nest)
    program += "  memref.copy %x, %y : memref<8xf32> to memref<8xf32>\n";
  program += "  return\n}\n";
  const std::string said = gdb(program, {"break long.jit.tir:95", "run", "bt", "finish", "finish"},
                               {"--arg=iota", "--arg=zeros"});
  EXPECT_THAT(said, ContainsRegex("#0 +long.part[1-9][0-9]* \\(\\) at long.jit.tir:95\n"
                                  "#1 .* in long \\(\\) at long.jit.tir:1\n"
                                  "#2 .* in mo::Executable::run "));
  EXPECT_THAT(said, ContainsRegex("in long \\(\\) at long.jit.tir:1\n1\t.*\n"
                                  "mo::Executable::run .* at .*executable.cpp"))
      << "where the two finishes lead";
}

TEST_F(JitDebug, TheProgramRunsToItsEnd) {
  const std::string said =
      gdb_on_relu({break_at(kMaxLine), "run", "delete", "continue"}, Isa::SSE42);
  EXPECT_THAT(said, HasSubstr("arg1 %out tensor<1001xf32>: [1, 3, 5, 7,"));
  EXPECT_THAT(said, HasSubstr("exited normally]"));
  EXPECT_THAT(said, Not(HasSubstr("arning")));
}

} // namespace
} // namespace mo::testing

// The mini-opt command as a person types it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kSmall = R"(#map = affine_map<(d0) -> (d0)>
func.func @f(%x: memref<5xf32>, %out: memref<5xf32>, %s: f32) {
  %xt = bufferization.to_tensor %x restrict : memref<5xf32> to tensor<5xf32>
  %e = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%xt : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.mulf %in, %s : f32
    linalg.yield %m : f32
  } -> tensor<5xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<5xf32>, memref<5xf32>) -> ()
  return
}
)";

TEST(Command, PrintsTheIrAndReadsItBack) {
  const Ended first = mini_opt({"--fuse", "--elim", "-"}, kSmall);
  ASSERT_EQ(first.status, 0) << first.err;
  const Ended again = mini_opt({"-"}, first.out);
  EXPECT_EQ(again.out, first.out);
}

TEST(Command, RunsWhatIsGiven) {
  const Ended ended =
      mini_opt({"--elim", "--run", "--arg=iota", "--arg=zeros", "--arg=2", "-"}, kSmall);
  EXPECT_EQ(ended.out, "arg1 %out tensor<5xf32>: [0, 2, 4, 6, 8] min 0 max 8\n") << ended.err;
}

TEST(Command, InterpretsWithOrWithoutPasses) {
  for (const char* pass : {"--fuse", "--bufferize", "--elim"})
    EXPECT_THAT(
        mini_opt({pass, "--interpret", "--arg=iota", "--arg=zeros", "--arg=2", "-"}, kSmall).out,
        HasSubstr("[0, 2, 4, 6, 8]"));
}

TEST(Command, ChecksOneAgainstTheOther) {
  const Ended ended = mini_opt(
      {"--fuse", "--elim", "--check", "--arg=random:3", "--arg=zeros", "--arg=2", "-"}, kSmall);
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("arg1 %out: 5 elements OK"));
}

TEST(Command, WritesResultsThatNumpyReadsAndReadsThemAgain) {
  const TemporaryDirectory dir;
  ASSERT_EQ(
      mini_opt({"--run", "--arg=iota", "--arg=zeros", "--arg=2", "--out-dir=" + (dir / "o"), "-"},
               kSmall)
          .status,
      0);
  const Ended again =
      mini_opt({"--run", "--arg=" + (dir / "o/arg1.npy"), "--arg=zeros", "--arg=2", "-"}, kSmall);
  EXPECT_THAT(again.out, HasSubstr("[0, 4, 8, 12, 16]"));
}

TEST(Command, SaysWhichArgumentDoesNotFit) {
  const auto error = [](std::vector<std::string> args) {
    args.insert(args.begin(), "--run");
    args.push_back("-");
    const Ended ended = mini_opt(args, kSmall);
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(error({"--arg=iota"}),
              HasSubstr("argument 1 (%out: memref<5xf32>) of @f has no --arg"));
  EXPECT_THAT(error({"--arg=iota", "--arg=zeros", "--arg=1", "--arg=1"}),
              HasSubstr("takes 3 arguments, and there are 4"));
  EXPECT_THAT(error({"--arg=iota", "--arg=zeros", "--arg=one"}), HasSubstr("argument 2 (%s: f32)"));
  EXPECT_THAT(error({"--arg=nowhere.npy", "--arg=zeros", "--arg=1"}), HasSubstr("nowhere.npy"));
}

TEST(Command, LocatesWhatIsWrongWithTheInput) {
  const Ended ended =
      mini_opt({"-"}, "func.func @f() {\n  %x = arith.constant 1.0 : f33\n  return\n}\n");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("<stdin>:2:29: error:"));
  EXPECT_EQ(ended.out, "");
}

TEST(Command, AnEmptyFileIsAModuleWithoutFunctions) {
  EXPECT_EQ(mini_opt({"-"}, "").status, 0);
  EXPECT_THAT(mini_opt({"--run", "-"}, "").err, HasSubstr("has no function"));
}

TEST(Command, SaysWhatIsWrongWithAFile) {
  EXPECT_THAT(mini_opt({"/nowhere/x.tir"}).err,
              HasSubstr("cannot read /nowhere/x.tir: No such file or directory"));
  EXPECT_THAT(mini_opt({"/"}).err, HasSubstr("cannot read /: Is a directory"));
  EXPECT_THAT(mini_opt({"-o", "/nowhere/y", "-"}, kSmall).err,
              HasSubstr("cannot write /nowhere/y"));
}

TEST(Command, ADashAsOutputIsStdout) {
  EXPECT_EQ(mini_opt({"-o", "-", "-"}, kSmall).out, mini_opt({"-"}, kSmall).out);
}

TEST(Command, AFullDiskIsAnError) {
  const Ended to_file = mini_opt({"-o", "/dev/full", "-"}, kSmall);
  EXPECT_EQ(to_file.status, 1);
  EXPECT_THAT(to_file.err, HasSubstr("cannot write /dev/full: No space left on device"));
  const Ended to_stdout =
      run_process({"sh", "-c", std::string(MO_MINI_OPT) + " - > /dev/full"}, kSmall);
  EXPECT_EQ(to_stdout.status, 1);
  EXPECT_THAT(to_stdout.err, HasSubstr("cannot write <stdout>: No space left on device"));
}

TEST(Command, AClosedPipeIsNotACrash) {
  const Ended ended = run_process(
      {"bash", "-c", std::string(MO_MINI_OPT) + " - | true; echo ${PIPESTATUS[0]}"}, kSmall);
  EXPECT_EQ(ended.out, "0\n");
  EXPECT_EQ(ended.err, "");
}

TEST(Command, PicksTheEntryAmongSeveral) {
  const std::string two = "func.func @f() { return }\nfunc.func @g() { return }\n";
  EXPECT_THAT(mini_opt({"--run", "-"}, two).err,
              HasSubstr("There are @f, @g; pick one with --entry"));
  EXPECT_EQ(mini_opt({"--run", "--entry=g", "-"}, two).status, 0);
  EXPECT_THAT(mini_opt({"--run", "--entry=h", "-"}, two).err,
              HasSubstr("no function @h; there is @f, @g"));
}

TEST(Command, ColoursNothingWithoutATerminal) {
  const Ended ended = mini_opt({"--remarks", "--fuse", "-"}, kSmall);
  EXPECT_THAT(ended.err, Not(HasSubstr("\033")));
}

TEST(Command, RemarksGoToStderrAndTheIrStaysClean) {
  const Ended with = mini_opt({"--remarks", "--elim", "-"}, kSmall);
  const Ended without = mini_opt({"--elim", "-"}, kSmall);
  EXPECT_EQ(with.out, without.out);
  EXPECT_THAT(with.err, HasSubstr("<stdin>:"));
  EXPECT_THAT(with.err, HasSubstr("remark: elim passed ["));
}

TEST(Command, TimesEveryPassAndCodeGeneration) {
  const Ended ended = mini_opt(
      {"--timing", "--fuse", "--elim", "--run", "--arg=iota", "--arg=zeros", "--arg=2", "-"},
      kSmall);
  for (const char* row :
       {"timing total", "timing   parse", "timing   pass 1 fuse", "timing   pass 2 elim",
        "timing   lowering", "timing   code generation", "timing   run"})
    EXPECT_THAT(ended.err, HasSubstr(row));
}

TEST(Command, LoopsAndCodeNeedBuffers) {
  EXPECT_THAT(mini_opt({"--emit=loops", "-"}, kSmall).err, HasSubstr("add --bufferize or --elim"));
  EXPECT_THAT(mini_opt({"--emit=loops", "--elim", "-"}, kSmall).out, HasSubstr("for d0 in 0..5"));
  EXPECT_THAT(mini_opt({"--emit=asm", "--elim", "--isa=avx2", "-"}, kSmall).out,
              HasSubstr("vmulps"));
}

TEST(Command, PrintsCodeThatTheAssemblerReads) {
  if (run_process({"as", "--version"}).status != 0)
    GTEST_SKIP() << "no assembler on the PATH";
  const TemporaryDirectory dir;
  for (const char* isa : {"--isa=sse4.2", "--isa=avx2", "--isa=avx512"})
    for (const char* example : {"fusion", "relu_sum", "transposed", "tensor_bias"}) {
      const Ended code = mini_opt({"--fuse", "--elim", "--emit=asm", isa,
                                   repository_file(std::string("examples/") + example + ".tir")});
      ASSERT_EQ(code.status, 0) << code.err;
      const Ended assembled = run_process({"as", "-o", dir / "k.o", "-"}, code.out);
      EXPECT_EQ(assembled.status, 0) << isa << " " << example << "\n" << assembled.err << code.out;
    }
}

TEST(Command, SeveralFunctionsGoIntoOneAssemblyFile) {
  std::string second = kSmall;
  second.replace(second.find("@f"), 2, "@g");
  const std::string two = kSmall + second.substr(second.find("func.func"));
  const Ended code = mini_opt({"--elim", "--emit=asm", "-"}, two);
  const TemporaryDirectory dir;
  EXPECT_EQ(run_process({"as", "-o", dir / "k.o", "-"}, code.out).status, 0) << code.out;
}

} // namespace
} // namespace mo::testing

// --remarks, --remarks-policy and --remarks-output through the command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// %0 is used twice until %1 has gone into %2.
constexpr const char* kDiamond = R"(#map = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.negf %x : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.addf %x, %y : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
)";

size_t count_of(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++n;
  return n;
}

std::string find_remarkutil() {
  for (int version = 40; version >= 18; --version) {
    const std::string name = "llvm-remarkutil-" + std::to_string(version);
    if (run_process({name, "count", "--help"}).status == 0)
      return name;
  }
  return "";
}

TEST(RemarksCommand, ByDefaultAreFinal) {
  const Ended ended = mini_opt({"--fuse", "--remarks", "-"}, kDiamond);
  EXPECT_THAT(ended.err, Not(HasSubstr("other-use")));
  EXPECT_EQ(count_of(ended.err, "remark: fuse passed [fused]"), 2u);
}

TEST(RemarksCommand, OfPolicyAllTellOfWhatWasRefusedOnTheWay) {
  const Ended ended =
      mini_opt({"--fuse", "--remarks=missed", "--remarks-policy=all", "-"}, kDiamond);
  EXPECT_THAT(ended.err, HasSubstr("<stdin>:8:8: remark: fuse attempt [other-use]: "));
  EXPECT_THAT(ended.err, HasSubstr("note: the other user is here"));
  EXPECT_EQ(ended.out, mini_opt({"--fuse", "-"}, kDiamond).out);
}

TEST(RemarksCommand, OfAttemptsAreMissedOnes) {
  const Ended ended =
      mini_opt({"--fuse", "--remarks=passed", "--remarks-policy=all", "-"}, kDiamond);
  EXPECT_THAT(ended.err, Not(HasSubstr("attempt")));
}

TEST(RemarksCommand, GoToTheFileWithoutBeingShown) {
  const TemporaryDirectory dir;
  const Ended ended =
      mini_opt({"--fuse", "--bufferize", "--remarks-output=" + (dir / "r.yaml"), "-"}, kDiamond);
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.err, "");
  const std::string yaml = read_file(dir / "r.yaml");
  EXPECT_THAT(yaml, HasSubstr("--- !Passed\nPass:            fuse\nName:            fused\n"));
  EXPECT_THAT(yaml, HasSubstr("DebugLoc:        { File: '<stdin>', Line: 13, Column: 8 }"));
  EXPECT_THAT(yaml, HasSubstr("--- !Analysis\nPass:            bufferize\n"));
}

TEST(RemarksCommand, OfTheFileAreOfTheKindsShown) {
  const TemporaryDirectory dir;
  mini_opt({"--fuse", "--bufferize", "--remarks=passed", "--remarks-output=" + (dir / "r"), "-"},
           kDiamond);
  EXPECT_THAT(read_file(dir / "r"), Not(HasSubstr("!Analysis")));
}

TEST(RemarksCommand, AreCountedByLlvmRemarkutil) {
  const std::string tool = find_remarkutil();
  if (tool.empty())
    GTEST_SKIP() << "no llvm-remarkutil (18 or later) on the PATH";
  const TemporaryDirectory dir;
  // A name that is awkward in YAML, and a function of every example.
  const std::string input = dir / "it's: a \"model\", #1.tir";
  write_file(input, kDiamond);
  const std::string yaml = dir / "r.yaml";
  ASSERT_EQ(
      mini_opt({"--fuse", "--elim", "--remarks-policy=all", "--remarks-output=" + yaml, input})
          .status,
      0);
  const Ended passed =
      run_process({tool, "count", "--parser=yaml", "--count-by=remark-name", "--group-by=total",
                   "--remark-type=passed", "--pass-name=fuse", yaml});
  EXPECT_EQ(passed.status, 0) << passed.err;
  EXPECT_THAT(passed.out, HasSubstr("Total,3")) << passed.out; // two fused, equal reads merged
  const Ended bitstream = run_process({tool, "yaml2bitstream", yaml, "-o", dir / "r.bits"});
  EXPECT_EQ(bitstream.status, 0) << bitstream.err;
  const Ended back = run_process({tool, "bitstream2yaml", dir / "r.bits", "-o", "-"});
  EXPECT_EQ(count_of(back.out, "\n..."), count_of(read_file(yaml), "\n...")) << back.err;
}

TEST(RemarksCommand, LetLlvmRemarkutilAddUpTheBytesCopied) {
  const std::string tool = find_remarkutil();
  if (tool.empty())
    GTEST_SKIP() << "no llvm-remarkutil (18 or later) on the PATH";
  const TemporaryDirectory dir;
  const std::string yaml = dir / "r.yaml";
  mini_opt({"--bufferize", "--remarks-output=" + yaml, repository_file("examples/fusion.tir")});
  const Ended bytes = run_process({tool, "count", "--parser=yaml", "--count-by=arg", "--args=Bytes",
                                   "--group-by=total", "--rremark-name=copied-.*", yaml});
  EXPECT_THAT(bytes.out, HasSubstr("Total,67108864")) << bytes.err;
}

TEST(RemarksCommand, LeaveNothingHalfWritten) {
  const TemporaryDirectory dir;
  const Ended nowhere = mini_opt({"--fuse", "--remarks-output=/nowhere/r.yaml", "-"}, kDiamond);
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_EQ(nowhere.out, "");
  EXPECT_THAT(nowhere.err, HasSubstr("cannot write /nowhere/r.yaml: No such file or directory"));
  write_file(dir / "r", "as it was");
  EXPECT_EQ(mini_opt({"--fuse", "--remarks-output=" + (dir / "r"), "-"}, "func.func").status, 1);
  EXPECT_EQ(read_file(dir / "r"), "as it was");
  const Ended full = mini_opt({"--fuse", "--remarks-output=/dev/full", "-"}, kDiamond);
  EXPECT_THAT(full.err, HasSubstr("cannot write /dev/full: No space left on device"));
  EXPECT_EQ(full.out, "");
}

TEST(RemarksCommand, ReplaceAFileWholeAndKeepItsMode) {
  const TemporaryDirectory dir;
  write_file(dir / "r", std::string(1 << 20, 'x'));
  ASSERT_EQ(chmod((dir / "r").c_str(), 0640), 0);
  mini_opt({"--fuse", "--remarks-output=" + (dir / "r"), "-"}, kDiamond);
  EXPECT_THAT(read_file(dir / "r"), Not(HasSubstr("xxx")));
  struct stat status = {};
  stat((dir / "r").c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir / "."), {}), 1);
}

TEST(RemarksCommand, SayWhichFlagsDoNotFit) {
  const auto error = [](std::vector<std::string> arguments) {
    arguments.push_back("-");
    const Ended ended = mini_opt(arguments, kDiamond);
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(error({"--fuse", "--remarks-policy=all"}), HasSubstr("add --remarks or"));
  EXPECT_THAT(error({"--fuse", "--remarks", "--remarks-policy=every"}),
              HasSubstr("it takes one of final, all"));
  EXPECT_THAT(error({"--remarks-output=r"}), HasSubstr("none is asked for"));
  EXPECT_THAT(error({"--ablate", "--remarks-output=r"}), HasSubstr("runs four of its own"));
  EXPECT_THAT(error({"--fuse", "--remarks-output=-"}), HasSubstr("add -o FILE"));
  EXPECT_THAT(error({"--fuse", "--remarks-output=r", "-o", "r"}), HasSubstr("both name 'r'"));
}

} // namespace
} // namespace mo::testing

// The IR between passes: on stderr, as diffs, in numbered files. Every dump is a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kLab = repository_file("examples/fusion.tir");

/// The dumps of a stream, without their separators.
std::vector<std::string> dumps_in(const std::string& text) {
  const std::string separator = "// -----\n";
  std::vector<std::string> dumps;
  for (size_t at = text.find(separator); at != std::string::npos;) {
    const size_t begin = at + separator.size();
    at = text.find(separator, begin);
    dumps.push_back(text.substr(begin, at == std::string::npos ? at : at - begin));
  }
  return dumps;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(Dumps, AfterAllNameThePassItsNumberAndThePipeline) {
  const Ended ended = mini_opt({"--fuse", "--elim", "--print-ir-after-all", kLab});
  std::vector<std::string> headers;
  for (const std::string& dump : dumps_in(ended.err))
    headers.push_back(first_line(dump));
  EXPECT_THAT(headers, ElementsAre("// IR Dump After fuse: pass 1 of 2, pipeline: --fuse --elim",
                                   "// IR Dump After elim: pass 2 of 2, pipeline: --fuse --elim"));
}

TEST(Dumps, TheLastOneIsWhatIsPrintedAndEachParsesAgain) {
  const Ended ended = mini_opt({"--fuse", "--elim", "--print-ir-after-all", kLab});
  const std::vector<std::string> dumps = dumps_in(ended.err);
  ASSERT_EQ(dumps.size(), 2u);
  EXPECT_EQ(dumps[1].substr(dumps[1].find('\n') + 1), ended.out);
  EXPECT_EQ(mini_opt({"-"}, dumps[0]).out, mini_opt({"--fuse", kLab}).out);
  EXPECT_EQ(mini_opt({"-"}, dumps[1]).out, ended.out);
}

TEST(Dumps, BeforeAllShowsWhatEachPassIsGiven) {
  const Ended ended = mini_opt({"--fuse", "--elim", "--print-ir-before-all", kLab});
  const std::vector<std::string> dumps = dumps_in(ended.err);
  ASSERT_EQ(dumps.size(), 2u);
  EXPECT_THAT(first_line(dumps[1]), HasSubstr("Before elim: pass 2 of 2"));
  EXPECT_EQ(mini_opt({"-"}, dumps[0]).out, mini_opt({kLab}).out);
  EXPECT_EQ(mini_opt({"-"}, dumps[1]).out, mini_opt({"--fuse", kLab}).out);
}

TEST(Dumps, OfOnePassAreOfThatPass) {
  const Ended ended = mini_opt({"--canonicalize", "--fuse=mlir", "--elim", "--print-ir-after=elim",
                                "--print-ir-before=fuse=mlir,elim", kLab});
  std::string headers;
  for (const std::string& dump : dumps_in(ended.err))
    headers += first_line(dump).substr(11, 18) + "|";
  EXPECT_EQ(headers, "Before fuse=mlir: |Before elim: pass |After elim: pass 3|");
}

TEST(Dumps, APassThatIsNoneIsAnsweredWithTheNearest) {
  const Ended ended = mini_opt({"--fuse", "--print-ir-after=fues", kLab});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.err, "mini-opt: error: --print-ir-after: there is no pass 'fues'; did you mean "
                       "fuse?\n");
  EXPECT_EQ(ended.out, "");
}

TEST(Dumps, APassThatDoesNotRunIsAnError) {
  EXPECT_THAT(mini_opt({"--fuse", "--print-ir-before=fuse,elim", kLab}).err,
              HasSubstr("--print-ir-before=elim: that pass does not run; the pipeline is --fuse"));
}

TEST(Dumps, NeedPasses) {
  for (const char* flag : {"--print-ir-after-all", "--print-ir-before-all", "--print-changed",
                           "--print-changed=diff", "--print-ir-tree-dir=d"})
    EXPECT_THAT(mini_opt({flag, kLab}).err, HasSubstr("about passes, and none is asked for"))
        << flag;
}

TEST(PrintChanged, ShowsTheStartAndEachChangeAndOneLineWhereThereIsNone) {
  const Ended ended = mini_opt({"--fuse", "--canonicalize", "--elim", "--print-changed", kLab});
  EXPECT_THAT(ended.err, HasSubstr("// IR Dump After canonicalize: pass 2 of 3, pipeline: --fuse "
                                   "--canonicalize --elim, omitted because no change\n"));
  const std::vector<std::string> dumps = dumps_in(ended.err);
  ASSERT_EQ(dumps.size(), 3u);
  EXPECT_THAT(first_line(dumps[0]), HasSubstr("// IR Dump At Start, pipeline: --fuse"));
  EXPECT_EQ(mini_opt({"-"}, dumps[0]).out, mini_opt({kLab}).out);
  EXPECT_EQ(mini_opt({"-"}, dumps[1]).out, mini_opt({"--fuse", kLab}).out);
  EXPECT_EQ(mini_opt({"-"}, dumps[2]).out, ended.out);
}

TEST(PrintChanged, AsADiffIsReadByPatch) {
  if (run_process({"patch", "--version"}).status != 0)
    GTEST_SKIP() << "no patch on the PATH";
  const TemporaryDirectory dir;
  write_file(dir / "ir", mini_opt({kLab}).out);
  const Ended ended = mini_opt({"--fuse", "--elim", "--print-changed=diff", kLab});
  EXPECT_EQ(run_process({"patch", "--quiet", dir / "ir"}, ended.err).status, 0) << ended.err;
  EXPECT_EQ(read_file(dir / "ir"), ended.out);
  EXPECT_THAT(ended.err, Not(HasSubstr("\x1b[")));
}

TEST(PrintChanged, NamesBothSidesOfADiff) {
  const Ended ended = mini_opt({"--fuse", "--elim", "--print-changed=diff", kLab});
  EXPECT_THAT(ended.err, HasSubstr("// IR Dump After fuse: pass 1 of 2, pipeline: --fuse --elim\n"
                                   "--- input\n+++ 1 fuse\n@@ "));
  EXPECT_THAT(ended.err, HasSubstr("\n--- 1 fuse\n+++ 2 elim\n@@ "));
}

TEST(PrintChanged, AsADiffIsColouredOnATerminal) {
  if (run_process({"script", "--version"}).status != 0)
    GTEST_SKIP() << "no script (bsdutils) on the PATH";
  const std::string command = std::string(MO_MINI_OPT) + " --fuse --print-changed=diff " + kLab;
  const auto on_terminal = [&](const std::string& env) {
    return run_process({"script", "-qec", command, "/dev/null"}, "", {"TERM=xterm", env}).out;
  };
  EXPECT_THAT(on_terminal("A=B"), HasSubstr("\x1b[31m-"));
  EXPECT_THAT(on_terminal("NO_COLOR=1"), Not(HasSubstr("\x1b[")));
}

TEST(TreeDir, HoldsTheInputAndTheIrAfterEachPass) {
  const TemporaryDirectory dir;
  const Ended ended =
      mini_opt({"--fuse=mlir", "--elim", "--print-ir-tree-dir=" + (dir / "deep/tree"), kLab});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(names_in(dir / "deep/tree"),
              ElementsAre("000_input.tir", "001_fuse_mlir.tir", "002_elim.tir"));
  EXPECT_EQ(mini_opt({dir / "deep/tree/000_input.tir"}).out, mini_opt({kLab}).out);
  EXPECT_EQ(mini_opt({dir / "deep/tree/001_fuse_mlir.tir"}).out,
            mini_opt({"--fuse=mlir", kLab}).out);
  EXPECT_EQ(mini_opt({dir / "deep/tree/002_elim.tir"}).out, ended.out);
  EXPECT_THAT(read_file(dir / "deep/tree/002_elim.tir"),
              ::testing::StartsWith("// IR Dump After elim: pass 2 of 2, pipeline: --fuse=mlir "
                                    "--elim\n"));
}

TEST(TreeDir, ForgetsTheDumpsOfTheRunBeforeAndNothingElse) {
  const TemporaryDirectory dir;
  const std::string flag = "--print-ir-tree-dir=" + (dir / "tree");
  ASSERT_EQ(mini_opt({"--canonicalize", "--fuse", "--elim", flag, kLab}).status, 0);
  write_file(dir / "tree/002_mine.tir", "func.func @f() { return }\n");
  write_file(dir / "tree/notes.txt", "// IR Dump \n");
  ASSERT_EQ(mini_opt({"--elim", flag, kLab}).status, 0);
  EXPECT_THAT(names_in(dir / "tree"),
              ElementsAre("000_input.tir", "001_elim.tir", "002_mine.tir", "notes.txt"));
}

TEST(TreeDir, ThatCannotBeWrittenIsAnErrorBeforeAnyPassRuns) {
  const TemporaryDirectory dir;
  write_file(dir / "file", "");
  for (const std::string& path : {dir / "file", dir / "file/below", std::string("/proc/nowhere")}) {
    const Ended ended = mini_opt({"--fuse", "--remarks", "--print-ir-tree-dir=" + path, kLab});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, ::testing::StartsWith("mini-opt: error: cannot ")) << path;
    EXPECT_THAT(ended.err, HasSubstr(path));
    EXPECT_THAT(ended.err, Not(HasSubstr("remark:")));
  }
  EXPECT_EQ(read_file(dir / "file"), "");
}

TEST(TreeDir, ShowsWhatABisectedPipelineDid) {
  const TemporaryDirectory dir;
  const Ended ended = mini_opt(
      {"--fuse", "--elim", "--opt-bisect-limit=1", "--print-ir-tree-dir=" + (dir / "tree"), kLab});
  EXPECT_EQ(mini_opt({dir / "tree/002_elim.tir"}).out, ended.out);
  EXPECT_EQ(mini_opt({dir / "tree/001_fuse.tir"}).out,
            mini_opt({"--fuse", "--opt-bisect-limit=1", kLab}).out);
  EXPECT_THAT(read_file(dir / "tree/001_fuse.tir"),
              HasSubstr("pipeline: --fuse --elim --opt-bisect-limit=1\n"));
}

TEST(Dumps, AreReadByMlirOptOneByOne) {
  const std::string mlir_opt = find_mlir_opt();
  if (mlir_opt.empty())
    GTEST_SKIP() << "no mlir-opt of version 20 or later on the PATH";
  for (const std::vector<std::string>& passes :
       {std::vector<std::string>{"--fuse", "--elim"}, {"--fuse=mlir", "--bufferize"}})
    for (const char* flag : {"--print-ir-after-all", "--print-ir-before-all", "--print-changed"})
      for (const char* example : {"fusion", "softmax", "transposed"}) {
        std::vector<std::string> arguments = passes;
        arguments.insert(arguments.end(),
                         {flag, repository_file("examples/" + std::string(example) + ".tir")});
        const std::string text = mini_opt(arguments).err;
        ASSERT_GE(dumps_in(text).size(), 2u) << text;
        const Ended ended = run_process({mlir_opt, "--split-input-file", "-"}, text);
        EXPECT_EQ(ended.status, 0) << flag << " " << example << "\n" << ended.err << text;
      }
}

} // namespace
} // namespace mo::testing

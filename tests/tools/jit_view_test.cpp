// What --jit-debug and --perf=map write, and what they refuse.
#include "tools/jit_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "codegen/compile.h"
#include "ir/parse.h"
#include "ir/print.h"
#include "tests/support/process.h"
#include "tools/driver.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

const std::string kCopy = R"(
func.func @copy(%x: memref<4xf32>, %y: memref<4xf32>) {
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
)";

std::vector<std::string> files_in(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    names.push_back(entry.path().filename().string());
  return names;
}

std::string small(const std::string& example) {
  std::string text = read_file(repository_file("examples/" + example + ".tir"));
  const std::string large = "16777216";
  for (size_t at = text.find(large); at != text.npos; at = text.find(large))
    text.replace(at, large.size(), "1001");
  return text;
}

TEST(JitView, WritesWhatIsPrintedWithoutIt) {
  const TemporaryDirectory dir;
  const std::string program = small("fusion");
  const Ended ended = mini_opt({"--fuse", "--elim", "--run", "--arg=iota", "--arg=zeros", "--arg=2",
                                "--arg=1", "--jit-debug=" + dir / "ir", "-"},
                               program);
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("the lines of " + dir / "ir/fusion.jit.tir"));
  EXPECT_EQ(read_file(dir / "ir/fusion.jit.tir"), mini_opt({"--fuse", "--elim", "-"}, program).out);
}

TEST(JitView, WritesToADirectoryOfItsOwnIfItIsNotTold) {
  const TemporaryDirectory dir;
  write_file(dir / "copy.tir", kCopy);
  const Ended ended = run_process({"sh", "-c",
                                   "cd " + dir / "" + " && " + MO_MINI_OPT +
                                       " --run --jit-debug --arg=iota --arg=zeros copy.tir"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(files_in(dir / std::string(kJitDebugDirectory)),
              UnorderedElementsAre("copy.jit.tir"));
}

TEST(JitView, EveryKernelOfABenchmarkHasAFileOfItsOwn) {
  const TemporaryDirectory dir;
  const std::string directory = "--jit-debug=" + dir / "ir";
  const Ended ablation = mini_opt({"--ablate=1", directory, "-"}, small("fusion"));
  EXPECT_EQ(ablation.status, 0) << ablation.err;
  EXPECT_THAT(files_in(dir / "ir"),
              UnorderedElementsAre("fusion.A_unfused.jit.tir", "fusion.B_fused.jit.tir",
                                   "fusion.C_unfused_elim.jit.tir", "fusion.D_fused_elim.jit.tir",
                                   "fusion.D_with_ordinary_stores.jit.tir"));
  EXPECT_EQ(mini_opt({"--bench=1", "--fuse", "--elim", directory, "-"}, small("fusion")).status, 0);
  EXPECT_EQ(read_file(dir / "ir/fusion.jit.tir"),
            read_file(dir / "ir/fusion.D_fused_elim.jit.tir"));
}

TEST(JitView, ChecksTheKernelThatItShows) {
  const TemporaryDirectory dir;
  const Ended ended = mini_opt({"--fuse", "--elim", "--check", "--arg=random", "--arg=zeros",
                                "--arg=2", "--arg=1", "--jit-debug=" + dir / "ir", "-"},
                               small("fusion"));
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("1001 elements OK"));
}

// What is compiled is the text that is shown, read back: it had better be the same program.
TEST(JitView, TheCodeIsTheSameBytesAsWithoutIt) {
  const TemporaryDirectory dir;
  Options options;
  options.jit_debug = dir / "ir";
  auto opened = JitView::open(options);
  auto& view = std::get<JitView>(opened);
  for (const auto& entry : std::filesystem::directory_iterator(repository_file("examples"))) {
    if (entry.path().extension() != ".tir")
      continue;
    const SourceFile source{entry.path().string(), read_file(entry.path().string())};
    Diagnostics diagnostics;
    const auto module = parse_and_verify(source, diagnostics);
    ASSERT_TRUE(module);
    const Function buffers = on_buffers(module->functions[0]);
    const auto shown = view.show(buffers);
    const Function& again = std::get<ShownFunction>(shown).function;
    for (const Isa isa : {Isa::SSE42, Isa::AVX512}) {
      CompileOptions compile_options;
      compile_options.isa = isa;
      const auto code = [&](const Function& function) {
        CodeForm form;
        form.values = &function == &again;
        return assemble(build_loops(function, compile_options), isa, form, diagnostics)->text;
      };
      EXPECT_TRUE(code(buffers) == code(again)) << source.name;
    }
  }
}

TEST(JitView, KernelsOfOneNameGetFilesOfTheirOwn) {
  const TemporaryDirectory dir;
  Options options;
  options.jit_debug = dir / "ir";
  auto opened = JitView::open(options);
  auto& view = std::get<JitView>(opened);
  Diagnostics diagnostics;
  Function function = parse_and_verify({"copy.tir", kCopy}, diagnostics)->functions[0];
  for (const char* name : {"a.b", "a$b", "a_b", "a_b"}) {
    function.name = name;
    EXPECT_TRUE(std::holds_alternative<ShownFunction>(view.show(function)));
  }
  EXPECT_THAT(files_in(dir / "ir"),
              UnorderedElementsAre("a.b.jit.tir", "a_b.jit.tir", "a_b_2.jit.tir", "a_b_3.jit.tir"));
}

TEST(SafeFileName, IsPlainShortAndNotHidden) {
  EXPECT_EQ(safe_file_name("fusion"), "fusion");
  EXPECT_EQ(safe_file_name("a/../b c"), "a_.._b_c");
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "_._.._etc_passwd");
  EXPECT_EQ(safe_file_name(".."), "_.");
  EXPECT_EQ(safe_file_name(""), "_");
  EXPECT_EQ(safe_file_name("\xc3\xa9$\n"), "____");
  EXPECT_EQ(safe_file_name(std::string(5000, 'x')).size(), 100u);
}

TEST(JitView, SaysWhichDirectoryCannotBeMade) {
  const TemporaryDirectory dir;
  write_file(dir / "file", "");
  for (const std::string& bad : {dir / "file", dir / "file/below"}) {
    const Ended ended =
        mini_opt({"--run", "--jit-debug=" + bad, "--arg=iota", "--arg=zeros", "-"}, kCopy);
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr("error: cannot make the directory " + bad + ": "));
  }
}

TEST(JitView, AFileThatCannotBeWrittenIsAnErrorAndNothingIsRun) {
  const TemporaryDirectory dir;
  std::filesystem::create_directories(dir / "ir/copy.jit.tir/in the way");
  const Ended ended =
      mini_opt({"--run", "--jit-debug=" + dir / "ir", "--arg=iota", "--arg=zeros", "-"}, kCopy);
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("cannot write " + dir / "ir/copy.jit.tir: "));
  EXPECT_THAT(files_in(dir / "ir"), UnorderedElementsAre("copy.jit.tir")) << "nothing unfinished";
}

TEST(JitView, DoesNotWriteOverItsInput) {
  const TemporaryDirectory dir;
  write_file(dir / "copy.jit.tir", kCopy);
  const Ended ended = mini_opt(
      {"--run", "--jit-debug=" + dir / "", "--arg=iota", "--arg=zeros", dir / "copy.jit.tir"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("would write over its input"));
  EXPECT_EQ(read_file(dir / "copy.jit.tir"), kCopy);
}

TEST(PerfFlag, NamesTheKernelForPerf) {
  const TemporaryDirectory dir;
  write_file(dir / "copy.tir", kCopy);
  const Ended ended =
      run_process({"sh", "-c",
                   "echo $$; exec " + std::string(MO_MINI_OPT) +
                       " --run --perf=map --arg=iota --arg=zeros " + dir / "copy.tir"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const std::string map = "/tmp/perf-" + ended.out.substr(0, ended.out.find('\n')) + ".map";
  EXPECT_THAT(read_file(map), ::testing::MatchesRegex("[0-9a-f]+ [0-9a-f]+ copy\n"));
  std::filesystem::remove(map);
}

} // namespace
} // namespace mo::testing

// A program and its pipeline in one file: asked for, and left behind by an internal error.
#include "tools/reproducer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "tests/support/process.h"
#include "tools/driver.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kLab = repository_file("examples/fusion.tir");

// canonicalize erases %e.
const std::string kDeadEmpty = "func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
                               "  %e = tensor.empty() : tensor<8xf32>\n"
                               "  return %a : tensor<8xf32>\n}\n";

TEST(Reproducer, HoldsTheInputAndThePipelineInALeadingComment) {
  const TemporaryDirectory dir;
  const Ended ended =
      mini_opt({"--fuse", "--elim", "--generate-reproducer=" + (dir / "r.tir"), kLab});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(read_file(dir / "r.tir"), "// mini-opt-pipeline: --fuse --elim\n// of " + kLab +
                                          "; mini-opt --run-reproducer runs it\n" +
                                          read_file(kLab));
}

TEST(Reproducer, RunsAsTheCommandThatWroteItDid) {
  for (const std::vector<std::string>& passes : {std::vector<std::string>{"--fuse", "--elim"},
                                                 {"--canonicalize", "--fuse=mlir", "--bufferize"},
                                                 {"--fuse", "--elim", "--opt-bisect-limit=3"}}) {
    const TemporaryDirectory dir;
    std::vector<std::string> arguments = passes;
    arguments.insert(arguments.end(), {"--generate-reproducer=" + (dir / "r.tir"), kLab});
    const Ended first = mini_opt(arguments), again = mini_opt({"--run-reproducer", dir / "r.tir"});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(again.out, first.out);
  }
}

TEST(Reproducer, IsReadByMlirOpt) {
  if (find_mlir_opt().empty())
    GTEST_SKIP() << "no mlir-opt of version 20 or later on the PATH";
  const TemporaryDirectory dir;
  ASSERT_EQ(mini_opt({"--fuse", "--generate-reproducer=" + (dir / "r.tir"), kLab}).status, 0);
  EXPECT_EQ(run_process({find_mlir_opt(), dir / "r.tir"}).status, 0);
}

TEST(Reproducer, CanBeLookedAtAndRunLikeAnyPipeline) {
  const std::string text = "// mini-opt-pipeline: --fuse --elim\n" + read_file(kLab);
  EXPECT_THAT(mini_opt({"--run-reproducer", "--remarks", "--stats", "-"}, text).err,
              HasSubstr("stats total            generics=3->1"));
  EXPECT_THAT(mini_opt({"--run-reproducer", "--print-ir-after=elim", "-"}, text).err,
              HasSubstr("pass 2 of 2, pipeline: --fuse --elim"));
  EXPECT_THAT(mini_opt({"--run-reproducer", "--emit=asm", "-"}, text).out, HasSubstr("fusion:"));
}

TEST(Reproducer, ItsErrorsSayWhichFileHasThem) {
  const auto error = [](const std::string& text, std::vector<std::string> flags = {}) {
    flags.insert(flags.end(), {"--run-reproducer", "-"});
    const Ended ended = mini_opt(flags, text + kDeadEmpty);
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    return ended.err;
  };
  EXPECT_THAT(error(""), HasSubstr("<stdin> is no reproducer: it does not start with a comment "
                                   "'// mini-opt-pipeline: --fuse ...'"));
  EXPECT_THAT(error("func.func @g() { return }\n// mini-opt-pipeline: --fuse\n"),
              HasSubstr("is no reproducer"));
  EXPECT_THAT(error("// mini-opt-pipeline: --fues\n"),
              HasSubstr("the pipeline of <stdin>: '--fues' is no pass"));
  EXPECT_THAT(error("// mini-opt-pipeline: --fuse --run\n"), HasSubstr("'--run' is no pass"));
  EXPECT_THAT(error("// mini-opt-pipeline: --elim --fuse\n"),
              HasSubstr("the pipeline of <stdin>: --fuse after --elim"));
  EXPECT_THAT(error("// mini-opt-pipeline: --fuse\n", {"--print-ir-after=elim"}),
              HasSubstr("--print-ir-after=elim: that pass does not run; the pipeline is --fuse"));
  EXPECT_THAT(error("// mini-opt-pipeline: --fuse\n", {"--elim"}),
              HasSubstr("takes the passes from the input; leave out --elim"));
  EXPECT_THAT(error("// mini-opt-pipeline: --fuse\n", {"--opt-bisect-limit=2"}),
              HasSubstr("takes the limit from the input"));
}

TEST(Reproducer, NeverOverwritesItsInput) {
  const TemporaryDirectory dir;
  write_file(dir / "x.tir", kDeadEmpty);
  const Ended ended =
      mini_opt({"--fuse", "--generate-reproducer=" + (dir / "./x.tir"), dir / "x.tir"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("would overwrite the input"));
  EXPECT_EQ(read_file(dir / "x.tir"), kDeadEmpty);
}

TEST(Reproducer, ThatCannotBeWrittenIsAnError) {
  const Ended ended = mini_opt({"--fuse", "--generate-reproducer=/nowhere/r.tir", kLab});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("cannot write /nowhere/r.tir: No such file or directory"));
}

TEST(Reproducer, NamesItsInputOnOneLine) {
  Options options;
  options.passes = {PassKind::Fuse};
  EXPECT_EQ(reproducer_header(options, "a\nfunc.func"),
            "// mini-opt-pipeline: --fuse\n// of a?func.func; mini-opt --run-reproducer runs it\n");
}

// ---- bugs --------------------------------------------------------------------------------------

/// Stands for a pass with a bug: does it when the first rewrite is done, or in all that the pass
/// leaves, where the pass itself would stumble over it.
class Bug final : public Observer {
public:
  enum class Shows { AtOnce, AtTheEnd };
  explicit Bug(void (*what)(Function&), Shows shows = Shows::AtOnce) : what_(what), shows_(shows) {}
  void pass_begins(const PassRun&, const Module& module) override {
    module_ = const_cast<Module*>(&module);
  }
  void rewrote(const Rewrite&, const Function& after) override {
    if (shows_ == Shows::AtOnce)
      what_(const_cast<Function&>(after));
  }
  void verification_begins(const PassRun&) override {
    if (shows_ == Shows::AtTheEnd)
      what_(module_->functions[0]);
  }

private:
  void (*what_)(Function&);
  Shows shows_;
  Module* module_ = nullptr;
};

/// mini-opt --canonicalize on kDeadEmpty, in this process, with temporaries in a directory that is
/// looked at afterwards.
class InternalError : public ::testing::Test {
protected:
  void SetUp() override {
    write_file(input(), kDeadEmpty);
    setenv("TMPDIR", (dir_ / "").c_str(), 1);
  }
  void TearDown() override { unsetenv("TMPDIR"); }

  std::string input() const { return dir_ / "input.tir"; }
  Options options() const {
    Options o;
    o.passes = {PassKind::Canonicalize};
    o.input = input();
    o.output = dir_ / "output.tir";
    return o;
  }
  /// The message.
  std::string run(const Options& o, void (*what)(Function&),
                  Bug::Shows shows = Bug::Shows::AtOnce) {
    Bug bug(what, shows);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(run_mini_opt(o, "mini-opt", &bug), 1);
    EXPECT_FALSE(std::filesystem::exists(dir_ / "output.tir"));
    return ::testing::internal::GetCapturedStderr();
  }
  /// The file that mini-opt has left; fails where there is not exactly one.
  std::string left_behind() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(dir_ / ""))
      if (entry.path().filename().string().starts_with("mini-opt-"))
        found.push_back(entry.path().string());
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? "" : found[0];
  }
  std::string expected_text() const {
    return "// mini-opt-pipeline: --canonicalize\n// of " + input() +
           "; mini-opt --run-reproducer runs it\n" + kDeadEmpty;
  }

  TemporaryDirectory dir_;
};

void throw_something(Function&) {
  throw std::logic_error("that cannot be");
}

TEST_F(InternalError, LeavesAReproducerAndSaysWhereAfterAnException) {
  const std::string said = run(options(), throw_something);
  EXPECT_THAT(said, HasSubstr("error: internal error in pass 1 canonicalize: after "));
  EXPECT_THAT(said, HasSubstr(": that cannot be; please report it\n"));
  EXPECT_EQ(read_file(left_behind()), expected_text());
  EXPECT_THAT(said, HasSubstr("to see it again: mini-opt --run-reproducer " + left_behind()));
  EXPECT_EQ(mini_opt({"--run-reproducer", left_behind()}).status, 0);
}

TEST_F(InternalError, LeavesAReproducerWhereAPassLeavesInvalidIR) {
  const std::string said = run(
      options(), [](Function& f) { f.result_types.push_back(scalar_type(ElementType::F32)); },
      Bug::Shows::AtTheEnd);
  EXPECT_THAT(said, HasSubstr(input() + ":"));
  EXPECT_THAT(said, HasSubstr("internal error in pass 1 canonicalize: it left IR that does not "
                              "verify; please report it\n"));
  EXPECT_EQ(read_file(left_behind()), expected_text());
}

TEST_F(InternalError, DumpsInvalidIrIfItCanBePrinted) {
  Options o = options();
  o.print_after.all = true;
  const auto left = [&](void (*what)(Function&)) { return run(o, what, Bug::Shows::AtTheEnd); };
  EXPECT_THAT(left([](Function& f) { f.args.clear(); }),
              HasSubstr("// IR Dump After (does not verify) canonicalize: pass 1 of 1, pipeline: "
                        "--canonicalize\nfunc.func @f("));
  EXPECT_THAT(left([](Function& f) { f.ops.back().as<ReturnOp>()->values[0] = ValueId{99}; }),
              HasSubstr("--canonicalize; too broken to be printed\n"));
}

TEST_F(InternalError, UsesTheReproducerThatWasAskedFor) {
  Options o = options();
  o.reproducer = dir_ / "mini-opt-mine.tir";
  EXPECT_THAT(run(o, throw_something),
              HasSubstr("mini-opt --run-reproducer " + (dir_ / "mini-opt-mine.tir")));
  EXPECT_EQ(left_behind(), dir_ / "mini-opt-mine.tir");
}

TEST_F(InternalError, OfAReproducerNamesItAndLeavesNoOther) {
  write_file(dir_ / "mini-opt-r.tir", "// mini-opt-pipeline: --canonicalize\n" + kDeadEmpty);
  Options o = options();
  o.passes.clear();
  o.run_reproducer = true;
  o.input = dir_ / "mini-opt-r.tir";
  EXPECT_THAT(run(o, throw_something),
              HasSubstr("mini-opt --run-reproducer " + (dir_ / "mini-opt-r.tir")));
  EXPECT_EQ(left_behind(), dir_ / "mini-opt-r.tir");
}

class Crash : public InternalError {
protected:
  /// Runs into the bug in a child process; both outputs of a sanitizer are its own.
  void die(void (*what)(Function&), const char* said) {
    Bug bug(what);
    const auto ended_badly = [](int status) { return !WIFEXITED(status) || WEXITSTATUS(status); };
    EXPECT_EXIT(run_mini_opt(options(), "mini-opt", &bug), ended_badly, said);
    EXPECT_EQ(read_file(left_behind()), expected_text());
  }
};

TEST_F(Crash, OfABadAccessLeavesAReproducerAndSaysWhere) {
  die(
      [](Function&) {
        void* nothing = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *static_cast<volatile char*>(nothing) = 1;
      },
      "internal error in pass 1 canonicalize: after .*: a bad memory access .SIGSEGV.\n"
      "mini-opt: to see it again: mini-opt --run-reproducer .*mini-opt-");
}

TEST_F(Crash, OfAnAbortLeavesAReproducerAndSaysWhere) {
  die([](Function&) { std::abort(); },
      "internal error in pass 1 canonicalize: after .*: an abort .SIGABRT.");
}

TEST_F(Crash, OfAStackThatRunsOutLeavesAReproducer) {
  die(
      [](Function&) {
        struct Deep {
          static int down(int n) { // NOLINT: the point of it
            volatile char page[4096] = {};
            page[n % 4096] = 1;
            return n < 0 ? 0 : down(n + 1) + page[(n + 1) % 4096];
          }
        };
        volatile int sink = Deep::down(0);
        (void)sink;
      },
      "internal error in pass 1 canonicalize");
}

TEST_F(Crash, IsEndedByItsSignalAsWithoutTheGuard) {
  Bug bug([](Function&) { std::abort(); });
  EXPECT_EXIT(run_mini_opt(options(), "mini-opt", &bug), ::testing::KilledBySignal(SIGABRT), "");
}

TEST_F(Crash, IsNoLongerGuardedOnceMiniOptIsDone) {
  struct sigaction before = {}, after = {};
  sigaction(SIGSEGV, nullptr, &before);
  EXPECT_EQ(run_mini_opt(options(), "mini-opt"), 0);
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

} // namespace
} // namespace mo::testing

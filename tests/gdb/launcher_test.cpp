// tools/gdb/mini-opt-gdb as a person types it. None of these needs gdb.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

Ended launcher(std::vector<std::string> arguments, const std::vector<std::string>& env) {
  arguments.insert(arguments.begin(), repository_file("tools/gdb/mini-opt-gdb"));
  return run_process(arguments, "", env);
}

// What the launcher would run, with `echo` for gdb.
std::string command_of(const std::vector<std::string>& arguments) {
  return launcher(arguments, {"GDB=echo", "MINI_OPT=" MO_MINI_OPT}).out;
}

TEST(GdbLauncher, GivesAllArgumentsToMiniOptWhereThereIsNoDoubleDash) {
  EXPECT_THAT(command_of({"--fuse", "x.tir"}),
              EndsWith("tools/gdb/load.py --args " MO_MINI_OPT " --fuse x.tir\n"));
}

TEST(GdbLauncher, GivesWhatStandsBeforeTheFirstDoubleDashToGdb) {
  EXPECT_THAT(command_of({"-batch", "-ex", "mo next", "--", "--fuse", "--", "-x.tir"}),
              EndsWith("load.py -batch -ex mo next --args " MO_MINI_OPT " --fuse -- -x.tir\n"));
}

TEST(GdbLauncher, SaysHowToBuildWhatIsMissing) {
  const TemporaryDirectory dir;
  std::filesystem::create_directories(dir / "tools/gdb");
  std::filesystem::copy(repository_file("tools/gdb/mini-opt-gdb"), dir / "tools/gdb");
  const Ended ended = run_process({dir / "tools/gdb/mini-opt-gdb", "x.tir"}, "", {"GDB=echo"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.err, "mini-opt-gdb: error: there is no build/debug/tools/mini-opt yet; cmake "
                       "--preset debug && cmake --build --preset debug --target mini-opt\n");
}

TEST(GdbLauncher, SaysWhatIsWrongWithItsEnvironment) {
  const Ended no_program = launcher({}, {"GDB=echo", "MINI_OPT=/nowhere"});
  EXPECT_EQ(no_program.status, 1);
  EXPECT_THAT(no_program.err, HasSubstr("error: MINI_OPT=/nowhere is not a program\n"));
  const Ended no_gdb = launcher({}, {"GDB=no-such-gdb"});
  EXPECT_EQ(no_gdb.status, 1);
  EXPECT_THAT(no_gdb.err, HasSubstr("error: there is no no-such-gdb here"));
}

TEST(GdbLauncher, HelpsOnItself) {
  const Ended ended = launcher({"--help"}, {});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.out, HasSubstr("Everything before the first -- goes to gdb"));
}

} // namespace
} // namespace mo::testing

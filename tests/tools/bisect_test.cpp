// --opt-bisect-limit: rewrites numbered across passes and functions, as LLVM's does it.
#include "tools/bisect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kLab = repository_file("examples/fusion.tir");

TEST(BisectCommand, NumbersEachRewriteAndSaysWhetherItIsDone) {
  EXPECT_EQ(mini_opt({"--fuse", "--opt-bisect-limit=1", kLab}).err,
            "BISECT: running pass (1) fuse %0 into %1 at operand 0 on @fusion\n"
            "BISECT: NOT running pass (2) fuse %1 into %2 at operand 0 on @fusion\n");
}

TEST(BisectCommand, CountsOnFromPassToPass) {
  const Ended ended = mini_opt({"--fuse", "--elim", "--opt-bisect-limit=2", kLab});
  EXPECT_THAT(ended.err, HasSubstr("BISECT: running pass (2) "));
  EXPECT_THAT(ended.err, HasSubstr("BISECT: NOT running pass (3) "));
  EXPECT_EQ(ended.out,
            mini_opt({"-", "--elim", "--opt-bisect-limit=0"}, mini_opt({"--fuse", kLab}).out).out);
}

TEST(BisectCommand, CountsOnFromFunctionToFunction) {
  const std::string lab = read_file(kLab);
  std::string other = lab.substr(lab.find("func.func"));
  other.replace(other.find("@fusion"), 7, "@other");
  EXPECT_THAT(mini_opt({"--fuse", "--opt-bisect-limit=3", "-"}, lab + other).err,
              HasSubstr("BISECT: running pass (3) fuse %0 into %1 at operand 0 on @other\n"));
}

TEST(BisectCommand, MinusOneDoesThemAllAndNumbersThem) {
  const Ended ended = mini_opt({"--fuse", "--elim", "--opt-bisect-limit=-1", kLab});
  EXPECT_EQ(ended.out, mini_opt({"--fuse", "--elim", kLab}).out);
  EXPECT_THAT(ended.err, HasSubstr("BISECT: running pass (3) "));
  EXPECT_THAT(ended.err, Not(HasSubstr("NOT")));
}

TEST(BisectCommand, ZeroLeavesEveryRewriteOut) {
  EXPECT_EQ(mini_opt({"--fuse", "--opt-bisect-limit=0", kLab}).out, mini_opt({kLab}).out);
  EXPECT_EQ(mini_opt({"--elim", "--opt-bisect-limit=0", kLab}).status, 0);
}

TEST(BisectCommand, ALimitThatIsNoNumberIsAnError) {
  for (const char* limit : {"x", "3x", "-2", "1.5", "99999999999999999999", "0x3", " 3"}) {
    const Ended ended = mini_opt({"--fuse", std::string("--opt-bisect-limit=") + limit, kLab});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "mini-opt: error: --opt-bisect-limit does not take '" +
                             std::string(limit) +
                             "'; it takes a number of rewrites, or -1 for all\n");
  }
  EXPECT_THAT(mini_opt({"--fuse", "--opt-bisect-limit=", kLab}).err, HasSubstr("needs a value"));
  EXPECT_THAT(mini_opt({"--opt-bisect-limit=3", kLab}).err, HasSubstr("none is asked for"));
  EXPECT_THAT(mini_opt({"--fuse", "--bench", "--opt-bisect-limit=3", kLab}).err,
              HasSubstr("--bench times the whole pipeline"));
}

TEST(BisectCommand, WhatIsLeftOutIsARemark) {
  EXPECT_THAT(mini_opt({"--fuse", "--opt-bisect-limit=1", "--remarks=missed", kLab}).err,
              HasSubstr("remark: fuse missed [left-out]"));
}

} // namespace
} // namespace mo::testing

// Views together, and what a view does when the world does not play along.
#include "tools/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/process.h"
#include "tools/timing.h"
#include "tools/tree_writer.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;

/// Writes its letter when it begins (capital) and ends, and fails there if told to.
class Letter final : public View {
public:
  Letter(std::string& log, char letter, bool fails) : log_(log), letter_(letter), fails_(fails) {}
  std::optional<FileError> begin(const Module&) override {
    return write(static_cast<char>(letter_ - 'a' + 'A'));
  }
  std::optional<FileError> end(const Module&) override { return write(letter_); }

private:
  std::optional<FileError> write(char c) {
    log_ += c;
    return fails_ ? std::optional(FileError{std::string("no ") + letter_}) : std::nullopt;
  }
  std::string& log_;
  char letter_;
  bool fails_;
};

Views three(std::string& log) {
  Views views;
  views.add(std::make_unique<Letter>(log, 'a', false));
  views.add(std::make_unique<Letter>(log, 'b', true));
  views.add(std::make_unique<Letter>(log, 'c', true));
  return views;
}

TEST(Views, BeginInOrderUntilOneCannot) {
  std::string log;
  const auto error = three(log).begin({});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "no b");
  EXPECT_EQ(log, "AB");
}

TEST(Views, AllEndAndTheFirstErrorIsTold) {
  std::string log;
  const auto error = three(log).end({});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "no b");
  EXPECT_EQ(log, "abc");
}

TEST(TreeWriter, TellsAtTheEndWhatWentWrongOnTheWay) {
  const TemporaryDirectory dir;
  TreeWriter writer(dir / "tree", {"--fuse", 1});
  EXPECT_FALSE(writer.begin({}));
  std::filesystem::remove_all(dir / "tree");
  writer.pass_ends({"fuse", 1}, {});
  const auto error = writer.end({});
  ASSERT_TRUE(error);
  EXPECT_THAT(error->message, HasSubstr("cannot write " + (dir / "tree/001_fuse.tir")));
}

TEST(PassTimer, HandsEverythingOnAndKeepsTheAnswer) {
  class Witness final : public Observer {
  public:
    void pass_begins(const PassRun&, const Module&) override { log += "begins "; }
    void verification_begins(const PassRun&) override { log += "verification "; }
    void pass_ends(const PassRun&, const Module&) override { log += "ends "; }
    void remark(const Remark&) override { log += "remark "; }
    void attempt(const Remark&) override { log += "attempt "; }
    bool wants_attempts() const override { return true; }
    bool may_rewrite(const Rewrite&, const Function&) override {
      log += "asked ";
      return false;
    }
    void rewrote(const Rewrite&, const Function&) override { log += "rewrote "; }
    bool looks_at_functions() const override { return true; }
    std::string log;
  } witness;
  Timing timing;
  PassTimer timer(timing, witness);
  const PassRun run{"fuse", 1};
  timer.pass_begins(run, {});
  EXPECT_FALSE(timer.may_rewrite({"fuse", {}, "this", nullptr}, {}));
  EXPECT_STREQ(timing.where(), "pass 1 fuse: this");
  timer.rewrote({"fuse", {}, "this", nullptr}, {});
  EXPECT_STREQ(timing.where(), "pass 1 fuse: after this");
  timer.attempt({});
  timer.remark({});
  timer.verification_begins(run);
  EXPECT_STREQ(timing.where(), "pass 1 fuse: verification");
  timer.pass_ends(run, {});
  EXPECT_STREQ(timing.where(), "");
  EXPECT_TRUE(timer.wants_attempts());
  EXPECT_TRUE(timer.looks_at_functions());
  EXPECT_EQ(witness.log, "begins asked rewrote attempt remark verification ends ");
}

} // namespace
} // namespace mo::testing

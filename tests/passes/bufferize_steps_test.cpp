// Each sharing of memory is a step that an observer can look at, and leave out.
#include <gtest/gtest.h>

#include <random>

#include "ir/diagnostic.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/pipeline.h"
#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

constexpr BufferizeMode kModes[] = {BufferizeMode::Copying, BufferizeMode::DestinationPassing};

/// Answers as told, then no; keeps what it is shown.
class Watcher final : public Observer {
public:
  explicit Watcher(std::vector<bool> answers, bool looks = true)
      : answers_(std::move(answers)), looks_(looks) {}
  bool looks_at_functions() const override { return looks_; }
  bool may_rewrite(const Rewrite& r, const Function& before) override {
    show(r, before);
    const size_t n = asked++;
    return n < answers_.size() && answers_[n];
  }
  void rewrote(const Rewrite& r, const Function& after) override {
    show(r, after);
    ++taken;
  }

  size_t asked = 0, taken = 0;
  std::vector<Function> shown; // before, after where taken, before, ...
  bool ops_are_there = true;

private:
  void show(const Rewrite& r, const Function& f) {
    shown.push_back(f);
    ops_are_there &= r.op.index < f.ops.size();
  }
  std::vector<bool> answers_;
  bool looks_;
};

const std::string kChain = "func.func @f(%x: tensor<4x4xf32>, %o: memref<4x4xf32>) {\n" +
                           empty("%e") + double_it("%0", "%x", "%e") + double_it("%1", "%0", "%e") +
                           double_it("%2", "%1", "%e") + materialize("%2", "%o") + "return\n}";

std::string verified(const Function& function) {
  Diagnostics diagnostics;
  verify(function, Level::Buffer, diagnostics);
  return render(diagnostics, {"view", ""}, false);
}

TEST(BufferizeSteps, TakeAllocsAndCopiesAwayOneByOne) {
  Function function = function_of(kChain);
  Watcher all(std::vector<bool>(9, true));
  bufferize(function, BufferizeMode::DestinationPassing, all);
  std::vector<std::pair<unsigned, unsigned>> allocs_and_copies;
  for (const Function& f : all.shown)
    allocs_and_copies.push_back({count(f).allocs, count(f).copies});
  // %2 in %o takes its buffer and the copy; %1 and %0 meet in %e.
  EXPECT_EQ(allocs_and_copies, (std::vector<std::pair<unsigned, unsigned>>{
                                   {3, 1}, {2, 0}, {2, 0}, {2, 0}, {2, 0}, {1, 0}}));
}

TEST(BufferizeSteps, TheFirstViewLeavesEverythingOutAndTheLastIsWhatThePassLeaves) {
  for (const BufferizeMode mode : kModes) {
    Function done = function_of(kChain), nothing = done;
    Watcher all(std::vector<bool>(9, true)), none({});
    bufferize(done, mode, all);
    bufferize(nothing, mode, none);
    EXPECT_EQ(print(all.shown.front()), print(nothing));
    EXPECT_EQ(print(all.shown.back()), print(done));
  }
}

TEST(BufferizeSteps, WhateverIsTakenEveryViewVerifiesAndContinuesTheOneBefore) {
  std::mt19937 random(7);
  for (uint64_t seed = 0; seed < 40; ++seed)
    for (const BufferizeMode mode : kModes) {
      Function function = function_of(random_buffer_program(seed, "f", {}));
      std::vector<bool> answers;
      for (int i = 0; i < 64; ++i)
        answers.push_back(random() % 2);
      Watcher some(answers);
      bufferize(function, mode, some);
      EXPECT_TRUE(some.ops_are_there) << seed;
      size_t at = 0;
      for (size_t n = 0; n < some.asked; ++n) {
        EXPECT_EQ(verified(some.shown[at]), "") << seed;
        if (n < answers.size() && answers[n])
          ++at; // the view after
        if (at + 1 < some.shown.size()) {
          EXPECT_EQ(print(some.shown[at]), print(some.shown[at + 1])) << seed;
        }
        ++at;
      }
      if (!some.shown.empty()) {
        EXPECT_EQ(print(some.shown.back()), print(function)) << seed;
      }
    }
}

TEST(BufferizeSteps, WhoDoesNotLookIsHandedTheTensors) {
  Function function = function_of(kChain);
  Watcher all(std::vector<bool>(9, true), /*looks=*/false);
  bufferize(function, BufferizeMode::DestinationPassing, all);
  EXPECT_EQ(all.taken, 3u);
  EXPECT_TRUE(all.ops_are_there);
  for (const Function& shown : all.shown)
    EXPECT_EQ(print(shown), print(function_of(kChain)));
}

} // namespace

} // namespace mo::testing

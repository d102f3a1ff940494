// Observers together: all are told, all are asked, each has a veto.
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

class Counting final : public Observer {
public:
  explicit Counting(bool agrees) : agrees_(agrees) {}
  void pass_begins(const PassRun&, const Module&) override { ++begun; }
  void pass_ends(const PassRun&, const Module&) override { ++ended; }
  void remark(const Remark&) override { ++remarks; }
  bool may_rewrite(const Rewrite& r, const Function& before) override {
    ++asked;
    named_op_of_before = r.op.index < before.ops.size() && r.because != nullptr && !r.what.empty();
    return agrees_;
  }
  void rewrote(const Rewrite&, const Function&) override { ++rewrites; }

  unsigned begun = 0, ended = 0, remarks = 0, asked = 0, rewrites = 0;
  bool named_op_of_before = false;

private:
  bool agrees_;
};

const char* const kDeadEmpty = "func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
                               "  %e = tensor.empty() : tensor<8xf32>\n"
                               "  return %a : tensor<8xf32>\n}";

void run(Observer& observer) {
  Module module = module_from(kDeadEmpty);
  Diagnostics diagnostics;
  EXPECT_TRUE(run_pipeline(module, {PassKind::Canonicalize}, observer, diagnostics));
}

TEST(Observers, TellEverythingToEach) {
  Counting a(true), b(true);
  Observers both;
  both.add(a);
  both.add(b);
  run(both);
  for (const Counting* c : {&a, &b}) {
    EXPECT_EQ(c->begun, 1u);
    EXPECT_EQ(c->ended, 1u);
    EXPECT_EQ(c->asked, 1u);
    EXPECT_EQ(c->rewrites, 1u);
    EXPECT_EQ(c->remarks, 1u);
    EXPECT_TRUE(c->named_op_of_before);
  }
}

TEST(Observers, OneNoIsEnoughAndTheOthersAreAskedAllTheSame) {
  Counting no(false), yes(true);
  Observers both;
  both.add(no);
  both.add(yes);
  run(both);
  EXPECT_EQ(yes.asked, 1u);
  EXPECT_EQ(yes.rewrites, 0u);
}

} // namespace
} // namespace mo

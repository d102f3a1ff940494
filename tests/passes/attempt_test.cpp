// What passes say on the way, and that they say something in any case.
#include <algorithm>

#include "tests/passes/bufferize_programs.h"
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

class Listener final : public Observer {
public:
  explicit Listener(bool wants = true) : wants_(wants) {}
  bool wants_attempts() const override { return wants_; }
  void attempt(const Remark& r) override { attempts.push_back(r); }
  void remark(const Remark& r) override { remarks.push_back(r); }

  static bool has(const std::vector<Remark>& list, std::string_view reason) {
    return std::any_of(list.begin(), list.end(),
                       [&](const Remark& r) { return r.reason == reason; });
  }
  std::vector<Remark> attempts, remarks;

private:
  bool wants_;
};

void run(const std::string& text, std::vector<PassKind> passes, Observer& observer) {
  Module module = module_from(text);
  Diagnostics diagnostics;
  EXPECT_TRUE(run_pipeline(module, passes, observer, diagnostics)) << listing(diagnostics);
}

const char* const kNegate = "^bb0(%x: f32, %o: f32):\n    %r = arith.negf %x : f32\n"
                            "    linalg.yield %r : f32";
const std::string k8 = " : tensor<8xf32>";

std::string negate(const std::string& result, const std::string& in) {
  return generic(result, {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", in + k8, "%e" + k8, kNegate);
}

// %0 is used twice until %1 has gone into %2.
const std::string kDiamond =
    "func.func @f(%a: tensor<8xf32>, %e: tensor<8xf32>) -> tensor<8xf32> {\n" + negate("%0", "%a") +
    negate("%1", "%0") +
    generic("%2", {"(d0) -> (d0)", "(d0) -> (d0)", "(d0) -> (d0)"}, "p",
            "%0, %1 : tensor<8xf32>, tensor<8xf32>", "%e" + k8,
            "^bb0(%x: f32, %y: f32, %o: f32):\n    %r = arith.addf %x, %y : f32\n"
            "    linalg.yield %r : f32") +
    "  return %2 : tensor<8xf32>\n}";

TEST(Attempts, OfAFusionAreToldEvenIfItIsDoneLater) {
  Listener listener;
  run(kDiamond, {PassKind::Fuse}, listener);
  EXPECT_TRUE(Listener::has(listener.attempts, "other-use"));
  EXPECT_FALSE(Listener::has(listener.remarks, "other-use"));
  EXPECT_TRUE(Listener::has(listener.remarks, "fused"));
}

TEST(Attempts, OfSharingAreToldEvenIfTheResultFindsAnotherPlace) {
  using namespace mo::testing;
  // %0 cannot update %d, which is read later, and goes to %o instead.
  const std::string program =
      "func.func @f(%x: tensor<4x4xf32>, %d: tensor<4x4xf32>, %o: memref<4x4xf32>, "
      "%p: memref<4x4xf32>) {\n" +
      add_to("%0", "%x", "%d") + empty("%e") + double_it("%1", "%d", "%e") +
      materialize("%0", "%o") + materialize("%1", "%p") + "return\n}";
  Listener listener;
  run(program, {PassKind::Elim}, listener);
  EXPECT_TRUE(Listener::has(listener.attempts, "read-after-write"));
  EXPECT_FALSE(Listener::has(listener.remarks, "read-after-write"));
}

TEST(Attempts, OfACleanUpAreToldEvenIfTheOpDies) {
  const std::string partial =
      "func.func @f(%a: tensor<8xf32>, %e: tensor<8x2xf32>) -> tensor<8xf32> {\n" +
      generic("%0", {"(d0) -> (d0)", "(d0) -> (d0, 1)"}, "p", "%a" + k8, "%e : tensor<8x2xf32>",
              kNegate) +
      "  return %a : tensor<8xf32>\n}";
  Listener listener;
  run(partial, {PassKind::Canonicalize}, listener);
  EXPECT_TRUE(Listener::has(listener.attempts, "partial-write"));
  EXPECT_FALSE(Listener::has(listener.remarks, "partial-write"));
}

TEST(Attempts, OfTheSameKindAreToldOnce) {
  Listener listener;
  run(kDiamond, {PassKind::FuseMlir}, listener);
  std::vector<std::string> said;
  for (const Remark& r : listener.attempts)
    said.push_back(std::string(r.reason) + r.message);
  std::sort(said.begin(), said.end());
  EXPECT_EQ(std::adjacent_find(said.begin(), said.end()), said.end());
}

TEST(Attempts, AreNotTrueBecauseSomebodyListens) {
  for (const PassKind pass : {PassKind::Fuse, PassKind::FuseMlir, PassKind::Canonicalize,
                              PassKind::Bufferize, PassKind::Elim}) {
    Listener deaf(false), keen(true);
    run(kDiamond, {pass}, deaf);
    run(kDiamond, {pass}, keen);
    EXPECT_TRUE(deaf.attempts.empty());
    ASSERT_EQ(deaf.remarks.size(), keen.remarks.size());
    for (size_t i = 0; i < deaf.remarks.size(); ++i)
      EXPECT_EQ(deaf.remarks[i].message, keen.remarks[i].message);
  }
}

TEST(Remarks, OfEveryPassSaySomethingAboutEveryFunction) {
  std::vector<std::string> programs = {
      "func.func @f() { return }", "func.func @f(%x: tensor<8xf32>) { return }",
      "func.func @f(%x: memref<8xf32>) { return }",
      "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> { return %x : tensor<8xf32> }"};
  for (uint64_t seed = 0; seed < 50; ++seed)
    programs.push_back(testing::random_buffer_program(seed, "f", {}));
  for (const std::string& program : programs)
    for (const PassKind pass : {PassKind::Fuse, PassKind::FuseMlir, PassKind::Canonicalize,
                                PassKind::Bufferize, PassKind::Elim}) {
      Listener listener;
      run(program, {pass}, listener);
      EXPECT_FALSE(listener.remarks.empty()) << spelling(pass) << "\n" << program;
      for (const Remark& r : listener.remarks)
        EXPECT_FALSE(r.message.empty()) << r.reason;
    }
}

TEST(Remarks, OfAFusionHaveBothMapsAndEveryConditionThatHolds) {
  const Passed p = run_passes(kDiamond, {PassKind::Fuse});
  const auto fused = std::find_if(p.remarks.begin(), p.remarks.end(),
                                  [](const Remark& r) { return r.reason == "fused"; });
  ASSERT_NE(fused, p.remarks.end());
  std::string keys;
  for (const Fact& fact : fused->facts)
    keys += std::string(fact.key) + " ";
  EXPECT_EQ(keys, "Value Producer Consumer Operand WriteMap ReadMap LoopMap ");
  EXPECT_EQ(fused->facts[1].loc.line, 7u); // %1, which has gone into %2
  EXPECT_EQ(fused->grounds.size(), 7u);
}

} // namespace
} // namespace mo

// The pipeline: order, what observers see, functions that a pass does not apply to.
#include "ir/print.h"
#include "tests/passes/pass_support.h"

namespace mo {
namespace {

const char* const kTwoFunctions = R"(
func.func @tensors(%a: tensor<8xf32>, %m: memref<8xf32>) {
  bufferization.materialize_in_destination %a in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}
func.func @buffers(%a: memref<8xf32>, %b: memref<8xf32>) {
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  return
}
)";

/// "1:fuse " when it begins, "end " when it ends.
class PassLog final : public Observer {
public:
  void pass_begins(const PassRun& r, const Module&) override {
    log += std::to_string(r.number) + ":" + std::string(r.pass) + " ";
  }
  void pass_ends(const PassRun&, const Module&) override { log += "end "; }
  std::string log;
};

TEST(Pipeline, RunsThePassesInTheOrderGivenAndNumbersThem) {
  Module module = module_from(kTwoFunctions);
  PassLog log;
  Diagnostics diagnostics;
  EXPECT_TRUE(run_pipeline(
      module, {PassKind::Canonicalize, PassKind::Fuse, PassKind::FuseMlir, PassKind::Elim}, log,
      diagnostics));
  EXPECT_EQ(log.log, "1:canonicalize end 2:fuse end 3:fuse=mlir end 4:elim end ");
}

TEST(Pipeline, SaysThatAPassDoesNotApplyToBuffersAndLeavesThem) {
  for (PassKind pass : {PassKind::Fuse, PassKind::FuseMlir, PassKind::Canonicalize,
                        PassKind::Bufferize, PassKind::Elim}) {
    Module module = module_from(kTwoFunctions);
    const std::string before = print(module.functions[1]);
    RemarkCollector remarks;
    Diagnostics diagnostics;
    EXPECT_TRUE(run_pipeline(module, {pass}, remarks, diagnostics));
    EXPECT_EQ(print(module.functions[1]), before);
    unsigned said = 0;
    for (const Remark& r : remarks.all())
      said += r.reason == kNotTensorLevel && r.function == "buffers" && r.pass == spelling(pass);
    EXPECT_EQ(said, 1u) << spelling(pass);
  }
}

TEST(Pipeline, BufferizesEveryFunctionThatHasTensors) {
  Module module = module_from(kTwoFunctions);
  Observer none;
  Diagnostics diagnostics;
  EXPECT_TRUE(run_pipeline(module, {PassKind::Bufferize}, none, diagnostics));
  for (const Function& f : module.functions)
    EXPECT_EQ(level_of(f), Level::Buffer) << f.name;
}

/// Breaks the IR after the first rewrite: a stand-in for a pass with a bug.
class Saboteur final : public Observer {
public:
  void rewrote(const Rewrite&, const Function& after) override {
    auto& function = const_cast<Function&>(after);
    function.result_types.push_back(scalar_type(ElementType::F32));
  }
};

TEST(Pipeline, StopsAtInvalidIRAndReturnsTheViolations) {
  Module module = module_from("func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
                              "  %e = tensor.empty() : tensor<8xf32>\n"
                              "  return %a : tensor<8xf32>\n}");
  Saboteur saboteur;
  Diagnostics diagnostics;
  EXPECT_FALSE(
      run_pipeline(module, {PassKind::Canonicalize, PassKind::Bufferize}, saboteur, diagnostics));
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(level_of(module.functions[0]), Level::Tensor);
}

/// What is announced of passes, as one word each.
class EventLog final : public Observer {
public:
  void pass_begins(const PassRun&, const Module&) override { log += "begins "; }
  void verification_begins(const PassRun&) override { log += "verification "; }
  void pass_ends(const PassRun&, const Module&) override { log += "ends "; }
  void pass_failed(const PassRun&, const Module&, const Diagnostics& why) override {
    log += why.has_errors() ? "failed " : "failed-without-reason ";
  }
  std::string log;
};

TEST(Pipeline, AnnouncesEachPassItsVerificationAndItsEnd) {
  Module module = module_from(kTwoFunctions);
  EventLog events;
  Observers all; // hands everything on
  all.add(events);
  Diagnostics diagnostics;
  EXPECT_TRUE(run_pipeline(module, {PassKind::Fuse, PassKind::Elim}, all, diagnostics));
  EXPECT_EQ(events.log, "begins verification ends begins verification ends ");
}

TEST(Pipeline, APassThatLeavesInvalidIrFailsInsteadOfEnding) {
  Module module = module_from("func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {\n"
                              "  %e = tensor.empty() : tensor<8xf32>\n"
                              "  return %a : tensor<8xf32>\n}");
  Saboteur saboteur;
  EventLog events;
  Observers all;
  all.add(saboteur);
  all.add(events);
  Diagnostics diagnostics;
  EXPECT_FALSE(run_pipeline(module, {PassKind::Canonicalize}, all, diagnostics));
  EXPECT_EQ(events.log, "begins verification failed ");
}

TEST(Pipeline, CountsWhatTheLabsRowsCount) {
  const Function f = function_from(R"(
func.func @f(%s: f32, %m: memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  linalg.fill ins(%s : f32) outs(%a : memref<8xf32>)
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  memref.dealloc %a : memref<8xf32>
  return
}
)");
  const Counts c = count(f);
  EXPECT_EQ(c.generics, 0u);
  EXPECT_EQ(c.fills, 1u);
  EXPECT_EQ(c.allocs, 1u);
  EXPECT_EQ(c.copies, 1u);
  EXPECT_EQ(c.empties, 0u);
}

} // namespace
} // namespace mo

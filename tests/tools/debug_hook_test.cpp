// What the passes show a debugger, where there is none. tests/gdb has one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <utility>

#include "ir/parse.h"
#include "ir/print.h"
#include "passes/bufferize.h"
#include "passes/canonicalize.h"
#include "passes/fuse.h"
#include "passes/pipeline.h"
#include "tests/support/process.h"
#include "tools/debug_hook.h"

namespace mo::testing {
namespace {

using ::testing::StartsWith;

Module example_module() {
  Diagnostics diagnostics;
  const SourceFile source{"fusion.tir", read_file(repository_file("examples/fusion.tir"))};
  return std::move(*parse_and_verify(source, diagnostics));
}

std::set<std::string> listed_reasons() {
  std::set<std::string> listed;
  std::istringstream lines(mo_debug_reasons);
  for (std::string line; std::getline(lines, line);)
    listed.insert(line);
  return listed;
}

TEST(DebugReasons, ListEveryIdOfEveryPass) {
  std::set<std::string> ids;
  for (unsigned i = 0; i < kNumFusionReasons; ++i)
    ids.emplace(spelling(static_cast<FusionReason>(i)));
  for (unsigned i = 0; i < kNumCleanupReasons; ++i)
    ids.emplace(spelling(static_cast<CleanupReason>(i)));
  for (unsigned i = 0; i < num_buffer_reasons(); ++i)
    ids.emplace(spelling(static_cast<BufferReason>(i)));
  for (const std::string_view id :
       {fusion_remark::kFused, fusion_remark::kMerged, fusion_remark::kLeftOut,
        fusion_remark::kNothing, kNotTensorLevel})
    ids.emplace(id);
  EXPECT_EQ(listed_reasons(), ids);
}

TEST(DebugHook, AgreesToEverythingWhereNobodyListens) {
  Module hooked = example_module(), alone = hooked;
  DebugHook hook;
  Observers nobody;
  Diagnostics diagnostics;
  ASSERT_TRUE(run_pipeline(hooked, {PassKind::Fuse, PassKind::Elim}, hook, diagnostics));
  ASSERT_TRUE(run_pipeline(alone, {PassKind::Fuse, PassKind::Elim}, nobody, diagnostics));
  EXPECT_EQ(print(hooked), print(alone));
  EXPECT_FALSE(hook.looks_at_functions());
}

TEST(DebugString, SaysWhatADebuggerPointsAt) {
  const Module module = example_module();
  const Function& f = module.functions[0];
  EXPECT_EQ(mo_debug_string(module), print(module));
  EXPECT_THAT(mo_debug_string(f), StartsWith("#map = affine_map<(d0) -> (d0)>\nfunc.func @fusion"));
  EXPECT_STREQ(mo_debug_string(f, OpId{7}), "return");
  EXPECT_STREQ(mo_debug_string(f, f.args[2].value), "%s : f32");
  EXPECT_STREQ(mo_debug_string(AffineMap::identity(2)), "(d0, d1) -> (d0, d1)");
  EXPECT_STREQ(mo_debug_string(tensor_type({4, 8}, ElementType::F32)), "tensor<4x8xf32>");
  EXPECT_STREQ(
      mo_debug_string(Remark{
          Remark::Kind::Missed, "fuse", "other-use", "f", {3, 7}, "no", {{{2, 1}, "there"}}}),
      "3:7: fuse missed [other-use]: no\n2:1: note: there");
}

TEST(DebugString, SaysSoWhereThereIsNoSuchOpOrValue) {
  const Module module = example_module();
  EXPECT_STREQ(mo_debug_string(module.functions[0], OpId{}), "<there is no op 4294967295>");
  EXPECT_STREQ(mo_debug_string(module.functions[0], ValueId{999}), "<there is no value 999>");
}

} // namespace
} // namespace mo::testing

// --trace-html: what is kept of a compilation, how it is written down, and what bad use gets. How
// the page looks and behaves is tested in a browser (tests/browser).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/parse.h"
#include "tests/support/process.h"
#include "tools/trace/page.h"
#include "tools/trace/recorder.h"
#include "tools/trace/trace_json.h"

namespace mo::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A chain of `ops` generics; fusion leaves one.
std::string chain(unsigned ops) {
  std::string text = "#map = affine_map<(d0) -> (d0)>\n"
                     "func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {\n"
                     "  %e = tensor.empty() : tensor<8xf32>\n";
  std::string last = "%x";
  for (unsigned k = 0; k < ops; ++k) {
    const std::string n = std::to_string(k);
    text +=
        "  %v" + n +
        " = linalg.generic {indexing_maps = [#map, #map], iterator_types = [\"parallel\"]} ins(" +
        last +
        " : tensor<8xf32>) outs(%e : tensor<8xf32>) {\n"
        "  ^bb0(%in: f32, %o: f32):\n"
        "    %a" +
        n + " = arith.addf %in, %in : f32\n    linalg.yield %a" + n +
        " : f32\n  } -> tensor<8xf32>\n";
    last = "%v" + n;
  }
  return text + "  return " + last + " : tensor<8xf32>\n}\n";
}

struct Recorded {
  Trace trace;
  LineTable lines;
};
Recorded record(const std::string& text, const std::vector<PassKind>& passes,
                const TraceLimits& limits = {}) {
  Recorded recorded;
  Diagnostics diagnostics;
  Module module = *parse_and_verify(SourceFile{"test.tir", text}, diagnostics);
  TraceRecorder recorder(recorded.trace, recorded.lines, limits);
  recorder.begin(module);
  EXPECT_TRUE(run_pipeline(module, passes, recorder, diagnostics));
  recorder.end(module);
  return recorded;
}

std::string text_of(const Recorded& r, TextId version) {
  std::string text;
  for (const uint32_t line : r.trace.versions.at(version).lines)
    text += r.lines.lines()[line].text + "\n";
  return text;
}

TEST(TraceRecorder, KeepsTheTextBeforeAndAfterEachRewrite) {
  const Recorded r = record(chain(3), {PassKind::Fuse});
  const std::vector<TraceStep>& steps = r.trace.passes.at(0).steps;
  ASSERT_EQ(r.trace.passes[0].rewrites, 2u);
  EXPECT_EQ(steps[0].before, r.trace.input[0]);
  EXPECT_EQ(steps[1].before, steps[0].after);
  EXPECT_EQ(r.trace.output[0], r.trace.passes[0].after[0]);
  EXPECT_THAT(text_of(r, steps[0].before), HasSubstr("%v0 = linalg.generic"));
  EXPECT_THAT(text_of(r, steps[0].after), Not(HasSubstr("%v0 = linalg.generic")));
}

TEST(TraceRecorder, ARewriteAndTheDecisionBehindItAreOneStep) {
  for (const PassKind pass : {PassKind::Fuse, PassKind::Bufferize, PassKind::Elim}) {
    const Recorded r = record(chain(2), {pass});
    std::set<std::string> messages;
    for (const TraceStep& step : r.trace.passes[0].steps)
      EXPECT_TRUE(messages.insert(step.remark.message).second) << step.remark.message;
    EXPECT_GT(r.trace.passes[0].rewrites, 0u) << spelling(pass);
  }
}

TEST(TraceRecorder, DecisionsWithoutARewriteAreStepsToo) {
  const Recorded r = record(chain(1), {PassKind::Bufferize});
  EXPECT_TRUE(std::any_of(r.trace.passes[0].steps.begin(), r.trace.passes[0].steps.end(),
                          [](const TraceStep& step) { return !step.is_rewrite; }));
}

TEST(TraceRecorder, ALongCompilationIsCutShortAndTheRestCounted) {
  TraceLimits limits;
  limits.steps = 5;
  const TracePass pass = record(chain(20), {PassKind::Fuse}, limits).trace.passes[0];
  EXPECT_EQ(pass.rewrites, 19u);
  EXPECT_EQ(pass.steps.size(), 5u);
  EXPECT_GE(pass.steps_left_out, 14u);
}

TEST(TraceRecorder, KeepsTheTextsAroundAPassWhenThereIsNoRoomForThoseOfItsRewrites) {
  TraceLimits limits;
  limits.printed_bytes = chain(40).size() * 5;
  const Recorded r = record(chain(40), {PassKind::Fuse}, limits);
  EXPECT_EQ(r.trace.passes[0].steps.back().after, kNotKept);
  EXPECT_NE(r.trace.passes[0].after[0], kNotKept);
}

TEST(TraceRecorder, WhereDecisionsAreNotLookedAtOneByOneEachShowsWhatThePassDid) {
  TraceLimits limits;
  limits.ops_by_decision = 1;
  const Recorded r = record(chain(3), {PassKind::Bufferize}, limits);
  const TracePass& pass = r.trace.passes[0];
  ASSERT_GT(pass.rewrites, 1u);
  for (const TraceStep& step : pass.steps)
    if (step.is_rewrite) {
      EXPECT_EQ(step.before, pass.before[0]);
      EXPECT_EQ(step.after, pass.after[0]);
    }
}

TEST(TraceCode, AWalkIsABarForEachThatTheModelCounts) {
  for (const char* example : {"fusion", "softmax", "transpose_add", "relu_sum", "tensor_bias"}) {
    const std::string path = repository_file(std::string("examples/") + example + ".tir");
    Diagnostics diagnostics;
    const Module module = *parse_and_verify(SourceFile{path, read_file(path)}, diagnostics);
    for (const VariantSpec& spec : ablation_specs()) {
      Module variant = module;
      Observers nobody;
      ASSERT_TRUE(run_pipeline(variant, spec.passes, nobody, diagnostics));
      const Kernel loops = build_loops(variant.functions[0], {});
      EXPECT_EQ(walks_of(loops).size(), static_cast<size_t>(walks_over_memory(loops)))
          << example << " " << spec.name;
    }
  }
}

TEST(LineTable, StoresALineOnce) {
  LineTable table;
  const LocatedText text{"a\nb\na\n", {{0, {1, 1}}}, {}};
  EXPECT_EQ(table.add(text), (LineTable::Text{0, 1, 0}));
  EXPECT_EQ(table.add(text), (LineTable::Text{0, 1, 0}));
}

TEST(LineTable, TellsLinesOfOtherPlacesAndOtherValuesApart) {
  LineTable table;
  const auto first = table.add({"%a", {{0, {1, 1}}}, {{0, 2, "a", {1, 1}}}});
  EXPECT_NE(table.add({"%a", {{0, {2, 1}}}, {{0, 2, "a", {1, 1}}}}), first);
  EXPECT_NE(table.add({"%a", {{0, {1, 1}}}, {{0, 2, "a", {2, 1}}}}), first);
}

TEST(TraceJson, HoldsNothingThatEndsTheElementAroundIt) {
  TracePage page;
  page.file = "</script><!--";
  page.functions = {"a<b", "\xff\xfe", std::string("\0", 1)};
  page.lines.add({"%x </SCRIPT>", {}, {{0, 2, "<", {1, 1}}}});
  const std::string json = json_of(page);
  EXPECT_EQ(json.find('<'), json.npos);
  const auto read = nlohmann::json::parse(json);
  EXPECT_EQ(read["file"], page.file);
  EXPECT_EQ(read["functions"][1], "\uFFFD\uFFFD");
  EXPECT_EQ(read["functions"][2], std::string("\0", 1));
}

TEST(TracePage, MarksInTheInputAreNotMistakenForThoseOfThePage) {
  TracePage page;
  page.file = "/* style *//* script *//* data */";
  const std::string html = html_of(page);
  EXPECT_THAT(html, HasSubstr(R"("file":"/* style *//* script *//* data */")"));
  EXPECT_THAT(html, Not(HasSubstr("src=\"")));
}

// ---- the flag

Ended trace(const std::string& file, std::vector<std::string> more, const std::string& text) {
  more.insert(more.begin(), "--trace-html=" + file);
  more.push_back("-");
  return mini_opt(std::move(more), text);
}

TEST(TraceFlag, LeavesTheOutputAsItIs) {
  const TemporaryDirectory dir;
  EXPECT_EQ(trace(dir / "t.html", {"--fuse", "--elim"}, chain(2)).out,
            mini_opt({"--fuse", "--elim", "-"}, chain(2)).out);
  EXPECT_THAT(read_file(dir / "t.html"), HasSubstr("<!doctype html>"));
}

TEST(TraceFlag, GoesWithEveryActionAndKindOfOutput) {
  const TemporaryDirectory dir;
  for (const std::vector<std::string>& flags : std::vector<std::vector<std::string>>{
           {},
           {"--fuse"},
           {"--elim", "--emit=loops"},
           {"--elim", "--emit=asm", "--isa=sse4.2"},
           {"--elim", "--isa=avx2", "--nt-stores=never", "--share-loops=never"},
           {"--fuse=mlir", "--run", "--arg=iota"},
           {"--interpret", "--arg=iota"},
           {"--elim", "--check", "--arg=iota"},
           {"--elim", "--bench=1"},
           {"--ablate=1"},
           {"--fuse", "--remarks", "--timing"}}) {
    const std::string file = dir / "t.html";
    std::filesystem::remove(file);
    const Ended ended = trace(file, flags, chain(2));
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_TRUE(std::filesystem::exists(file)) << ::testing::PrintToString(flags);
  }
}

TEST(TraceFlag, AFileThatCannotBeWrittenIsSaidBeforeAnythingElseHappens) {
  const TemporaryDirectory dir;
  for (const std::string& file : {dir / "no/such/t.html", dir / "", std::string("/")}) {
    const Ended ended = trace(file, {"--fuse", "--ablate=1"}, chain(2));
    EXPECT_EQ(ended.status, 1);
  }
  const Ended ended = trace(dir / "no/such/t.html", {"--fuse"}, chain(2));
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err, "mini-opt: error: cannot write " + (dir / "no/such/t.html") +
                           ": No such file or directory\n");
}

TEST(TraceFlag, AFullDiskIsAnError) {
  const Ended ended = trace("/dev/full", {"--fuse"}, chain(2));
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("cannot write /dev/full: No space left on device"));
}

TEST(TraceFlag, AnInputWithErrorsLeavesAnOldPageAlone) {
  const TemporaryDirectory dir;
  write_file(dir / "t.html", "old");
  EXPECT_EQ(trace(dir / "t.html", {"--fuse"}, "func.func @f(").status, 1);
  EXPECT_EQ(read_file(dir / "t.html"), "old");
}

TEST(TraceFlag, AnAblationThatIsRefusedLeavesNoPage) {
  const TemporaryDirectory dir;
  const std::string buffers = mini_opt({"--elim", "-"}, chain(1)).out;
  EXPECT_EQ(trace(dir / "t.html", {"--ablate=1"}, buffers).status, 1);
  EXPECT_FALSE(std::filesystem::exists(dir / "t.html"));
}

TEST(TraceFlag, TheInputIsNotWrittenOver) {
  const TemporaryDirectory dir;
  write_file(dir / "f.tir", chain(1));
  const Ended ended = mini_opt({"--fuse", "--trace-html=" + (dir / "f.tir"), dir / "f.tir"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("would overwrite the input"));
  EXPECT_EQ(read_file(dir / "f.tir"), chain(1));
}

TEST(TraceFlag, StdoutIsNoPlaceForAPage) {
  EXPECT_THAT(trace("-", {"--fuse"}, chain(1)).err, HasSubstr("give it the name of a file"));
}

TEST(TraceFlag, TheLabsPagesAreSmall) {
  const TemporaryDirectory dir;
  const std::string lab = repository_file("examples/fusion.tir");
  ASSERT_EQ(mini_opt({"--fuse", "--elim", "--trace-html=" + (dir / "t.html"), lab}).status, 0);
  EXPECT_LT(std::filesystem::file_size(dir / "t.html"), 300'000u);
}

} // namespace
} // namespace mo::testing

// --fuse=mlir against mlir-opt: the counts it gave for the cases, and, where it is installed, the
// counts it gives now.
#include <cstdio>
#include <filesystem>

#include "ir/print.h"
#include "tests/passes/pass_support.h"
#include "tests/support/process.h"

namespace mo {
namespace {

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(testing::repository_file("tests/cases/fusion")))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

std::string counts_of(const Function& f) {
  const Counts c = count(f);
  return "generic " + std::to_string(c.generics) + ", fill " + std::to_string(c.fills) +
         ", empty " + std::to_string(c.empties);
}

/// The same, by looking at text, of the function whose text begins at `at`.
std::string counts_in(const std::string& text) {
  auto occurrences = [&](const std::string& word) {
    unsigned n = 0;
    for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size())
      ++n;
    return std::to_string(n);
  };
  return "generic " + occurrences("linalg.generic ") + ", fill " + occurrences("linalg.fill ") +
         ", empty " + occurrences("tensor.empty()");
}

TEST(FusionCases, GiveTheCountsThatMlirOptGave) {
  const std::vector<std::string> files = case_files();
  EXPECT_EQ(files.size(), 15u);
  for (const std::string& file : files) {
    const std::string text = testing::read_file(file);
    const size_t at = std::min(text.find("generic "), text.size());
    unsigned generics = 0, fills = 0, empties = 0;
    ASSERT_EQ(std::sscanf(text.c_str() + at, "generic %*u -> %u, fill %*u -> %u, empty %*u -> %u",
                          &generics, &fills, &empties),
              3)
        << file;
    const Counts ours = count(run_passes(text, {PassKind::FuseMlir}).function);
    EXPECT_EQ(ours.generics, generics) << file;
    EXPECT_EQ(ours.fills, fills) << file;
    EXPECT_EQ(ours.empties, empties) << file;
  }
}

TEST(FusionCases, KeepEveryBitInEveryMode) {
  for (const std::string& file : case_files()) {
    const std::string text = testing::read_file(file);
    for (PassKind pass : {PassKind::Fuse, PassKind::FuseMlir, PassKind::Canonicalize})
      EXPECT_EQ(difference(function_from(text), run_passes(text, {pass}).function, 7), "") << file;
  }
}

TEST(FusionCases, ADiamondIsOneGenericInStrictModeToo) {
  const std::string text =
      testing::read_file(testing::repository_file("tests/cases/fusion/f29_diamond.mlir"));
  EXPECT_EQ(counts_of(run_passes(text, {PassKind::Fuse}).function), "generic 1, fill 0, empty 1");
}

TEST(FusionCases, AnInitThatIsReadStaysAsTheDeadResultOfATwoResultGeneric) {
  const std::string text = testing::read_file(
      testing::repository_file("tests/cases/fusion/f25_producer_init_used.mlir"));
  const std::string fused = run_passes(text, {PassKind::FuseMlir}).text();
  EXPECT_NE(fused.find("%1:2 = linalg.generic"), std::string::npos) << fused;
  EXPECT_NE(fused.find("return %1#1"), std::string::npos) << fused;
}

// Beyond the cases. Every function is called @fN, takes what it needs, and is small enough to count
// by hand.
const char* const kId = "(d0, d1) -> (d0, d1)";
const char* const kTr = "(d0, d1) -> (d1, d0)";
const std::string kT = "tensor<4x4xf32>";

std::string unary(const std::string& result, const std::string& in, const char* read,
                  const std::string& out, const char* write, const std::string& op) {
  return generic(result, {read, write}, "pp", in + " : " + kT, out + " : " + kT,
                 "^bb0(%x: f32, %o: f32):\n    %r = " + op +
                     " %x : f32\n"
                     "    linalg.yield %r : f32");
}

std::string binary(const std::string& result, const std::string& a, const char* read_a,
                   const std::string& b, const char* read_b, const std::string& out) {
  return generic(result, {read_a, read_b, kId}, "pp", a + ", " + b + " : " + kT + ", " + kT,
                 out + " : " + kT,
                 "^bb0(%x: f32, %y: f32, %o: f32):\n    %r = arith.subf %x, %y : f32\n"
                 "    linalg.yield %r : f32");
}

const char* const kSumRows = "^bb0(%x: f32, %o: f32):\n    %r = arith.addf %x, %o : f32\n"
                             "    linalg.yield %r : f32";

const std::string kSignature =
    "(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %v: tensor<4xf32>, %s: f32)";
const std::string kEmpty = "  %e = tensor.empty() : tensor<4x4xf32>\n";

/// A function of these ops, from kEmpty's %e to %z.
std::string program(const std::string& ops) {
  return kSignature + " -> tensor<4x4xf32> {\n" + kEmpty + ops +
         "  return %z : tensor<4x4xf32>\n}\n";
}

const std::vector<std::string> kMorePrograms = {
    // a diamond with one branch transposed stays two
    program(unary("%p", "%a", kId, "%e", kId, "math.exp") +
            unary("%q", "%p", kTr, "%e", kId, "math.sqrt") +
            binary("%z", "%p", kId, "%q", kId, "%e")),
    // a diamond of two transposed branches
    program(unary("%p", "%a", kId, "%e", kId, "math.exp") +
            unary("%q", "%p", kTr, "%e", kId, "math.sqrt") +
            unary("%w", "%p", kTr, "%e", kId, "math.absf") +
            binary("%z", "%w", kId, "%q", kId, "%e")),
    // the same operand through different maps
    program(unary("%p", "%a", kId, "%e", kId, "math.exp") +
            binary("%z", "%p", kId, "%p", kTr, "%e")),
    // transposed there and back
    program(unary("%p", "%a", kTr, "%e", kId, "math.exp") +
            unary("%q", "%p", kTr, "%e", kTr, "math.sqrt") +
            unary("%z", "%q", kTr, "%e", kId, "math.absf")),
    // inits that are arguments, and not read
    program(unary("%p", "%a", kId, "%b", kId, "math.exp") +
            unary("%z", "%p", kId, "%b", kId, "math.sqrt")),
    // a result as the unread init of its reader
    program(unary("%p", "%a", kId, "%e", kId, "math.exp") +
            unary("%z", "%p", kId, "%p", kId, "math.sqrt")),
    // a fill and a splat as operands
    program("  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>\n"
            "  %c = arith.constant dense<2.5> : tensor<4x4xf32>\n" +
            binary("%p", "%f", kId, "%a", kId, "%e") + binary("%z", "%p", kId, "%c", kId, "%e")),
    // a constant that is no splat stays
    program("  %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [1.0, 2.0, "
            "3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<4x4xf32>\n" +
            binary("%p", "%a", kId, "%c", kId, "%e") +
            unary("%z", "%p", kId, "%e", kId, "math.absf")),
    // a copy, read twice
    program(generic("%p", {kId, kId}, "pp", "%a : " + kT, "%e : " + kT,
                    "^bb0(%x: f32, %o: f32):\n    linalg.yield %x : f32") +
            binary("%z", "%p", kId, "%p", kTr, "%e")),
    // a broadcast of a row, and one of a scalar
    program("  %ev = tensor.empty() : tensor<4xf32>\n" +
            generic("%p", {"(d0) -> (d0)", "(d0) -> (d0)"}, "p", "%v : tensor<4xf32>",
                    "%ev : tensor<4xf32>",
                    "^bb0(%x: f32, %o: f32):\n    %r = math.exp %x : f32\n"
                    "    linalg.yield %r : f32") +
            generic("%z", {"(d0, d1) -> (d1)", "(d0, d1) -> ()", kId}, "pp",
                    "%p, %s : tensor<4xf32>, f32", "%e : " + kT,
                    "^bb0(%x: f32, %y: f32, %o: f32):\n    %r = arith.mulf %x, %y : f32\n"
                    "    linalg.yield %r : f32")),
    // a reduction of an elementwise op, read by another
    program(unary("%p", "%a", kId, "%e", kId, "math.exp") +
            generic("%q", {kId, "(d0, d1) -> (d0)"}, "pr", "%p : " + kT, "%v : tensor<4xf32>",
                    kSumRows) +
            generic("%z", {"(d0, d1) -> (d0)", kId, kId}, "pp",
                    "%q, %b : tensor<4xf32>, tensor<4x4xf32>", "%e : " + kT,
                    "^bb0(%x: f32, %y: f32, %o: f32):\n    %r = arith.divf %x, %y : f32\n"
                    "    linalg.yield %r : f32")),
    // a reduction over nothing but a fill keeps its operand
    "(%s: f32, %v: tensor<4xf32>) -> tensor<4xf32> {\n" + kEmpty +
        "  %f = linalg.fill ins(%s : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>\n" +
        generic("%z", {kId, "(d0, d1) -> (d0)"}, "pr", "%f : " + kT, "%v : tensor<4xf32>",
                kSumRows) +
        "  return %z : tensor<4xf32>\n}\n",
    // two results, both read by one op
    program(generic("%p:2", {kId, kId, kId}, "pp", "%a : " + kT, "%e, %e : " + kT + ", " + kT,
                    "^bb0(%x: f32, %o: f32, %q: f32):\n    %r = math.exp %x : f32\n"
                    "    %w = math.sqrt %x : f32\n    linalg.yield %r, %w : f32, f32") +
            binary("%z", "%p#0", kId, "%p#1", kId, "%e")),
    // two results, one used
    program(generic("%p:2", {kId, kId, kId}, "pp", "%a : " + kT, "%e, %b : " + kT + ", " + kT,
                    "^bb0(%x: f32, %o: f32, %q: f32):\n    %r = math.exp %x : f32\n"
                    "    %w = math.sqrt %x : f32\n    linalg.yield %r, %w : f32, f32") +
            unary("%z", "%p#0", kId, "%e", kId, "math.absf")),
    // no inputs at all: loop counters
    program(generic("%p", {kId}, "pp", "", "%e : " + kT,
                    "^bb0(%o: f32):\n    %i = linalg.index 1 : index\n"
                    "    %j = arith.index_cast %i : index to i32\n"
                    "    %r = arith.sitofp %j : i32 to f32\n    linalg.yield %r : f32") +
            binary("%z", "%p", kTr, "%a", kId, "%e")),
    // read along the diagonal by a producer of more loops: its init gives the extent
    kSignature + " -> tensor<4xf32> {\n" + kEmpty + "  %ev = tensor.empty() : tensor<4xf32>\n" +
        unary("%p", "%a", kId, "%e", kId, "math.exp") +
        generic("%z", {"(d0) -> (d0, d0)", "(d0) -> (d0)"}, "p", "%p : " + kT,
                "%ev : tensor<4xf32>",
                "^bb0(%x: f32, %o: f32):\n    %r = math.absf %x : f32\n"
                "    linalg.yield %r : f32") +
        "  return %z : tensor<4xf32>\n}\n",
    // dead: a user that nobody uses does not count
    program(unary("%p", "%a", kId, "%e", kId, "math.exp") +
            unary("%dead", "%p", kTr, "%e", kId, "math.sqrt") +
            unary("%z", "%p", kId, "%e", kId, "math.absf")),
};

/// All of them as one file: @f0, @f1, ...
std::string as_module(const std::vector<std::string>& programs) {
  std::string text;
  for (size_t i = 0; i < programs.size(); ++i)
    text += "func.func @f" + std::to_string(i) + programs[i];
  return text;
}

/// The text cut before each function.
std::vector<std::string> by_function(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = text.find("func.func"); at != std::string::npos;) {
    const size_t next = text.find("func.func", at + 1);
    parts.push_back(text.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return parts;
}

class FusionAgainstMlirOpt : public ::testing::Test {
protected:
  void SetUp() override {
    mlir_opt_ = testing::find_mlir_opt();
    if (mlir_opt_.empty())
      GTEST_SKIP() << "NOT COMPARED: no mlir-opt of version 20 or later on the PATH";
  }
  std::string mlir_opt_;
};

TEST_F(FusionAgainstMlirOpt, GivesTheSameCounts) {
  const std::vector<std::string>& programs = kMorePrograms;
  const testing::Ended theirs =
      testing::run_process({mlir_opt_, "--linalg-fuse-elementwise-ops", "-"}, as_module(programs));
  ASSERT_EQ(theirs.status, 0) << theirs.err;
  const std::vector<std::string> parts = by_function(theirs.out);
  ASSERT_EQ(parts.size(), programs.size());
  for (size_t i = 0; i < parts.size(); ++i)
    EXPECT_EQ(counts_of(run_passes("func.func @f" + programs[i], {PassKind::FuseMlir}).function),
              counts_in(parts[i]))
        << programs[i] << "\nmlir-opt:\n"
        << parts[i];
}

TEST_F(FusionAgainstMlirOpt, AcceptsWhatWePrint) {
  for (PassKind pass : {PassKind::Fuse, PassKind::FuseMlir, PassKind::Canonicalize}) {
    Module module = module_from(as_module(kMorePrograms));
    Observer none;
    Diagnostics diagnostics;
    ASSERT_TRUE(run_pipeline(module, {pass}, none, diagnostics));
    const testing::Ended theirs = testing::run_process({mlir_opt_, "-"}, print(module));
    EXPECT_EQ(theirs.status, 0) << spelling(pass) << "\n" << theirs.err;
  }
}

TEST_F(FusionAgainstMlirOpt, FindsNothingLeftToFuseInOurResult) {
  Module module = module_from(as_module(kMorePrograms));
  Observer none;
  Diagnostics diagnostics;
  ASSERT_TRUE(run_pipeline(module, {PassKind::FuseMlir}, none, diagnostics));
  const testing::Ended theirs =
      testing::run_process({mlir_opt_, "--linalg-fuse-elementwise-ops", "-"}, print(module));
  ASSERT_EQ(theirs.status, 0) << theirs.err;
  const std::vector<std::string> parts = by_function(theirs.out);
  for (size_t i = 0; i < module.functions.size(); ++i)
    EXPECT_EQ(counts_in(parts.at(i)), counts_of(module.functions[i])) << parts[i];
}

} // namespace
} // namespace mo

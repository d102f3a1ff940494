#include "tools/benchmark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ir/parse.h"
#include "tests/support/process.h"
#include "tools/memory_model.h"

namespace mo {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The lab, with arrays that fit a test.
Function lab(const std::string& extent) {
  std::string text = testing::read_file(testing::repository_file("examples/fusion.tir"));
  for (size_t at; (at = text.find("16777216")) != std::string::npos;)
    text.replace(at, 8, extent);
  Diagnostics diagnostics;
  auto module = parse_and_verify({"fusion.tir", text}, diagnostics);
  EXPECT_TRUE(module);
  return module->functions.at(0);
}

BenchmarkReport measured(const Function& f, const std::vector<VariantSpec>& specs) {
  BenchmarkSettings settings;
  settings.iterations = 3;
  settings.command = "mini-opt --ablate lab.tir";
  Diagnostics diagnostics;
  auto outcome = run_benchmark(f, specs, settings, diagnostics);
  if (const auto* error = std::get_if<RunError>(&outcome))
    ADD_FAILURE() << error->message;
  return std::get<BenchmarkReport>(std::move(outcome));
}

TEST(Ablation, HasTheCountsOfTheLab) {
  const BenchmarkReport report = measured(lab("1000"), ablation_specs());
  ASSERT_EQ(report.variants.size(), 5u);
  const auto row = [&](size_t k) {
    const VariantResult& v = report.variants[k];
    return std::vector<int>{static_cast<int>(v.counts.generics), static_cast<int>(v.counts.allocs),
                            static_cast<int>(v.counts.copies), v.walks};
  };
  EXPECT_EQ(row(0), (std::vector{3, 1, 1, 8})); // A
  EXPECT_EQ(row(1), (std::vector{1, 1, 1, 4})); // B
  EXPECT_EQ(row(2), (std::vector{3, 1, 0, 6})); // C
  EXPECT_EQ(row(3), (std::vector{1, 0, 0, 2})); // D
}

TEST(Ablation, VerifiesEveryVariant) {
  const BenchmarkReport report = measured(lab("1001"), ablation_specs());
  EXPECT_TRUE(report.all_verified());
  for (const VariantResult& v : report.variants)
    EXPECT_TRUE(v.figures.has_value()) << v.spec.name;
}

TEST(Ablation, CountsInputAndOutputBytesOnce) {
  const UsefulBytes bytes = useful_bytes(lab("1000"));
  EXPECT_EQ(bytes.read, 4000);
  EXPECT_EQ(bytes.written, 4000);
}

TEST(Report, ShowsAWrongVariantWithoutATime) {
  BenchmarkReport report = measured(lab("64"), ablation_specs());
  report.variants[1].verified = false;
  report.variants[1].mismatch = "arg1: 1 of 64 elements differ";
  report.variants[1].figures.reset();
  const std::string rows = rows_of(report, report.variants[1]);
  EXPECT_THAT(rows, HasSubstr("WRONG: arg1: 1 of 64 elements differ"));
  EXPECT_THAT(rows, Not(HasSubstr(" ms")));
  EXPECT_FALSE(report.all_verified());
}

TEST(Report, HasRowsThatCanBeGrepped) {
  BenchmarkReport report = measured(lab("64"), ablation_specs());
  report.variants[3].figures = Figures{2.5, 3.25, 0};
  report.read_bytes = report.written_bytes = 64 << 20;
  EXPECT_EQ(rows_of(report, report.variants[3]),
            "D_fused_elim       generics=1 allocs=0 copies=0   passes=2\n"
            "D_fused_elim       min    2.50 ms   p50    3.25 ms   useful  53.7 GB/s   faults/call "
            "0   OK\n");
}

TEST(Report, IsTheSameInJson) {
  const BenchmarkReport report = measured(lab("64"), ablation_specs());
  const auto json = nlohmann::json::parse(json_of(report));
  EXPECT_EQ(json["command"], "mini-opt --ablate lab.tir");
  EXPECT_EQ(json["iterations"], 3);
  ASSERT_EQ(json["variants"].size(), 5u);
  for (const char* key :
       {"name", "generics", "allocs", "copies", "passes", "min_ms", "p50_ms", "useful_gb_s",
        "faults_per_call", "predicted_faults_per_call", "verified"})
    EXPECT_TRUE(json["variants"][0].contains(key)) << key;
  for (const char* key : {"what", "min_ms", "p50_ms"})
    EXPECT_TRUE(json["limit"].contains(key)) << key;
  EXPECT_FALSE(json["effects"].empty());
  EXPECT_TRUE(json["environment"].contains("page_bytes"));
}

TEST(Benchmark, NamesWhatCannotBeTimed) {
  Diagnostics diagnostics;
  auto module = parse_and_verify({"f.tir", "func.func @f() { return }"}, diagnostics);
  const auto outcome = run_benchmark(module->functions[0], ablation_specs(), {}, diagnostics);
  ASSERT_TRUE(std::holds_alternative<RunError>(outcome));
  EXPECT_EQ(std::get<RunError>(outcome).message, "@f moves no bytes: there is nothing to time");
}

TEST(Effects, CompareFromBothEnds) {
  BenchmarkReport report = measured(lab("64"), ablation_specs());
  const double p50[] = {80, 40, 60, 10, 15};
  for (size_t k = 0; k < 5; ++k)
    report.variants[k].figures->p50_ms = p50[k];
  const auto effects = effects_of(report);
  ASSERT_EQ(effects.size(), 6u);
  EXPECT_DOUBLE_EQ(effects[0].factor, 0.5); // fusion alone
  EXPECT_DOUBLE_EQ(effects[3].factor, 6);   // D without fusion
  EXPECT_DOUBLE_EQ(effects[5].factor, 1.5); // D without streaming stores
}

} // namespace
} // namespace mo

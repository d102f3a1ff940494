#include <nlohmann/json.hpp>

#include "tools/benchmark.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

Json environment_of(const BenchmarkReport& r) {
  const Environment& e = r.environment;
  Json json = {{"date", e.date}, {"cpu", e.cpu}, {"cpus", e.cpus}, {"page_bytes", e.page_bytes}};
  if (e.l1d_bytes)
    json["l1d_bytes"] = *e.l1d_bytes;
  if (e.l2_bytes)
    json["l2_bytes"] = *e.l2_bytes;
  if (e.l3_bytes)
    json["l3_bytes"] = *e.l3_bytes;
  json["transparent_huge_pages"] = e.huge_pages;
  json["malloc_tuning"] = e.malloc_tuning;
  json["kernel"] = e.kernel;
  json["compiler"] = e.compiler;
  json["build"] = e.build;
  json["isa"] = r.isa;
  return json;
}

Json variant_of(const BenchmarkReport& r, const VariantResult& v) {
  Json json = {{"name", v.spec.name},       {"generics", v.counts.generics},
               {"allocs", v.counts.allocs}, {"copies", v.counts.copies},
               {"passes", v.walks},         {"predicted_faults_per_call", v.predicted_faults},
               {"verified", v.verified}};
  if (v.figures) {
    json["min_ms"] = v.figures->min_ms;
    json["p50_ms"] = v.figures->p50_ms;
    json["useful_gb_s"] = r.useful_gb_s(v.figures->min_ms);
    json["faults_per_call"] = v.figures->faults_per_call;
  } else {
    json["mismatch"] = v.mismatch;
  }
  return json;
}

} // namespace

std::string json_of(const BenchmarkReport& report) {
  Json json;
  json["environment"] = environment_of(report);
  json["command"] = report.command;
  json["function"] = report.function;
  json["iterations"] = report.iterations;
  json["useful_bytes"] = {{"read", report.read_bytes}, {"written", report.written_bytes}};
  json["tolerance_ulps"] = report.tolerance_ulps;
  json["variants"] = Json::array();
  for (const VariantResult& v : report.variants)
    json["variants"].push_back(variant_of(report, v));
  json["limit"] = {{"what", "streaming copy of the same bytes"},
                   {"min_ms", report.limit.min_ms},
                   {"p50_ms", report.limit.p50_ms}};
  json["effects"] = Json::array();
  for (const Effect& e : effects_of(report))
    json["effects"].push_back(
        {{"what", e.what}, {"from", e.from}, {"to", e.to}, {"factor", e.factor}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace mo

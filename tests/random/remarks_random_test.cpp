// What passes say about random programs: of every edge and every buffer, once, with both facts.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "passes/pipeline.h"
#include "passes/remarks.h"
#include "tests/random/random_program.h"

namespace mo::testing {
namespace {

using enum PassKind;

std::string fact(const Remark& r, std::string_view key) {
  for (const Fact& f : r.facts)
    if (f.key == key)
      return f.value;
  return "";
}

class Collector final : public Observer {
public:
  void remark(const Remark& r) override { remarks.push_back(r); }
  void rewrote(const Rewrite& r, const Function&) override { ++rewrites[r.because->reason]; }
  std::vector<Remark> remarks;
  std::map<std::string_view, unsigned> rewrites;
};

Collector after(uint64_t seed, const std::vector<PassKind>& passes, Function* result = nullptr) {
  Module module;
  module.functions.push_back(random_program(seed).function);
  Collector collector;
  Diagnostics diagnostics;
  EXPECT_TRUE(run_pipeline(module, passes, collector, diagnostics)) << "seed " << seed;
  if (result)
    *result = std::move(module.functions[0]);
  return collector;
}

TEST(RandomRemarks, OfAnEdgeAreOneAndHaveBothMapsInTheSentence) {
  for (uint64_t seed = 0; seed < 150; ++seed)
    for (const PassKind mode : {Fuse, FuseMlir}) {
      const Collector said = after(seed, {mode});
      std::set<std::pair<std::string, std::string>> edges;
      unsigned fused = 0;
      for (const Remark& r : said.remarks) {
        if (r.pass != "fuse" || fact(r, "Operand").empty())
          continue;
        fused += r.reason == "fused";
        if (r.kind == Remark::Kind::Missed) {
          EXPECT_TRUE(edges.insert({fact(r, "Consumer"), fact(r, "Operand")}).second) << r.message;
        }
        for (const char* map : {"WriteMap", "ReadMap"})
          EXPECT_NE(r.message.find(fact(r, map)), std::string::npos) << map << ": " << r.message;
        EXPECT_FALSE(fact(r, "ReadMap").empty()) << r.message;
        if (fact(r, "Producer") == "linalg.generic") {
          EXPECT_FALSE(fact(r, "WriteMap").empty()) << r.message;
        }
      }
      const auto done = said.rewrites.find("fused");
      EXPECT_EQ(fused, done == said.rewrites.end() ? 0 : done->second) << "seed " << seed;
    }
}

TEST(RandomRemarks, OfMemoryAccountForEveryAllocAndEveryCopy) {
  for (uint64_t seed = 0; seed < 150; ++seed)
    for (const PassKind mode : {Bufferize, Elim}) {
      Function function;
      const Collector said = after(seed, {Fuse, mode}, &function);
      unsigned allocated = 0, copied = 0;
      for (const Remark& r : said.remarks) {
        allocated += r.reason == "allocated";
        copied += r.reason == "copied-init" || r.reason == "copied-to-destination" ||
                  r.reason == "copied-to-result" || r.reason == "snapshot";
      }
      EXPECT_EQ(allocated, count(function).allocs) << "seed " << seed;
      EXPECT_EQ(copied, count(function).copies) << "seed " << seed;
    }
}

} // namespace
} // namespace mo::testing

#include <fmt/format.h>

#include <algorithm>

#include "tools/benchmark.h"

namespace mo {
namespace {

std::string bytes_in_words(int64_t bytes) {
  if (bytes >= 10 << 20 || (bytes >= 1 << 20 && bytes % (1 << 20) == 0))
    return fmt::format("{:.0f} MiB", static_cast<double>(bytes) / (1 << 20));
  if (bytes >= 1 << 10)
    return fmt::format("{:.0f} KiB", static_cast<double>(bytes) / (1 << 10));
  return fmt::format("{} B", bytes);
}

std::string cache_list(const Environment& e) {
  std::string text;
  const auto add = [&](std::string_view name, const std::optional<int64_t>& bytes) {
    if (bytes)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, bytes_in_words(*bytes));
  };
  add("L1d", e.l1d_bytes);
  add("L2", e.l2_bytes);
  add("L3", e.l3_bytes);
  return text.empty() ? "caches not told" : text;
}

std::string environment_block(const BenchmarkReport& r) {
  const Environment& e = r.environment;
  std::string text;
  const auto line = [&](std::string_view key, const std::string& value) {
    text += fmt::format("# {:<9} {}\n", key, value.empty() ? "not told by this system" : value);
  };
  line("date", e.date);
  line("cpu", fmt::format("{}, {} usable, one thread; {}", e.cpu.empty() ? "model not told" : e.cpu,
                          e.cpus, cache_list(e)));
  line("memory", fmt::format("pages of {} B, transparent huge pages: {}; malloc: {}", e.page_bytes,
                             e.huge_pages.empty() ? "not told" : e.huge_pages,
                             e.malloc_tuning.empty() ? "as it comes" : e.malloc_tuning));
  line("system", fmt::format("{}; mini-opt built by {}, {}", e.kernel, e.compiler, e.build));
  line("kernels", fmt::format("x86-64 {}, compiled in this process", r.isa));
  line("command", r.command);
  line("work",
       fmt::format("@{}: reads {} and writes {}; {} rounds, the contenders in turn", r.function,
                   bytes_in_words(r.read_bytes), bytes_in_words(r.written_bytes), r.iterations));
  line("checked",
       r.tolerance_ulps == 0
           ? std::string("every element against the interpreter, to the bit")
           : fmt::format("every element against the interpreter; float sums, which are in another "
                         "order, within {:.0f} half ulps of their terms, the rest accordingly",
                         r.tolerance_ulps));
  return text;
}

std::string effects_block(const BenchmarkReport& r) {
  std::string text;
  for (const Effect& e : effects_of(r))
    text += fmt::format("{:<34} p50 x {:5.2f}   ({} -> {})\n", e.what, e.factor, e.from, e.to);
  return text;
}

const VariantResult* fastest(const BenchmarkReport& r) {
  const VariantResult* best = nullptr;
  for (const VariantResult& v : r.variants)
    if (v.figures && (!best || v.figures->p50_ms < best->figures->p50_ms))
      best = &v;
  return best;
}

// What the figures of this run show, and nothing else.
std::string conclusion(const BenchmarkReport& r) {
  const VariantResult* best = fastest(r);
  if (!best)
    return "";
  const double to_limit = best->figures->p50_ms / r.limit.p50_ms;
  const auto worst = std::max_element(
      r.variants.begin(), r.variants.end(), [](const VariantResult& a, const VariantResult& b) {
        return (a.figures ? a.figures->p50_ms : 0) < (b.figures ? b.figures->p50_ms : 0);
      });
  if (worst->spec.name == best->spec.name)
    return fmt::format("{} takes {:.2f} times as long as only moving its bytes.\n", best->spec.name,
                       to_limit);
  return fmt::format(
      "{} is {:.1f} times as fast as {}, making {} walks over memory instead of {} and {} "
      "page faults instead of {}; it takes {:.2f} times as long as only moving its bytes.\n",
      best->spec.name, worst->figures->p50_ms / best->figures->p50_ms, worst->spec.name,
      best->walks, worst->walks, best->figures->faults_per_call, worst->figures->faults_per_call,
      to_limit);
}

} // namespace

std::string rows_of(const BenchmarkReport& report, const VariantResult& v) {
  std::string text =
      fmt::format("{:<18} generics={} allocs={} copies={}   passes={}\n", v.spec.name,
                  v.counts.generics, v.counts.allocs, v.counts.copies, v.walks);
  if (!v.figures)
    return text + fmt::format("{:<18} WRONG: {}\n", v.spec.name, v.mismatch);
  return text + fmt::format("{:<18} min {:7.2f} ms   p50 {:7.2f} ms   useful {:5.1f} GB/s   "
                            "faults/call {}   OK\n",
                            v.spec.name, v.figures->min_ms, v.figures->p50_ms,
                            report.useful_gb_s(v.figures->min_ms), v.figures->faults_per_call);
}

std::string text_of(const BenchmarkReport& report) {
  std::string text = environment_block(report) + "\n";
  for (const VariantResult& v : report.variants)
    if (v.spec.in_table || !v.verified)
      text += rows_of(report, v);
  text += "\n";
  for (const VariantResult& v : report.variants)
    if (!v.spec.in_table && v.figures)
      text +=
          fmt::format("{:<34} min {:7.2f} ms   p50 {:7.2f} ms   useful {:5.1f} GB/s\n", v.spec.name,
                      v.figures->min_ms, v.figures->p50_ms, report.useful_gb_s(v.figures->min_ms));
  text += fmt::format("{:<34} min {:7.2f} ms   p50 {:7.2f} ms   useful {:5.1f} GB/s\n",
                      "streaming copy of the same bytes", report.limit.min_ms, report.limit.p50_ms,
                      report.useful_gb_s(report.limit.min_ms));
  const std::string effects = effects_block(report);
  if (!effects.empty())
    text += "\n" + effects;
  text += "\n";
  for (const VariantResult& v : report.variants)
    if (v.spec.in_table && v.figures)
      text += fmt::format("{:<18} allocates {:>7}: faults predicted {:>5}, measured {:>5}\n",
                          v.spec.name, bytes_in_words(v.allocated_bytes), v.predicted_faults,
                          v.figures->faults_per_call);
  return text + "\n" + conclusion(report);
}

} // namespace mo

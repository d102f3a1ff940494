#include "runtime/measure.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace mo {
namespace {

struct Samples {
  std::vector<double> ms;
  std::vector<double> faults;
};

long minor_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

void time_one_call(const Contender& contender, Samples& samples) {
  if (contender.prepare)
    contender.prepare();
  const long faults_before = minor_faults();
  const auto start = std::chrono::steady_clock::now();
  contender.call();
  const auto end = std::chrono::steady_clock::now();
  const long faults_after = minor_faults();
  samples.ms.push_back(std::chrono::duration<double, std::milli>(end - start).count());
  samples.faults.push_back(static_cast<double>(faults_after - faults_before));
}

} // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t mid = values.size() / 2;
  return values.size() % 2 == 1 ? values[mid] : (values[mid - 1] + values[mid]) / 2;
}

std::vector<Figures> measure_interleaved(const std::vector<Contender>& contenders, int iterations,
                                         const Progress& progress) {
  const size_t n = contenders.size();
  std::vector<Samples> samples(n);
  for (Samples& s : samples) { // so that a timed call does not pay for our own bookkeeping
    s.ms.reserve(static_cast<size_t>(iterations) + 1);
    s.faults.reserve(static_cast<size_t>(iterations) + 1);
  }
  for (int round = 0; round <= iterations; ++round) {
    if (progress)
      progress(round, iterations + 1);
    for (size_t k = 0; k < n; ++k) {
      const size_t turn = (k + static_cast<size_t>(round)) % n;
      time_one_call(contenders[turn], samples[turn]);
    }
    if (round == 0) // the warm-up
      for (Samples& s : samples) {
        s.ms.clear();
        s.faults.clear();
      }
  }
  std::vector<Figures> figures(n);
  for (size_t k = 0; k < n; ++k) {
    figures[k].min_ms = *std::min_element(samples[k].ms.begin(), samples[k].ms.end());
    figures[k].p50_ms = median(samples[k].ms);
    figures[k].faults_per_call = static_cast<uint64_t>(std::llround(median(samples[k].faults)));
  }
  return figures;
}

} // namespace mo

// Timing calls in turn, with their page faults.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mo {

/// One of several things to be timed against each other in one run.
struct Contender {
  std::string name;
  std::function<void()> call;
  std::function<void()> prepare = {}; // if given: called, untimed, before each timed call
};

struct Figures {
  double min_ms = 0;
  double p50_ms = 0;
  uint64_t faults_per_call = 0; // minor page faults (getrusage), median over the calls
};

/// Told before each round; `round` counts from 0, warm-up included.
using Progress = std::function<void(int round, int rounds)>;

/// One warm-up round, then `iterations` rounds (>= 1); each round calls every contender once, in an
/// order that rotates, so that a drift of the machine meets all of them alike and nobody always
/// runs behind the same neighbour. Single-threaded; times are steady_clock's.
std::vector<Figures> measure_interleaved(const std::vector<Contender>& contenders, int iterations,
                                         const Progress& progress = {});

/// The middle of a sorted copy; the mean of the two middle ones for an even count. Requires one.
double median(std::vector<double> values);

} // namespace mo

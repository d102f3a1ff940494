// check_math: the accuracy of the compiled math functions as a table; see kCheckHelp.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/math/accuracy.h"
#include "tests/math/check_options.h"
#include "tests/math/lanes.h"

namespace mo::testing {
namespace {

using Clock = std::chrono::steady_clock;

/// Says on a terminal how far the work is, once it has taken two seconds.
class Progress {
public:
  Progress(std::string what, uint64_t total, const std::atomic<uint64_t>& done)
      : thread_([=, &done](const std::stop_token& stop) { show(what, total, done, stop); }) {}

private:
  static void show(const std::string& what, uint64_t total, const std::atomic<uint64_t>& done,
                   const std::stop_token& stop) {
    if (isatty(STDERR_FILENO) != 1)
      return;
    const auto start = Clock::now();
    bool shown = false;
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds < 2 || done == 0)
        continue;
      const double part = static_cast<double>(done) / static_cast<double>(total);
      fmt::print(stderr, "\r{}: {:.0f}%, {:.0f} s left \x1b[K", what, 100 * part,
                 seconds / part - seconds);
      shown = true;
    }
    if (shown)
      fmt::print(stderr, "\r\x1b[K");
  }

  std::jthread thread_;
};

MathInputs inputs_for(const CheckOptions& options, const MathOp& op, ElementType type) {
  if (arity(op) == 2)
    return sample_of_pairs(type, options.samples);
  if (type == ElementType::F32 && options.all)
    return all_floats();
  if (type == ElementType::F32 && options.range)
    return floats_between(options.range->first, options.range->second);
  return sample_of(type, options.samples);
}

/// Prints rows; remembers whether all is well.
class CheckTable {
public:
  void header() {
    fmt::print("{:6} {:4} {:7} {:>10}  {:>7} {:>6}       at\n", "op", "type", "isa", "inputs",
               "max ULP", "bound");
  }

  void row(const MathOp& op, ElementType type, Isa isa, uint64_t inputs, const Accuracy& accuracy) {
    const bool ok = accuracy.max_ulp <= op.bound();
    fmt::print("{:6} {:4} {:7} {:>10}  {:>7} {:>6}  {}  {}", op.name, spelling(type), spelling(isa),
               inputs,
               std::isinf(accuracy.max_ulp) ? "special" : fmt::format("{:.3f}", accuracy.max_ulp),
               op.bound(), verdict(ok), describe_operands(op, type, accuracy.at));
    if (!ok)
      fmt::print("  gives {}", describe_value(type, accuracy.got));
    fmt::print("\n");
    all_ok_ &= ok;
  }

  void no_code(const MathOp& op, ElementType type, const std::string& why_not) {
    fmt::print("{:6} {:4} {}\n", op.name, spelling(type), why_not);
  }

  void lanes(const std::string& difference) {
    if (difference.empty())
      return;
    fmt::print("{}  {}\n", verdict(false), difference);
    all_ok_ = false;
  }

  bool all_ok() const { return all_ok_; }

private:
  std::string verdict(bool ok) const {
    const std::string text = ok ? "ok " : "BAD";
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", ok ? 32 : 31, text) : text;
  }

  bool color_ = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  bool all_ok_ = true;
};

void check(const CheckOptions& options, const MathOp& op, ElementType type, CheckTable& table) {
  std::vector<MathKernel> kernels;
  std::string why_not;
  for (Isa isa : options.isas) {
    auto kernel = MathKernel::build(op, type, isa, kMeasuredElements, why_not);
    if (!kernel)
      return table.no_code(op, type, why_not);
    kernels.push_back(std::move(*kernel));
  }
  const MathInputs inputs = inputs_for(options, op, type);
  std::atomic<uint64_t> done = 0;
  std::vector<Accuracy> accuracy;
  {
    Progress progress(fmt::format("{} {}", op.name, spelling(type)), inputs.count, done);
    accuracy = measure(op, type, kernels, inputs, done);
  }
  for (size_t k = 0; k < kernels.size(); ++k) {
    table.row(op, type, kernels[k].isa(), inputs.count, accuracy[k]);
    if (options.lanes)
      table.lanes(lanes_that_differ(op, type, kernels[k].isa(), inputs));
  }
  std::fflush(stdout);
}

} // namespace
} // namespace mo::testing

int main(int argc, char** argv) {
  using namespace mo::testing;
  const auto [options, wrong] = read_check_options(argc, argv);
  if (!wrong.empty()) {
    fmt::print(stderr, "check_math: {}\n", wrong);
    return 1;
  }
  if (options.help) {
    fmt::print("{}", kCheckHelp);
    return 0;
  }
  CheckTable table;
  table.header();
  for (mo::ElementType type : options.types)
    for (const MathOp& op : options.ops)
      check(options, op, type, table);
  return table.all_ok() ? 0 : 1;
}

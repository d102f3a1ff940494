#include "tests/math/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

#include "tests/math/exact.h"

namespace mo::testing {

namespace {

template <class T> struct TypesFor;
template <> struct TypesFor<float> {
  using Bits = uint32_t;
  using Wide = double;
};
template <> struct TypesFor<double> {
  using Bits = uint64_t;
  using Wide = long double;
};

/// What one thread has seen, of every kernel.
struct Seen {
  std::vector<Accuracy> worst;
  std::vector<uint64_t> number; // of the input where it was
};

/// Takes blocks of inputs until there are none left.
template <class T> class Worker {
public:
  using Bits = typename TypesFor<T>::Bits;
  using Wide = typename TypesFor<T>::Wide;

  Worker(const MathOp& op, std::span<const MathKernel> kernels, const MathInputs& inputs)
      : op_(op), kernels_(kernels), inputs_(inputs), bits_a_(kBlock), bits_b_(kBlock), a_(kBlock),
        b_(kBlock), out_(kBlock), expected_(kBlock) {
    seen_.worst.resize(kernels.size());
    seen_.number.resize(kernels.size());
  }

  Seen run(std::atomic<uint64_t>& next_block, std::atomic<uint64_t>& done) {
    while (true) {
      const uint64_t first = next_block.fetch_add(1) * kBlock;
      if (first >= inputs_.count)
        return seen_;
      const size_t n = std::min<uint64_t>(kBlock, inputs_.count - first);
      prepare(first, n);
      for (size_t k = 0; k < kernels_.size(); ++k) {
        kernels_[k].run(a_.data(), b_.data(), out_.data());
        compare(k, first, n);
      }
      done += n;
    }
  }

private:
  static constexpr size_t kBlock = kMeasuredElements;

  static bool is_signalling(T v) {
    constexpr Bits kQuiet = Bits{1} << (std::numeric_limits<T>::digits - 2);
    return std::isnan(v) && (std::bit_cast<Bits>(v) & kQuiet) == 0;
  }

  void prepare(uint64_t first, size_t n) {
    inputs_.fill(first, n, bits_a_.data(), bits_b_.data());
    for (size_t i = 0; i < n; ++i) {
      a_[i] = std::bit_cast<T>(static_cast<Bits>(bits_a_[i]));
      b_[i] = std::bit_cast<T>(static_cast<Bits>(bits_b_[i]));
      // Widening makes a signalling NaN quiet, and a quiet one to the power of zero is one.
      const bool signals = is_signalling(a_[i]) || (arity(op_) == 2 && is_signalling(b_[i]));
      expected_[i] = signals ? std::numeric_limits<Wide>::quiet_NaN()
                             : exact(op_.op, Wide{a_[i]}, Wide{b_[i]});
    }
  }

  void compare(size_t kernel, uint64_t first, size_t n) {
    Accuracy& worst = seen_.worst[kernel];
    for (size_t i = 0; i < n; ++i) {
      const Bits got = std::bit_cast<Bits>(out_[i]);
      // A correctly rounded result is the common case.
      const bool rounded = got == std::bit_cast<Bits>(static_cast<T>(expected_[i]));
      if (rounded && worst.max_ulp >= 0.5)
        continue;
      double error = ulp_error(out_[i], expected_[i]);
      if (!rounded && error > 0 && has_fixed_result(op_.op, a_[i], b_[i]))
        error = std::numeric_limits<double>::infinity();
      if (error > worst.max_ulp) {
        worst = {error, {bits_a_[i], bits_b_[i]}, got};
        seen_.number[kernel] = first + i;
      }
    }
  }

  const MathOp& op_;
  std::span<const MathKernel> kernels_;
  const MathInputs& inputs_;
  std::vector<uint64_t> bits_a_, bits_b_;
  std::vector<T> a_, b_, out_;
  std::vector<Wide> expected_;
  Seen seen_;
};

template <class T>
std::vector<Accuracy> measure_as(const MathOp& op, std::span<const MathKernel> kernels,
                                 const MathInputs& inputs, std::atomic<uint64_t>& done) {
  const unsigned num_threads = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<uint64_t> next_block = 0;
  std::vector<Seen> seen(num_threads);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < num_threads; ++t)
      threads.emplace_back(
          [&, t] { seen[t] = Worker<T>(op, kernels, inputs).run(next_block, done); });
  }
  std::vector<Accuracy> result = seen[0].worst;
  std::vector<uint64_t> number = seen[0].number;
  for (const Seen& s : seen)
    for (size_t k = 0; k < kernels.size(); ++k) {
      const bool first_of_equals =
          s.worst[k].max_ulp == result[k].max_ulp && s.number[k] < number[k];
      if (s.worst[k].max_ulp > result[k].max_ulp || first_of_equals) {
        result[k] = s.worst[k];
        number[k] = s.number[k];
      }
    }
  return result;
}

} // namespace

std::vector<Accuracy> measure(const MathOp& op, ElementType type,
                              std::span<const MathKernel> kernels, const MathInputs& inputs,
                              std::atomic<uint64_t>& done) {
  return type == ElementType::F64 ? measure_as<double>(op, kernels, inputs, done)
                                  : measure_as<float>(op, kernels, inputs, done);
}

std::string describe_value(ElementType type, uint64_t bits) {
  if (type == ElementType::F64)
    return fmt::format("{0:a} ({0:.17g})", std::bit_cast<double>(bits));
  return fmt::format("{0:a} ({0:.9g})", std::bit_cast<float>(static_cast<uint32_t>(bits)));
}

std::string describe_operands(const MathOp& op, ElementType type,
                              const std::array<uint64_t, 2>& bits) {
  std::string text = describe_value(type, bits[0]);
  if (arity(op) == 2)
    text += ", " + describe_value(type, bits[1]);
  return text;
}

} // namespace mo::testing

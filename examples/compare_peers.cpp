// compare_peers [--side=N] [--reps=N] --dir=DIR [KERNEL...]: times DIR/KERNEL.ours.so against
// DIR/KERNEL.peer.so and against a plain streaming kernel of the same bytes, on the same buffers.
// examples/compare_peers.sh builds all three and calls this. Exit status: 0, 1 where a kernel is
// missing or two results disagree, 2 for a wrong command line.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "examples/peer_kernels.h"
#include "runtime/environment.h"
#include "runtime/measure.h"
#include "runtime/stream_limit.h"
#include "tools/files.h"

namespace mo {
namespace {

struct Settings {
  size_t side = 4096;
  int reps = 21;
  std::string dir;
  std::vector<const PeerKernel*> kernels; // all of them if none is named
};

// Both scalars of a kernel that has some: y = relu(x * s + b).
constexpr float kScale = 1.5f, kBias = 0.25f;

/// Floats behind each other, the first at the start of a cache line.
class Buffer {
public:
  explicit Buffer(size_t count) : count_(count) {
    const size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
    floats_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
    if (!floats_)
      throw std::runtime_error(fmt::format("no memory for {} bytes", bytes));
  }
  float* data() { return floats_.get(); }
  size_t size() const { return count_; }
  std::span<std::byte> bytes() { return std::as_writable_bytes(std::span(data(), count_)); }

private:
  struct Free {
    void operator()(float* p) const { std::free(p); }
  };
  std::unique_ptr<float[], Free> floats_;
  size_t count_;
};

/// What mlir's C interface takes for a memref: for rank 2 the two sizes and then the two strides,
/// for rank 1 one of each, for rank 0 none. Strides count elements.
struct MemRef {
  float* allocated;
  float* aligned;
  int64_t offset = 0;
  std::array<int64_t, 4> sizes_and_strides{};
};

MemRef memref(float* data, Extent extent, size_t side) {
  MemRef result{data, data};
  const auto n = static_cast<int64_t>(elements(extent, side));
  const auto row = static_cast<int64_t>(side);
  if (rank(extent) == 1)
    result.sizes_and_strides = {n, 1};
  if (rank(extent) == 2)
    result.sizes_and_strides = {row, row, row, 1};
  return result;
}

/// A function of a shared library, which stays loaded.
void* load(const std::string& library, const std::string& function) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* symbol = handle != nullptr ? dlsym(handle, function.c_str()) : nullptr;
  if (symbol == nullptr)
    throw std::runtime_error(dlerror());
  return symbol;
}

/// Calls a kernel by its C prototype: its buffers as pointers (to floats, or to MemRefs for the
/// peer's interface), then its scalars. The peer returns nothing, ours an int.
template <typename Result> Result call(void* kernel, const std::vector<void*>& p, size_t scalars) {
  if (scalars == 2 && p.size() == 2)
    return reinterpret_cast<Result (*)(void*, void*, float, float)>(kernel)(p[0], p[1], kScale,
                                                                            kBias);
  if (scalars == 0 && p.size() == 2)
    return reinterpret_cast<Result (*)(void*, void*)>(kernel)(p[0], p[1]);
  if (scalars == 0 && p.size() == 3)
    return reinterpret_cast<Result (*)(void*, void*, void*)>(kernel)(p[0], p[1], p[2]);
  if (scalars == 0 && p.size() == 4)
    return reinterpret_cast<Result (*)(void*, void*, void*, void*)>(kernel)(p[0], p[1], p[2], p[3]);
  throw std::runtime_error(
      fmt::format("no prototype of {} buffers and {} scalars", p.size(), scalars));
}

/// How far two outputs are apart, relative to their size; `wrong` where that is too far.
struct Agreement {
  double worst = 0;
  std::string wrong;
};

/// One kernel on buffers of its own, in three versions.
class Comparison {
public:
  Comparison(const PeerKernel& kernel, const Settings& settings)
      : kernel_(kernel), tolerance_(tolerance(kernel, settings.side)) {
    const std::string name(kernel.name);
    ours_ = load(fmt::format("{}/{}.ours.so", settings.dir, name), name);
    peer_ = load(fmt::format("{}/{}.peer.so", settings.dir, name), "_mlir_ciface_" + name);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> values(-4, 4);
    for (const Extent extent : kernel.buffers) {
      buffers_.emplace_back(elements(extent, settings.side));
      std::generate_n(buffers_.back().data(), buffers_.back().size(),
                      [&] { return values(random); });
      memrefs_.push_back(memref(buffers_.back().data(), extent, settings.side));
    }
  }

  void call_ours() {
    std::vector<void*> arguments;
    for (Buffer& buffer : buffers_)
      arguments.push_back(buffer.data());
    if (call<int>(ours_, arguments, kernel_.scalars) != 0)
      throw std::runtime_error(fmt::format("{}: no memory for its temp", kernel_.name));
  }

  void call_peer() {
    std::vector<void*> arguments;
    for (MemRef& m : memrefs_)
      arguments.push_back(&m);
    call<void>(peer_, arguments, kernel_.scalars);
  }

  void stream() {
    std::vector<std::span<const std::byte>> sources;
    for (size_t k = 0; k + 1 < buffers_.size(); ++k)
      sources.push_back(buffers_[k].bytes());
    const std::array<std::span<std::byte>, 1> targets = {output().bytes()};
    stream_through(sources, targets);
  }

  /// Runs both, each on an output of NaNs.
  Agreement compare() {
    blank_output();
    call_peer();
    const std::vector<float> expected(output().data(), output().data() + output().size());
    blank_output();
    call_ours();
    Agreement result;
    for (size_t k = 0; k < expected.size(); ++k) {
      const float a = expected[k], b = output().data()[k];
      const double difference = distance(a, b);
      if (!(difference <= tolerance_)) {
        result.wrong =
            fmt::format("element {} of {}: the peer has {}, ours is {}; they may differ by {:.1e}",
                        k, expected.size(), a, b, tolerance_);
        return result;
      }
      result.worst = std::max(result.worst, difference);
    }
    return result;
  }

private:
  Buffer& output() { return buffers_.back(); }
  void blank_output() { std::fill_n(output().data(), output().size(), std::nanf("")); }

  // Relative to their size; 0 for the same bits only, NaN where just one is a number.
  double distance(float a, float b) const {
    if (std::memcmp(&a, &b, sizeof a) == 0)
      return 0;
    const double size =
        std::max({std::fabs(double{a}), std::fabs(double{b}), kernel_.scale, DBL_MIN});
    return std::max(std::fabs(double{a} - double{b}) / size, DBL_MIN);
  }

  const PeerKernel& kernel_;
  double tolerance_;
  std::vector<Buffer> buffers_;
  std::vector<MemRef> memrefs_;
  void *ours_ = nullptr, *peer_ = nullptr;
};

/// "  1.46 (>= 1.30)": a ratio and what it has to be, where something is asked.
std::string against(double ratio, const char* relation, std::optional<double> target) {
  return fmt::format("{:6.2f} {:11}", ratio,
                     target ? fmt::format("({} {:.1f})", relation, *target) : "");
}

struct Times { // in ms
  double peer, ours, limit;
};

void print_row(const PeerKernel& kernel, const char* statistic, const Times& t, double worst) {
  const double speedup = t.peer / t.ours, over_limit = t.ours / t.limit;
  const bool reached = (!kernel.peer_over_ours || speedup >= *kernel.peer_over_ours) &&
                       (!kernel.ours_over_limit || over_limit <= *kernel.ours_over_limit);
  fmt::print("{:14} {:3} {:9.3f} {:9.3f} {:9.3f}   {}   {}   {:8} {}\n", kernel.name, statistic,
             t.peer, t.ours, t.limit, against(speedup, ">=", kernel.peer_over_ours),
             against(over_limit, "<=", kernel.ours_over_limit),
             !kernel.peer_over_ours ? "-"
             : reached              ? "reached"
                                    : "missed",
             worst == 0 ? "same bits" : fmt::format("within {:.1e}", worst));
  std::fflush(stdout);
}

void print_environment(const Settings& settings) {
  const Environment e = environment();
  fmt::print(
      "# date      {}\n# cpu       {}, one thread; transparent huge pages: {}\n# system    {}\n",
      e.date, e.cpu, e.huge_pages, e.kernel);
  fmt::print("# peer      mlir-opt and clang: fused, into the caller's memory, -O3 -march=native "
             "-fveclib=libmvec\n# ours      mini-opt --fuse --elim --emit=obj\n"
             "# limit     reads the same inputs and writes the same output, streaming, and nothing "
             "else\n");
  fmt::print(
      "# sizes     {0} x {0} floats, or {1}; {2} rounds, the three in turn, each behind an untimed "
      "call of itself; milliseconds\n",
      settings.side, settings.side * settings.side, settings.reps);
  fmt::print("{:14} {:3} {:>9} {:>9} {:>9}   {:18}   {:18}   {:8} {}\n", "# kernel", "", "peer",
             "ours", "limit", " peer/ours", " ours/limit", "targets", "results");
}

bool compare_one(PeerKernel kernel, const Settings& settings, ProgressLine& line) {
  if (settings.side != Settings().side) // the targets are for what does not fit into a cache
    kernel.peer_over_ours = kernel.ours_over_limit = std::nullopt;
  line.show(fmt::format("{}: comparing results", kernel.name));
  Comparison comparison(kernel, settings);
  const Agreement agreement = comparison.compare();
  if (!agreement.wrong.empty()) {
    fmt::print("{:14} WRONG: {}\n", kernel.name, agreement.wrong);
    return false;
  }
  const auto caller = [&](void (Comparison::*f)()) {
    return [&comparison, f] { (comparison.*f)(); };
  };
  std::vector<Contender> contenders;
  for (const auto& [name, f] : {std::pair{"peer", &Comparison::call_peer},
                                {"ours", &Comparison::call_ours},
                                {"limit", &Comparison::stream}})
    contenders.push_back({name, caller(f), caller(f)});
  const std::vector<Figures> f =
      measure_interleaved(contenders, settings.reps, [&](int round, int rounds) {
        line.show(fmt::format("{}: round {} of {}", kernel.name, round + 1, rounds));
      });
  line.show("");
  print_row(kernel, "p50", {f[0].p50_ms, f[1].p50_ms, f[2].p50_ms}, agreement.worst);
  print_row(kernel, "min", {f[0].min_ms, f[1].min_ms, f[2].min_ms}, agreement.worst);
  return true;
}

std::optional<Settings> read_settings(int argc, char** argv) {
  Settings settings;
  const auto number = [](std::string_view text, auto& slot) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), slot);
    return error == std::errc() && end == text.data() + text.size() && slot >= 1;
  };
  for (int k = 1; k < argc; ++k) {
    const std::string_view argument = argv[k];
    const auto named =
        std::find_if(peer_kernels().begin(), peer_kernels().end(),
                     [&](const PeerKernel& kernel) { return kernel.name == argument; });
    if (named != peer_kernels().end())
      settings.kernels.push_back(&*named);
    else if (argument.starts_with("--dir="))
      settings.dir = argument.substr(6);
    else if (!(argument.starts_with("--side=") && number(argument.substr(7), settings.side)) &&
             !(argument.starts_with("--reps=") && number(argument.substr(7), settings.reps)))
      return std::nullopt;
  }
  if (settings.kernels.empty())
    for (const PeerKernel& kernel : peer_kernels())
      settings.kernels.push_back(&kernel);
  return settings;
}

int run(const Settings& settings) {
  print_environment(settings);
  ProgressLine line;
  bool all_right = true;
  for (const PeerKernel* kernel : settings.kernels)
    all_right &= compare_one(*kernel, settings, line);
  return all_right ? 0 : 1;
}

} // namespace
} // namespace mo

int main(int argc, char** argv) {
  const auto settings = mo::read_settings(argc, argv);
  if (!settings) {
    fmt::print(stderr, "usage: compare_peers [--side=N] [--reps=N] --dir=DIR [KERNEL...]\n");
    return 2;
  }
  try {
    return mo::run(*settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "compare_peers: {}\n", error.what());
    return 1;
  }
}

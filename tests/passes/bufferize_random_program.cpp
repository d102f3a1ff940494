#include <random>

#include <fmt/format.h>

#include "tests/passes/bufferize_programs.h"

namespace mo::testing {

namespace {

constexpr const char* kTensor = "tensor<4x4xf32>";
constexpr const char* kIdentity = "affine_map<(d0, d1) -> (d0, d1)>";
constexpr const char* kTransposed = "affine_map<(d0, d1) -> (d1, d0)>";

class Generator {
public:
  Generator(uint64_t seed, RandomOptions options) : random_(seed), options_(options) {}

  std::string generate(const std::string& name) {
    const std::string args = arguments();
    line("%z = arith.constant 2.5 : f32");
    line(fmt::format("%e0 = tensor.empty() : {}", kTensor));
    line(fmt::format("%e1 = tensor.empty() : {}", kTensor));
    empties_ = {"%e0", "%e1"};
    if (one_in(3))
      add_constant();
    const unsigned ops = 2 + pick(7);
    for (unsigned i = 0; i < ops; ++i)
      add_op();
    return fmt::format("func.func @{}({}){}", name, args, finish());
  }

private:
  unsigned pick(size_t n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return pick(n) == 0; }
  std::string any(const std::vector<std::string>& values) { return values[pick(values.size())]; }
  std::string recent() {
    return one_in(2) ? defined_[defined_.size() - 1 - pick(std::min<size_t>(2, defined_.size()))]
                     : any(defined_);
  }
  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  std::string fresh() { return fmt::format("%v{}", count_++); }

  std::string arguments() {
    std::string args;
    for (unsigned k = 0; k < 2; ++k) {
      const char* writable = one_in(4) ? " {bufferization.writable = false}" : "";
      args += fmt::format("%a{}: {}{}, ", k, kTensor, writable);
      defined_.push_back(fmt::format("%a{}", k));
    }
    return args + "%m0: memref<4x4xf32>, %m1: memref<4x4xf32>, %m2: memref<4x4xf32>";
  }

  void add_constant() {
    line(fmt::format("%c = arith.constant dense<1.5> : {}", kTensor));
    defined_.push_back("%c");
  }

  void add_op() {
    switch (pick(10)) {
    case 0: return add_view();
    case 1: return add_fill();
    case 2: return add_contraction();
    case 3: return options_.as_mlir ? add_elementwise() : add_partial();
    case 4: // where both results are dead, mlir-opt lets them share a buffer
      return options_.as_mlir ? add_fill() : add_two_results();
    case 5: return add_materialize();
    default: return add_elementwise();
    }
  }

  // For mlir-opt, memrefs are either read (%m0) or written (%m1, %m2), and promises are kept.
  void add_view() {
    const std::string v = fresh();
    const std::string memref = options_.as_mlir ? "%m0" : any({"%m0", "%m1", "%m2"});
    const char* flags = options_.as_mlir || one_in(2) ? "restrict"
                        : one_in(3)                   ? ""
                                                      : "restrict writable";
    line(fmt::format("{} = bufferization.to_tensor {} {} : memref<4x4xf32> to {}", v, memref, flags,
                     kTensor));
    defined_.push_back(v);
  }

  void add_fill() {
    const std::string v = fresh();
    const std::string init = one_in(2) ? any(empties_) : recent();
    line(fmt::format("{} = linalg.fill ins(%z : f32) outs({} : {}) -> {}", v, init, kTensor,
                     kTensor));
    defined_.push_back(v);
  }

  void add_elementwise() {
    const std::string v = fresh();
    const bool reads_init = one_in(2);
    const std::string init = reads_init || one_in(4) ? recent() : any(empties_);
    const char* out_map = one_in(6) ? kTransposed : kIdentity;
    const char* map0 = one_in(4) ? kTransposed : kIdentity;
    const char* map1 = one_in(4) ? kTransposed : kIdentity;
    line(fmt::format("{} = linalg.generic {{indexing_maps = [{}, {}, {}], iterator_types = "
                     "[\"parallel\", \"parallel\"]}} ins({}, {} : {}, {}) outs({} : {}) {{",
                     v, map0, map1, out_map, recent(), recent(), kTensor, kTensor, init, kTensor));
    line("^bb0(%p: f32, %q: f32, %o: f32):");
    line("  %s = arith.addf %p, %q : f32");
    line(fmt::format("  %t = arith.subf %s, {} : f32", reads_init ? "%o" : "%z"));
    line(fmt::format("  linalg.yield %t : f32\n  }} -> {}", kTensor));
    defined_.push_back(v);
  }

  void add_contraction() {
    const std::string v = fresh();
    line(fmt::format("{} = linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, "
                     "d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, "
                     "d1)>], iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}} "
                     "ins({}, {} : {}, {}) outs({} : {}) {{",
                     v, recent(), recent(), kTensor, kTensor, recent(), kTensor));
    line("^bb0(%p: f32, %q: f32, %o: f32):");
    line("  %s = arith.mulf %p, %q : f32");
    line("  %t = arith.addf %o, %s : f32");
    line(fmt::format("  linalg.yield %t : f32\n  }} -> {}", kTensor));
    defined_.push_back(v);
  }

  // Writes one column, or the diagonal; the body does not read the init.
  void add_partial() {
    const std::string v = fresh();
    const char* write = one_in(2) ? "d0, 1" : "d0, d0";
    line(fmt::format("{} = linalg.generic {{indexing_maps = [affine_map<(d0) -> (2, d0)>, "
                     "affine_map<(d0) -> ({})>], iterator_types = [\"parallel\"]}} ins({} : {}) "
                     "outs({} : {}) {{",
                     v, write, recent(), kTensor, recent(), kTensor));
    line("^bb0(%p: f32, %o: f32):");
    line("  %s = arith.addf %p, %z : f32");
    line(fmt::format("  linalg.yield %s : f32\n  }} -> {}", kTensor));
    defined_.push_back(v);
  }

  void add_two_results() {
    const std::string v = fresh();
    const std::string first = recent();
    const std::string second = one_in(3) ? first : recent();
    const bool fresh_second = one_in(2);
    const char* map = one_in(4) ? kTransposed : kIdentity;
    line(fmt::format("{}:2 = linalg.generic {{indexing_maps = [{}, {}, {}], iterator_types = "
                     "[\"parallel\", \"parallel\"]}} ins({} : {}) outs({}, {} : {}, {}) {{",
                     v, map, kIdentity, kIdentity, recent(), kTensor, first,
                     fresh_second ? any(empties_) : second, kTensor, kTensor));
    line("^bb0(%p: f32, %o: f32, %o2: f32):");
    line("  %s = arith.addf %p, %o : f32");
    line(fmt::format("  %t = arith.subf %p, {} : f32", fresh_second ? "%z" : "%o2"));
    line(fmt::format("  linalg.yield %s, %t : f32, f32\n  }} -> ({}, {})", kTensor, kTensor));
    defined_.push_back(v + "#0");
    defined_.push_back(v + "#1");
  }

  void add_materialize() {
    const std::string source = recent();
    if (options_.as_mlir || !one_in(4)) {
      const std::string memref =
          options_.as_mlir ? any({"%m1", "%m2"}) : any({"%m0", "%m1", "%m2"});
      const char* flags = options_.as_mlir || !one_in(5) ? "restrict writable" : "writable";
      line(fmt::format("bufferization.materialize_in_destination {} in {} {} : ({}, "
                       "memref<4x4xf32>) -> ()",
                       source, flags, memref, kTensor));
      return;
    }
    const std::string v = fresh();
    line(fmt::format("{} = bufferization.materialize_in_destination {} in {} : ({}, {}) -> {}", v,
                     source, one_in(2) ? any(empties_) : recent(), kTensor, kTensor, kTensor));
    defined_.push_back(v);
  }

  std::string finish() {
    const unsigned returned = pick(3);
    for (unsigned k = returned; k < 2; ++k)
      add_materialize();
    std::string values, types;
    for (unsigned k = 0; k < returned; ++k) {
      values += (k ? ", " : "") + recent();
      types += (k ? ", " : "") + std::string(kTensor);
    }
    line("return " + values + (returned ? " : " + types : ""));
    return (returned ? " -> (" + types + ")" : "") + " {\n" + text_ + "}\n";
  }

  std::mt19937_64 random_;
  RandomOptions options_;
  std::string text_;
  std::vector<std::string> defined_, empties_;
  unsigned count_ = 0;
};

} // namespace

std::string random_buffer_program(uint64_t seed, const std::string& name, RandomOptions options) {
  return Generator(seed, options).generate(name);
}

} // namespace mo::testing

// What a trace page shows, as data: every text of a compilation, what led from one to the next, and
// what the code does to memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/compile.h"
#include "passes/observer.h"
#include "passes/pipeline.h"
#include "tools/benchmark.h"
#include "tools/memory_model.h"
#include "tools/trace/line_table.h"

namespace mo {

/// How much of a long compilation is kept, so that neither the page nor the time to make it grows
/// with the square of the program. What is left out is counted, and the page says so.
struct TraceLimits {
  size_t steps = 3000;                 // rewrites and remarks together
  size_t kept_bytes = 4 << 20;         // of lines and of lists of lines
  size_t printed_bytes = 64 << 20;     // texts made in order to find out what changed
  size_t code_lines = 6000;            // shown of each function's loops and of its assembly
  size_t ops_of_other_variants = 4000; // of a function whose other three corners are worked out
  /// Of a module whose bufferization is looked at decision by decision: each one takes time in
  /// proportion to the function.
  size_t ops_by_decision = 400;
};

/// The text of one function at one time: an index into Trace::versions.
using TextId = size_t;
inline constexpr TextId kNotKept = SIZE_MAX;
struct FunctionText {
  size_t function = 0;
  LineTable::Text lines;
};

/// A rewrite, or a decision that led to none.
struct TraceStep {
  bool is_rewrite = false;
  std::string what; // of a rewrite: "fuse %0 into %1 at operand 0"
  Remark remark;    // the decision
  size_t function = 0;
  /// Of a rewrite. What a pass does in one go is announced one by one: then several rewrites lie
  /// between the same two texts.
  TextId before = kNotKept, after = kNotKept;
};

struct TracePass {
  std::string name;
  std::vector<TraceStep> steps;
  std::vector<TextId> before, after; // by function
  size_t rewrites = 0;               // all of them
  size_t steps_left_out = 0;
};

/// What one function became.
struct TraceCode {
  TextId ir = kNotKept;
  LineTable::Text loops, assembly;
  size_t loop_lines = 0, assembly_lines = 0; // of the whole texts
  std::string why_none;                      // where there is no code
};

/// One pipeline.
struct Trace {
  std::string name;                  // "fuse+elim", or of a corner: "A_unfused"
  std::vector<TextId> input, output; // by function
  std::vector<FunctionText> versions;
  std::vector<TracePass> passes;
  std::vector<TraceCode> code; // by function
};

/// What a pipeline makes a function do to memory.
struct TraceVariant {
  std::string name;
  bool is_traced = false; // its passes are those of a trace of the page
  Counts counts;
  int64_t allocated_bytes = 0; // by all temps together
  struct WalkOver {
    std::string buffer;
    int64_t bytes = 0;
    Walk walk;
  };
  std::vector<WalkOver> walks;
};

struct TracePage {
  std::string file, command, isa;
  std::vector<std::string> functions;
  LineTable lines;
  std::map<uint32_t, std::string> source; // the lines that a remark points at, by number
  std::vector<Trace> traces;
  std::vector<std::vector<TraceVariant>> variants; // by function
  std::optional<BenchmarkReport> figures;
};

} // namespace mo

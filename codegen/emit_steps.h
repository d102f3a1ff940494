// Straight-line code: loads, scalar ops and stores of a block, for one element or for several
// lanes.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/emit_address.h"
#include "codegen/emit_context.h"
#include "codegen/emit_memory.h"
#include "codegen/vector_ops.h"

namespace mo {

/// Which vector registers hold the kernel's values here. Values of an outer scope, of as many lanes
/// or more, are seen through `outer`; known constants are made where they are asked for.
class Values {
public:
  Values(const StateLayout& layout, const Values* outer = nullptr)
      : layout_(layout), outer_(outer) {}

  void set(Reg reg, const Vec& v) { vectors_[reg.index] = v; }
  bool has(Reg reg) const { return find(reg) != nullptr; }
  /// In the low ops.lanes() lanes of a register, seen as wide as those need.
  Vec get(Reg reg, VectorOps& ops, ElementType type) const;

private:
  const Vec* find(Reg reg) const;
  const StateLayout& layout_;
  const Values* outer_;
  std::unordered_map<uint32_t, Vec> vectors_; // by register
};

/// Where a copy of a block's code stands, and how it works.
struct StepContext {
  EmitContext& context;
  VectorOps& ops; // lanes
  Addresses& addresses;
  const std::vector<asmjit::x86::Gp>& counters; // of the enclosing loops, outermost first
  Values& values;
  unsigned depth = 0;     // loops around the block
  int64_t ahead = 0;      // lane 0 is this many iterations after the innermost loop's counter
  LaneMask mask{};        // lanes that exist
  bool streaming = false; // addresses of Stores so marked are aligned: go around the caches
};

/// One Load, Compute, Store or Prefetch.
void emit_step(const Node& node, StepContext& at);

/// What the load brings goes to where the store wants it, element by element.
void emit_move(const Load& load, const Store& store, StepContext& at);

/// Where in the source it comes from.
Loc location_of(const Node& node);

/// "%y = arith.addf %x, %b", for the comments in assembly.
std::string describe(const Kernel& kernel, const Node& node);

/// Calls f for each register that the node and the blocks inside it read and do not define; once
/// each, in order of first use.
void for_each_outer_use(const Node& node, const std::function<void(Reg)>& f);

} // namespace mo

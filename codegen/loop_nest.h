// A kernel as loops: what stands between buffer-level IR and machine code. Plain data, printable
// (--emit=loops), a tree: a block holds loops and steps in order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/function.h"
#include "ir/located_text.h"

namespace mo {

/// A value of the kernel, index into Kernel::regs: one element, or one per lane in a vectorised
/// loop. Defined once, by a Load, a Compute, a scalar parameter or a Carried; visible to what
/// follows in its block and in the blocks inside it.
struct Reg {
  uint32_t index = UINT32_MAX;
  bool valid() const { return index != UINT32_MAX; }
  auto operator<=>(const Reg&) const = default;
};
struct RegInfo {
  std::string name;
  ElementType type;
  Loc defined = {}; // of the value that it holds; what is made of one keeps the place
};

struct Buffer {
  /// Scratch: a few KiB in the kernel's frame, filled by a nest for itself or for those that
  /// follow.
  enum class Kind : uint8_t { Argument, Temp, Constant, Scratch };
  Kind kind = Kind::Argument;
  std::string name;
  ElementType element;
  int64_t elements = 0;       // not bytes
  unsigned argument = 0;      // Argument: position among the function's arguments
  int64_t alignment = 64;     // Temp: of the allocation, in bytes; a power of two
  std::vector<uint64_t> bits; // Constant: one per element (splats are expanded only if small)
  bool splat = false;         // Constant: bits holds one element for all
  Loc defined = {};           // of the value that it stands for
};

struct ScalarParam {
  unsigned argument; // position among the function's arguments
  Reg reg;
};

/// buffer[offset + sum over the enclosing loops of counter * stride], in elements. strides[0] is
/// the outermost enclosing loop's; one entry per enclosing loop at the place where the access
/// stands.
struct Access {
  uint32_t buffer = 0;
  int64_t offset = 0;
  std::vector<int64_t> strides;
};

struct Load {
  Reg dst;
  Access from;
  Loc loc;
};
/// One scalar op. LoopIndex: immediate is the depth of an enclosing loop, outermost 0.
struct Compute {
  ScalarOp op;
  uint8_t predicate = 0;
  std::array<Reg, 3> operands{};
  uint64_t immediate = 0;
  Reg dst;
  Loc loc;
};
struct Store {
  Reg value;
  Access to;
  bool streaming =
      false; // may bypass the caches: decided by the simplification, see choose_streaming_stores
  Loc loc;
};
/// Asks for the cache lines of `elements` elements from there on, ahead of their use. A hint: it
/// touches nothing, so the place may lie outside of the buffer, and where an instruction set has no
/// use for it no code is made of it (vector_plan.h).
struct Prefetch {
  Access from;
  int64_t elements = 1;
  Loc loc;
};
struct Alloc { // malloc; a failure ends the kernel cleanly
  uint32_t buffer;
  Loc loc;
};
struct Free {
  uint32_t buffer;
  Loc loc;
};

/// A value handed from one iteration to the next, in registers.
struct Carried {
  Reg init;    // before the loop
  Reg current; // in the body: what the last iteration left
  Reg next;    // in the body: what this iteration leaves
  Reg result;  // after the loop
  /// Set where next is combine(current, x) or combine(x, current), x does not depend on current,
  /// and the order of combining may change (any integer op that is associative and commutative, max
  /// and min, float sums): then a vector loop keeps one partial result per lane and accumulator.
  std::optional<ScalarOp> combine;
};

struct Node;
struct Loop {
  int64_t extent = 0; // may be 0: the body does not run, carried results are the inits
  std::string name;   // "d0"; merged loops join their names: "d0_d1"
  /// Iterations may run in any order and side by side: no memory dependence between them, and every
  /// Carried has a `combine`. Only an innermost loop that has this is turned into vector code.
  bool vectorizable = false;
  std::vector<Carried> carried;
  std::vector<Node> body;
  Loc loc;
};

struct Node {
  std::variant<Loop, Load, Compute, Store, Prefetch, Alloc, Free> kind;
  template <class T> T* as() { return std::get_if<T>(&kind); }
  template <class T> const T* as() const { return std::get_if<T>(&kind); }
};

struct Kernel {
  std::string name;
  std::vector<RegInfo> regs;
  std::vector<Buffer> buffers;
  std::vector<ScalarParam> scalars;
  unsigned num_arguments = 0;
  Loc loc;
  std::vector<Node> body;
};

/// Buffer-level IR to loops, one nest per generic, in the order of the loops as written; a fill or
/// a copy is one loop over all elements. An operand is read only where the body uses it; at each
/// point all reads come before all writes. Scalar ops of the function become Computes in the
/// outermost block. Requires verified IR.
Kernel lower_to_loops(const Function& function);

enum class ShareLoops : uint8_t { Auto, Never };
/// Size-1 loops dropped, outer loops shared around a reduction and those that use its result (Auto;
/// share_outer_loops in simplify.h), contiguous loops merged, the unit-stride loop innermost where
/// that keeps the meaning, what is read or written across it done in blocks, what depends on outer
/// loops only computed there, reductions carried in registers.
void simplify(Kernel& kernel, ShareLoops share = ShareLoops::Auto);

enum class NtStores : uint8_t { Auto, Always, Never };
/// Marks the stores that should bypass the caches: a buffer larger than `cache_bytes` (the
/// last-level cache) that the kernel does not read afterwards. Always and Never override the size
/// test.
void choose_streaming_stores(Kernel& kernel, NtStores mode, int64_t cache_bytes);

/// As text, one step per line, indented, comments with `//`.
std::string print(const Kernel& kernel);
/// The same, with the place that each step has, and the values of the function that it names.
LocatedText print_located(const Kernel& kernel);

} // namespace mo

// Addresses of the accesses in a loop nest.
//
// Accesses that move alike share one pointer. Each loop that moves a pointer works on a copy of its
// own, which starts where the enclosing loop's stands and advances by stride * element size per
// iteration; so no loop multiplies. In a vector loop the accesses of stride 1 need no pointer of
// the loop's own: they are addressed by the enclosing loop's pointer plus the loop's counter.
#pragma once

#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "codegen/emit_context.h"

namespace mo {

class Addresses {
public:
  /// For the accesses in the first `count` of `nodes`, which stand in the outermost block.
  Addresses(EmitContext& context, const Node* nodes, size_t count);

  /// Puts the address of element `offset` of each buffer into a pointer. Once, before the first
  /// use.
  void load_bases();

  /// Around the code of a loop at `depth`. With a `counter` (counting iterations from 0) unit
  /// strides are addressed by it, and only there.
  void enter_loop(const Loop& loop, unsigned depth, const asmjit::x86::Gp* counter = nullptr);
  /// The pointers of the innermost loop entered move on by so many iterations (its counter does
  /// not).
  void advance(int64_t iterations);
  void leave_loop();

  /// The element accessed `ahead` iterations of the innermost loop from where the pointers stand.
  asmjit::x86::Mem address(const Access& access, int64_t ahead = 0) const;

  /// Elements between two iterations of the loop at `depth`; 0 where the access is not inside it.
  static int64_t stride_at(const Access& access, unsigned depth);

private:
  // base address of the buffer + base_bytes + sum of counters * strides, in bytes
  struct Stream {
    uint32_t buffer;
    std::vector<int64_t> strides;
    int64_t base_bytes;
    asmjit::x86::Gp pointer;
  };
  struct Place { // of an access
    size_t stream;
    int32_t displacement;
  };
  struct Level { // a loop that was entered
    unsigned depth = 0;
    const asmjit::x86::Gp* counter = nullptr;
    std::vector<std::pair<size_t, asmjit::x86::Gp>> outer; // stream and its pointer outside
  };

  void add(const Access& access);
  std::vector<size_t> streams_in(const Loop& loop) const;
  int64_t stride_bytes(const Stream& stream, unsigned depth) const;
  bool by_counter(const Stream& stream, const Level& level) const;

  EmitContext& context_;
  std::vector<Stream> streams_;
  std::map<std::tuple<uint32_t, std::vector<int64_t>, int64_t>, size_t> ids_;
  std::unordered_map<const Access*, Place> places_;
  std::vector<Level> levels_;
};

} // namespace mo

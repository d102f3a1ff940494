#include "codegen/tile_blocks.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "codegen/loop_walk.h"
#include "ir/wrapping.h"

namespace mo {
namespace {

constexpr int64_t kMaxBlock = 128;           // elements along each of the two loops
constexpr int64_t kScratchBytes = 144 << 10; // of one nest; stays in the second-level cache
constexpr int64_t kPitchUnit = 16;           // elements; rows of 4 and 8 bytes start at whole lines

int64_t pitch_of(int64_t columns) {
  // One unit more than needed, so that rows do not all start in the same set of the cache.
  return (columns + kPitchUnit - 1) / kPitchUnit * kPitchUnit + kPitchUnit;
}

/// A run of iterations of a loop: `blocks` times `size`, from `first` on.
struct Range {
  int64_t first, blocks, size;
};

/// As equal blocks as multiples of kPitchUnit can be, then what is left.
std::vector<Range> cut(int64_t extent, int64_t max_block) {
  const int64_t count = (extent + max_block - 1) / max_block;
  const int64_t even = (extent + count - 1) / count;
  const int64_t size = std::min(extent, (even + kPitchUnit - 1) / kPitchUnit * kPitchUnit);
  std::vector<Range> ranges{{0, extent / size, size}};
  if (extent % size != 0)
    ranges.push_back({extent / size * size, 1, extent % size});
  return ranges;
}

class BlockBuilder {
public:
  /// The two loops to tile are the last ones of the nest.
  BlockBuilder(Kernel& kernel, const PerfectNest& nest, std::vector<TiledAccess> tiled)
      : kernel_(kernel), nest_(nest), tiled_(std::move(tiled)),
        outer_(nest.depth + static_cast<unsigned>(nest.loops.size()) - 2) {}

  /// What takes the place of the two loops and their body.
  std::vector<Node> run(int64_t max_block) {
    const Loop& row = nest_.loops[nest_.loops.size() - 2];
    const Loop& column = nest_.loops.back();
    const std::vector<Range> rows = cut(row.extent, max_block);
    const std::vector<Range> columns = cut(column.extent, max_block);
    pitch_ = pitch_of(columns[0].size);
    for (TiledAccess& tiled : tiled_)
      tiled.scratch = add_scratch(tiled.access, rows[0].size);
    std::vector<Node> result;
    for (const Range& r : rows)
      for (const Range& c : columns)
        for (Node& node : blocks(r, c))
          result.push_back(std::move(node));
    return result;
  }

private:
  uint32_t add_scratch(const Access& access, int64_t rows) {
    Buffer scratch;
    scratch.kind = Buffer::Kind::Scratch;
    scratch.name = kernel_.buffers[access.buffer].name + "_tile";
    scratch.element = kernel_.buffers[access.buffer].element;
    scratch.elements = rows * pitch_;
    kernel_.buffers.push_back(std::move(scratch));
    return static_cast<uint32_t>(kernel_.buffers.size() - 1);
  }

  std::vector<Node> blocks(const Range& rows, const Range& columns) {
    rows_ = rows;
    columns_ = columns;
    std::vector<Node> block;
    for (const TiledAccess& tiled : tiled_)
      if (tiled.loaded)
        block.push_back(copy_in(tiled));
    block.push_back(body());
    for (const TiledAccess& tiled : tiled_)
      if (tiled.stored)
        block.push_back(copy_out(tiled));
    if (columns.blocks > 1)
      block = wrap(block_loop(column_loop(), columns), std::move(block));
    if (rows.blocks > 1)
      block = wrap(block_loop(row_loop(), rows), std::move(block));
    return block;
  }

  const Loop& row_loop() const { return nest_.loops[nest_.loops.size() - 2]; }
  const Loop& column_loop() const { return nest_.loops.back(); }
  /// How many loops stand around a block.
  unsigned block_depth() const {
    return outer_ + (rows_.blocks > 1 ? 1 : 0) + (columns_.blocks > 1 ? 1 : 0);
  }

  static std::vector<Node> wrap(Loop loop, std::vector<Node> body) {
    loop.body = std::move(body);
    std::vector<Node> result;
    result.push_back(Node{std::move(loop)});
    return result;
  }
  static Loop block_loop(const Loop& loop, const Range& range) {
    return counted(loop, loop.name + "_block", range.blocks);
  }
  static Loop counted(const Loop& loop, std::string name, int64_t extent) {
    Loop result;
    result.name = std::move(name);
    result.extent = extent;
    result.loc = loop.loc;
    return result;
  }

  /// A loop over the rows of a block around one over its columns, or the other way round.
  Node both_loops(bool rows_outside, std::vector<Node> body) const {
    Loop rows = counted(row_loop(), row_loop().name, rows_.size);
    Loop columns = counted(column_loop(), column_loop().name, columns_.size);
    if (!rows_outside)
      std::swap(rows, columns);
    return std::move(wrap(std::move(rows), wrap(std::move(columns), std::move(body)))[0]);
  }

  /// The access inside of a block: strides up to the block loops, then `inner`.
  Access in_block(const Access& access, std::initializer_list<int64_t> inner) const {
    const int64_t row = access.strides[outer_], column = access.strides[outer_ + 1];
    Access result{
        access.buffer, access.offset, {access.strides.begin(), access.strides.begin() + outer_}};
    result.offset = wrapping_add(result.offset, wrapping_mul(row, rows_.first));
    result.offset = wrapping_add(result.offset, wrapping_mul(column, columns_.first));
    if (rows_.blocks > 1)
      result.strides.push_back(wrapping_mul(row, rows_.size));
    if (columns_.blocks > 1)
      result.strides.push_back(wrapping_mul(column, columns_.size));
    result.strides.insert(result.strides.end(), inner);
    return result;
  }
  Access in_scratch(uint32_t scratch, std::initializer_list<int64_t> inner) const {
    Access result{scratch, 0, std::vector<int64_t>(block_depth(), 0)};
    result.strides.insert(result.strides.end(), inner);
    return result;
  }

  /// In both copies the stores go by neighbours inside, as order_loops wants it.
  Node copy_in(const TiledAccess& tiled) {
    const int64_t across = tiled.access.strides[outer_ + 1];
    return both_loops(true, copy(tiled, in_block(tiled.access, {1, across}),
                                 in_scratch(tiled.scratch, {pitch_, 1})));
  }
  Node copy_out(const TiledAccess& tiled) {
    const int64_t across = tiled.access.strides[outer_ + 1];
    return both_loops(false, copy(tiled, in_scratch(tiled.scratch, {1, pitch_}),
                                  in_block(tiled.access, {across, 1})));
  }
  std::vector<Node> copy(const TiledAccess& tiled, Access from, Access to) {
    const Buffer& buffer = kernel_.buffers[tiled.access.buffer];
    const Reg element = add_reg(kernel_, buffer.name, buffer.element, buffer.defined);
    std::vector<Node> result;
    result.push_back(Node{Load{element, std::move(from), row_loop().loc}});
    result.push_back(Node{Store{element, std::move(to), false, row_loop().loc}});
    return result;
  }

  Node body() {
    std::vector<Node> steps;
    std::unordered_map<uint32_t, Reg> renamed; // definitions of this copy of the body
    for (const Node& node : nest_.body)
      add_step(node, renamed, steps);
    Node loops = both_loops(true, std::move(steps));
    Loop& rows = *loops.as<Loop>();
    std::vector<Node> ahead = prefetches();
    rows.body.insert(rows.body.begin(), std::make_move_iterator(ahead.begin()),
                     std::make_move_iterator(ahead.end()));
    return loops;
  }

  void add_step(const Node& node, std::unordered_map<uint32_t, Reg>& renamed,
                std::vector<Node>& steps) {
    Node step = node;
    for_each_use(step, [&](Reg& reg) {
      if (const auto it = renamed.find(reg.index); it != renamed.end())
        reg = it->second;
    });
    const auto define = [&](Reg& reg) {
      const RegInfo old = kernel_.regs[reg.index];
      reg = renamed[reg.index] = add_reg(kernel_, old.name, old.type, old.defined);
    };
    if (Access* access = access_of(step))
      *access = place(*access);
    if (Load* load = step.as<Load>())
      define(load->dst);
    if (Compute* compute = step.as<Compute>()) {
      define(compute->dst);
      if (compute->op == ScalarOp::LoopIndex && compute->immediate >= outer_)
        return add_counter(*compute, steps);
    }
    steps.push_back(std::move(step));
  }

  Access place(const Access& access) const {
    for (const TiledAccess& tiled : tiled_)
      if (same_place(tiled.access, access))
        return in_scratch(tiled.scratch, {pitch_, 1});
    return in_block(access, {access.strides[outer_], access.strides[outer_ + 1]});
  }

  /// The counter that one of the two loops had: block * size + first + counter in the block.
  void add_counter(const Compute& compute, std::vector<Node>& steps) {
    const bool is_row = compute.immediate == outer_;
    const Range& range = is_row ? rows_ : columns_;
    const auto add = [&](ScalarOp op, std::array<Reg, 3> operands, uint64_t immediate, Reg dst) {
      steps.push_back(Node{Compute{op, 0, operands, immediate, dst, compute.loc}});
      return dst;
    };
    const auto index = [&] { return add_reg(kernel_, "index", ElementType::Index); };
    Reg first = add(ScalarOp::Constant, {}, static_cast<uint64_t>(range.first), index());
    if (range.blocks > 1) {
      const unsigned depth = is_row || rows_.blocks == 1 ? outer_ : outer_ + 1;
      const Reg block = add(ScalarOp::LoopIndex, {}, depth, index());
      const Reg size = add(ScalarOp::Constant, {}, static_cast<uint64_t>(range.size), index());
      const Reg before = add(ScalarOp::MulI, {block, size}, 0, index());
      first = add(ScalarOp::AddI, {first, before}, 0, index());
    }
    const Reg inner = add(ScalarOp::LoopIndex, {}, block_depth() + (is_row ? 0u : 1u), index());
    add(ScalarOp::AddI, {first, inner}, 0, compute.dst);
  }

  /// In front of each row: a row of every input as the next block reads it, along its unit stride.
  /// While the copies run from cache to cache memory would otherwise have nothing to do.
  std::vector<Node> prefetches() const {
    std::vector<Node> result;
    if (columns_.blocks == 1)
      return result;
    for (const Node& node : nest_.body) {
      const Load* load = node.as<Load>();
      if (!load || !is_large(kernel_.buffers[load->from.buffer])) // small ones stay in cache
        continue;
      const int64_t row = load->from.strides[outer_], column = load->from.strides[outer_ + 1];
      const bool transposed = row == 1 && column != 0 && column != 1;
      if (!transposed && (column != 1 || row == 0))
        continue;
      const int64_t pitch = transposed ? column : row;
      Access next = in_block(load->from, {pitch});
      next.offset = wrapping_add(next.offset, wrapping_mul(column, columns_.size));
      int64_t elements = transposed ? rows_.size : columns_.size;
      // Rows that do not start at whole lines all alike end in the middle of one more.
      const int64_t line = kLineBytes / byte_size(kernel_.buffers[load->from.buffer].element);
      if (pitch % line != 0)
        elements += line - 1;
      result.push_back(Node{Prefetch{std::move(next), elements, load->loc}});
    }
    return result;
  }

  Kernel& kernel_;
  const PerfectNest& nest_;
  std::vector<TiledAccess> tiled_;
  const unsigned outer_;     // loops around the two
  int64_t pitch_ = 0;        // elements between two rows of a scratch
  Range rows_{}, columns_{}; // of the blocks being built
};

} // namespace

bool same_place(const Access& a, const Access& b) {
  return a.buffer == b.buffer && a.offset == b.offset && a.strides == b.strides;
}

int64_t choose_block(const Kernel& kernel, const std::vector<TiledAccess>& tiled) {
  int64_t point_bytes = 0;
  for (const TiledAccess& t : tiled)
    point_bytes += byte_size(kernel.buffers[t.access.buffer].element);
  for (int64_t block = kMaxBlock; block >= kPitchUnit; block /= 2)
    if (block * pitch_of(block) * point_bytes <= kScratchBytes)
      return block;
  return 0;
}

std::vector<Node> build_blocks(Kernel& kernel, const PerfectNest& nest,
                               std::vector<TiledAccess> tiled, int64_t max_block) {
  return BlockBuilder(kernel, nest, std::move(tiled)).run(max_block);
}

} // namespace mo

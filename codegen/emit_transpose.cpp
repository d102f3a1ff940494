#include "codegen/emit_transpose.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "codegen/dependence.h"
#include "codegen/loop_walk.h"
#include "codegen/vector_asm.h"

namespace mo {

namespace x86 = asmjit::x86;

namespace {

/// Elements along one side of the largest tile that fits: as many as the widest vector has, halved
/// down to those of an xmm register; 0 if not even these fit.
unsigned choose_tile(ElementType type, int64_t rows, int64_t columns, Isa isa) {
  // Bytes: 16 registers of 16 are as many as there are.
  const unsigned widest = type == ElementType::I1 ? 16 : vector_bytes(isa);
  for (unsigned bytes = widest; bytes >= 16; bytes /= 2)
    if (const unsigned tile = bytes / byte_size(type); rows >= tile && columns >= tile)
      return tile;
  return 0;
}

/// Rows of a tile are addressed by displacements.
bool reaches(int64_t pitch, unsigned tile, unsigned element_bytes) {
  const int64_t limit = INT32_MAX / static_cast<int64_t>(2 * tile * element_bytes);
  return pitch >= -limit && pitch <= limit;
}

class TransposeEmitter {
public:
  TransposeEmitter(EmitContext& context, const TransposingCopy& copy)
      : cc_(context.cc), copy_(copy), type_(context.type_of(copy.load->dst)),
        asm_(cc_, context.isa, copy.tile * byte_size(type_) / 4, scratch_) {}

  void emit(const Addresses& addresses) {
    x86::Gp from = cc_.newIntPtr("from"), to = cc_.newIntPtr("to");
    cc_.lea(from, addresses.address(copy_.load->from));
    cc_.lea(to, addresses.address(copy_.store->to));
    if (!copy_.streams) {
      emit_tiles(from, to, false);
      return;
    }
    asmjit::Label ordinary = cc_.newLabel(), done = cc_.newLabel();
    cc_.test(to, static_cast<int>(register_bytes()) - 1);
    cc_.jnz(ordinary);
    emit_tiles(from, to, true);
    cc_.jmp(done);
    cc_.bind(ordinary);
    emit_tiles(from, to, false);
    cc_.bind(done);
  }

private:
  int64_t bytes(int64_t elements) const { return elements * byte_size(type_); }
  unsigned register_bytes() const { return copy_.tile * byte_size(type_); }

  /// Row after row of tiles, each row of them along the unit stride of what is read.
  void emit_tiles(const x86::Gp& from, const x86::Gp& to, bool streaming) {
    emit_steps(copy_.rows, from, bytes(copy_.from_pitch), to, bytes(1),
               [&](const x86::Gp& row_from, const x86::Gp& row_to) {
                 emit_steps(copy_.columns, row_from, bytes(1), row_to, bytes(copy_.to_pitch),
                            [&](const x86::Gp& tile_from, const x86::Gp& tile_to) {
                              emit_tile(tile_from, tile_to, streaming);
                            });
               });
  }

  /// `body` at 0, tile, 2 * tile, ..., and at last at extent - tile, on pointers that move by so
  /// many bytes per element.
  template <class Body>
  void emit_steps(int64_t extent, const x86::Gp& from, int64_t from_bytes, const x86::Gp& to,
                  int64_t to_bytes, Body body) {
    const int64_t tile = copy_.tile;
    if (extent == tile) {
      body(from, to);
      return;
    }
    x86::Gp own_from = cc_.newIntPtr("from"), own_to = cc_.newIntPtr("to");
    x86::Gp left = cc_.newInt64("left"); // elements after the tile
    cc_.mov(own_from, from);
    cc_.mov(own_to, to);
    cc_.mov(left, extent - tile);
    asmjit::Label top = cc_.newLabel(), done = cc_.newLabel();
    cc_.bind(top);
    body(own_from, own_to);
    if (extent % tile == 0) {
      cc_.add(own_from, tile * from_bytes);
      cc_.add(own_to, tile * to_bytes);
      cc_.sub(left, tile);
      cc_.jns(top);
      return;
    }
    x86::Gp step = cc_.newInt64("step"), moved = cc_.newInt64("bytes");
    cc_.test(left, left);
    cc_.jz(done);
    cc_.mov(step, tile);
    cc_.cmp(left, step);
    cc_.cmovl(step, left);
    cc_.sub(left, step);
    cc_.imul(moved, step, from_bytes);
    cc_.add(own_from, moved);
    cc_.imul(moved, step, to_bytes);
    cc_.add(own_to, moved);
    cc_.jmp(top);
    cc_.bind(done);
  }

  /// In three steps. With k elements in 16 bytes a register holds tile / k groups of 16 bytes;
  /// first the groups are transposed as if they were elements, among the rows that stand equally
  /// in their group; then the elements inside of k registers' groups.
  void emit_tile(const x86::Gp& from, const x86::Gp& to, bool streaming) {
    std::vector<VecReg> rows;
    for (unsigned r = 0; r < copy_.tile; ++r) {
      rows.push_back(VectorAsm::new_reg(cc_, register_bytes()));
      x86::Mem row = x86::ptr(from, displacement(r, copy_.from_pitch), register_bytes());
      cc_.emit(load_inst(), rows.back(), row);
    }
    const unsigned k = 16 / byte_size(type_);
    for (unsigned r = 0; r < k; ++r)
      transpose_groups(rows, r, k);
    for (unsigned first = 0; first < copy_.tile; first += k) {
      transpose_elements(rows, first, k);
      for (unsigned c = first; c < first + k; ++c) {
        x86::Mem column = x86::ptr(to, displacement(c, copy_.to_pitch), register_bytes());
        cc_.emit(streaming ? stream_inst() : load_inst(), column, rows[c]);
      }
    }
  }

  int32_t displacement(unsigned row, int64_t pitch) const {
    return static_cast<int32_t>(bytes(row * pitch));
  }
  asmjit::InstId load_inst() const {
    return asm_.sse() ? x86::Inst::kIdMovups : x86::Inst::kIdVmovups;
  }
  asmjit::InstId stream_inst() const {
    return asm_.sse() ? x86::Inst::kIdMovntps : x86::Inst::kIdVmovntps;
  }

  /// Rows r, r + k, r + 2k, ...: group g of the m-th of them becomes group m of the g-th.
  void transpose_groups(std::vector<VecReg>& rows, unsigned r, unsigned k) {
    if (register_bytes() == 32) {
      const VecReg a = rows[r], b = rows[r + k];
      rows[r] = asm_.binary(inst::pick_halves, a, b, 0x20);     // a.low, b.low
      rows[r + k] = asm_.binary(inst::pick_halves, a, b, 0x31); // a.high, b.high
    } else if (register_bytes() == 64) {
      const VecReg a = rows[r], b = rows[r + k], c = rows[r + 2 * k], d = rows[r + 3 * k];
      constexpr int kEven = 0x88, kOdd = 0xdd; // quarters 0 and 2, or 1 and 3, of both operands
      const VecReg ab_even = asm_.binary(inst::pick_quarters, a, b, kEven);
      const VecReg ab_odd = asm_.binary(inst::pick_quarters, a, b, kOdd);
      const VecReg cd_even = asm_.binary(inst::pick_quarters, c, d, kEven);
      const VecReg cd_odd = asm_.binary(inst::pick_quarters, c, d, kOdd);
      rows[r] = asm_.binary(inst::pick_quarters, ab_even, cd_even, kEven);
      rows[r + k] = asm_.binary(inst::pick_quarters, ab_odd, cd_odd, kEven);
      rows[r + 2 * k] = asm_.binary(inst::pick_quarters, ab_even, cd_even, kOdd);
      rows[r + 3 * k] = asm_.binary(inst::pick_quarters, ab_odd, cd_odd, kOdd);
    }
  }

  /// A k x k transpose in each group of rows first .. first + k - 1. Interleaving row i with row
  /// i + k/2 moves the highest bit of an element's row number to the lowest place of its number
  /// within the rows; after log2 k rounds rows and columns have changed places.
  void transpose_elements(std::vector<VecReg>& rows, unsigned first, unsigned k) {
    const inst::Interleave& interleave = byte_size(type_) == 8   ? inst::interleave64
                                         : byte_size(type_) == 4 ? inst::interleave32
                                                                 : inst::interleave8;
    for (unsigned round = 1; round < k; round *= 2) {
      std::vector<VecReg> mixed;
      for (unsigned i = 0; i < k / 2; ++i) {
        const VecReg& a = rows[first + i];
        const VecReg& b = rows[first + i + k / 2];
        mixed.push_back(asm_.binary(interleave.low, a, b));
        mixed.push_back(asm_.binary(interleave.high, a, b));
      }
      std::copy(mixed.begin(), mixed.end(), rows.begin() + first);
    }
  }

  KernelCompiler& cc_;
  const TransposingCopy& copy_;
  const ElementType type_;
  std::vector<x86::Mem> scratch_;
  VectorAsm asm_;
};

} // namespace

std::optional<TransposingCopy> plan_transposing_copy(const Kernel& kernel, const Loop& loop,
                                                     unsigned depth, Isa isa) {
  if (!loop.carried.empty() || loop.body.size() != 1)
    return std::nullopt;
  const Loop* inner = loop.body[0].as<Loop>();
  if (!inner || !inner->carried.empty() || inner->body.size() != 2)
    return std::nullopt;
  TransposingCopy copy;
  copy.load = inner->body[0].as<Load>();
  copy.store = inner->body[1].as<Store>();
  if (!copy.load || !copy.store || copy.store->value != copy.load->dst ||
      copy.load->from.buffer == copy.store->to.buffer ||
      kernel.buffers[copy.load->from.buffer].splat)
    return std::nullopt;
  const std::array<int64_t, 2> extents = {loop.extent, inner->extent};
  const std::array<int64_t, 2> from = {Addresses::stride_at(copy.load->from, depth),
                                       Addresses::stride_at(copy.load->from, depth + 1)};
  const std::array<int64_t, 2> to = {Addresses::stride_at(copy.store->to, depth),
                                     Addresses::stride_at(copy.store->to, depth + 1)};
  const unsigned column = from[0] == 1 ? 0 : 1, row = 1 - column;
  if (from[column] != 1 || to[row] != 1 || !injective_over_used_loops(to, extents) ||
      to[column] == 0)
    return std::nullopt;
  copy.rows = extents[row];
  copy.columns = extents[column];
  copy.from_pitch = from[row];
  copy.to_pitch = to[column];
  const ElementType type = kernel.regs[copy.load->dst.index].type;
  copy.tile = choose_tile(type, copy.rows, copy.columns, isa);
  if (copy.tile == 0 || !reaches(copy.from_pitch, copy.tile, byte_size(type)) ||
      !reaches(copy.to_pitch, copy.tile, byte_size(type)))
    return std::nullopt;
  copy.streams = copy.store->streaming && type != ElementType::I1 && copy.rows % copy.tile == 0 &&
                 copy.to_pitch % copy.tile == 0;
  return copy;
}

void emit_transposing_copy(EmitContext& context, const TransposingCopy& copy,
                           const Addresses& addresses) {
  TransposeEmitter(context, copy).emit(addresses);
}

} // namespace mo

// Several rows of a column reduction at a time.
//
//   for d0 in 0..8 {                      for d0 in 0..2 {
//     for d1 in 0..n {                      for d1 in 0..n {
//       %acc = load %o[d1]                    %acc = load %o[d1]
//       %in = load %x[n*d0 + d1]      ==>     %in = load %x[4*n*d0 + d1]
//       %s = addf %acc, %in                   %s = addf %acc, %in
//       store %s, %o[d1]                      %in_1 = load %x[4*n*d0 + d1 + n]
//   } }                                       %s_1 = addf %s, %in_1
//                                             ... two more
//                                             store %s_3, %o[d1]
//                                         } }
//
// Unroll-and-jam (D. Callahan, J. Cocke, K. Kennedy, "Estimating interlock and improving balance
// for pipelined architectures", JPDC 1988): the row of results goes through the registers once for
// four rows of the operand, here; for eight where there is one operand. Each element still meets
// its rows in order, so no bit changes.
#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>

#include "codegen/dependence.h"
#include "codegen/loop_walk.h"
#include "codegen/perfect_nest.h"
#include "codegen/simplify.h"

namespace mo {
namespace {

/// Rows that are read side by side: as many streams as the prefetchers follow.
constexpr int64_t kStreams = 8;
constexpr int64_t kMinRows = 4;  // at a time; fewer do not pay
constexpr size_t kMaxSteps = 16; // per row: what they hold has to fit into the registers

/// Two loops, the inner one with nothing but steps in it; stores go to rows of results, which stand
/// still in the outer loop and move in the inner one.
struct ColumnReduction {
  Loop outer, inner; // without bodies
  std::vector<Node> body;
  unsigned depth; // of the outer loop
  int64_t rows;   // at a time

  bool is_result(const Access& access) const {
    return std::ranges::any_of(body, [&](const Node& node) {
      const Store* store = node.as<Store>();
      return store && store->to.buffer == access.buffer;
    });
  }

  bool jammable(std::span<const uint32_t> uses) const {
    for (const Node& node : body) {
      const Access* access = access_of(node);
      const Compute* compute = node.as<Compute>();
      if (node.as<Loop>() || (compute && compute->op == ScalarOp::LoopIndex))
        return false;
      if (!access)
        continue;
      const int64_t outer_stride = access->strides[depth];
      if (is_result(*access)) {
        if (outer_stride != 0 || access->strides[depth + 1] == 0)
          return false;
      } else if (int64_t wide = 0; __builtin_mul_overflow(outer_stride, rows, &wide)) {
        return false;
      }
    }
    return rows >= kMinRows && outer.extent >= rows && body.size() <= kMaxSteps &&
           interchangeable(uses);
  }

private:
  bool interchangeable(std::span<const uint32_t> uses) const {
    const PerfectNest nest{depth, {outer, inner}, body};
    const std::vector<BufferUse> stored = stored_buffers(nest.body);
    const bool one_update_each = std::ranges::all_of(stored, [](const BufferUse& use) {
      return use.loads.size() == 1 && use.stores.size() == 1;
    });
    const LoopOrder allowed = allowed_order(nest, uses);
    return !stored.empty() && one_update_each && !allowed.fixed && allowed.in_order.empty();
  }
};

/// The outer loop's iterations rows * counter + row, for one row after the other.
class Jam {
public:
  Jam(Kernel& kernel, const ColumnReduction& nest) : kernel_(kernel), nest_(nest) {}

  std::vector<Node> body() {
    std::vector<Node> result;
    for (int64_t row = 0; row < nest_.rows; ++row) {
      std::unordered_map<uint32_t, Reg> renamed; // of this row's registers
      for (const Node& node : nest_.body)
        add(node, row, renamed, result);
    }
    return result;
  }

private:
  void add(Node node, int64_t row, std::unordered_map<uint32_t, Reg>& renamed,
           std::vector<Node>& result) {
    for_each_use(node, [&](Reg& reg) {
      if (const auto it = renamed.find(reg.index); it != renamed.end())
        reg = it->second;
    });
    if (Access* access = access_of(node)) {
      access->offset += row * access->strides[nest_.depth];
      access->strides[nest_.depth] *= nest_.rows;
    }
    if (Load* load = node.as<Load>()) {
      const auto before = results_.find(load->from.buffer);
      if (before != results_.end()) { // what the row before left, still in a register
        renamed[load->dst.index] = before->second;
        return;
      }
      rename(load->dst, row, renamed);
    } else if (Compute* compute = node.as<Compute>()) {
      rename(compute->dst, row, renamed);
    } else if (Store* store = node.as<Store>()) {
      results_[store->to.buffer] = store->value;
      if (row + 1 < nest_.rows)
        return;
    }
    result.push_back(std::move(node));
  }

  void rename(Reg& dst, int64_t row, std::unordered_map<uint32_t, Reg>& renamed) {
    if (row == 0)
      return;
    const RegInfo info = kernel_.regs[dst.index];
    dst = renamed[dst.index] = add_reg(kernel_, info.name, info.type, info.defined);
  }

  Kernel& kernel_;
  const ColumnReduction& nest_;
  std::unordered_map<uint32_t, Reg> results_; // by buffer
};

Node nest_of(const ColumnReduction& nest, int64_t rows, std::vector<Node> body) {
  Loop inner = nest.inner;
  inner.body = std::move(body);
  Loop outer = nest.outer;
  outer.extent = rows;
  outer.body.push_back(Node{std::move(inner)});
  return Node{std::move(outer)};
}

/// The rows that are left, on registers of their own.
std::vector<Node> last_rows(Kernel& kernel, const ColumnReduction& nest, int64_t first) {
  std::unordered_map<uint32_t, Reg> renamed;
  std::vector<Node> body = nest.body;
  for (Node& node : body) {
    for_each_use(node, [&](Reg& reg) {
      if (const auto it = renamed.find(reg.index); it != renamed.end())
        reg = it->second;
    });
    if (Access* access = access_of(node))
      access->offset += first * access->strides[nest.depth];
    if (Reg* dst = definition_of(node)) {
      const RegInfo info = kernel.regs[dst->index];
      *dst = renamed[dst->index] = add_reg(kernel, info.name, info.type, info.defined);
    }
  }
  return body;
}

std::optional<ColumnReduction> as_column_reduction(const Loop& outer, unsigned depth) {
  if (outer.body.size() != 1 || !outer.carried.empty())
    return std::nullopt;
  const Loop* inner = outer.body[0].as<Loop>();
  if (!inner || !inner->carried.empty() || contains_loop(inner->body))
    return std::nullopt;
  ColumnReduction nest{outer, *inner, inner->body, depth, 0};
  const int64_t operands = std::ranges::count_if(nest.body, [&](const Node& node) {
    return node.as<Load>() && !nest.is_result(node.as<Load>()->from);
  });
  nest.rows = operands > 0 ? kStreams / operands : 0;
  nest.outer.body.clear();
  nest.inner.body.clear();
  return nest;
}

std::vector<Node> jam_in(Kernel& kernel, std::vector<Node> block, unsigned depth,
                         std::span<const uint32_t> uses) {
  std::vector<Node> result;
  for (Node& node : block) {
    Loop* loop = node.as<Loop>();
    if (!loop) {
      result.push_back(std::move(node));
      continue;
    }
    const std::optional<ColumnReduction> nest = as_column_reduction(*loop, depth);
    if (!nest || !nest->jammable(uses)) {
      loop->body = jam_in(kernel, std::move(loop->body), depth + 1, uses);
      result.push_back(std::move(node));
      continue;
    }
    const int64_t groups = nest->outer.extent / nest->rows, left = nest->outer.extent % nest->rows;
    result.push_back(nest_of(*nest, groups, Jam(kernel, *nest).body()));
    if (left > 0)
      result.push_back(nest_of(*nest, left, last_rows(kernel, *nest, groups * nest->rows)));
  }
  return result;
}

} // namespace

void jam_column_reductions(Kernel& kernel) {
  const std::vector<uint32_t> uses = count_uses(kernel);
  kernel.body = jam_in(kernel, std::move(kernel.body), 0, uses);
}

} // namespace mo

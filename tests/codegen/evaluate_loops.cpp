#include "tests/codegen/evaluate_loops.h"

#include <algorithm>
#include <array>
#include <deque>

#include <stdexcept>

#include "codegen/loop_walk.h"
#include "runtime/scalar_eval.h"

namespace mo::testing {
namespace {

constexpr size_t kLanes = 4;

uint64_t mask(ElementType type) {
  return ~uint64_t{0} >> (64 - bit_width(type));
}
uint64_t sign_bit(ElementType type) {
  return uint64_t{1} << (bit_width(type) - 1);
}

/// The e with combine(e, x) == x for every x.
uint64_t neutral(ScalarOp combine, ElementType type) {
  const bool wide = type == ElementType::F64;
  const uint64_t infinity = wide ? 0x7FF0000000000000u : 0x7F800000u;
  switch (combine) {
  case ScalarOp::AddF: return sign_bit(type);
  case ScalarOp::MaximumF: return infinity | sign_bit(type);
  case ScalarOp::MinimumF: return infinity;
  case ScalarOp::MaxNumF:
  case ScalarOp::MinNumF: return wide ? 0x7FF8000000000000u : 0x7FC00000u;
  case ScalarOp::MulI: return 1;
  case ScalarOp::AndI:
  case ScalarOp::MinUI: return mask(type);
  case ScalarOp::MaxSI: return sign_bit(type);
  case ScalarOp::MinSI: return sign_bit(type) - 1;
  default: return 0;
  }
}

class Evaluator {
public:
  Evaluator(const Kernel& kernel, LoopArguments& arguments, VectorLoops vector_loops,
            CompiledMath* math)
      : kernel_(kernel), regs_(kernel.regs.size()), per_lane_(kernel.regs.size()),
        vector_loops_(vector_loops), math_(math) {
    for (const Buffer& buffer : kernel.buffers) {
      if (buffer.kind == Buffer::Kind::Argument)
        memory_.push_back(&arguments.at(buffer.argument));
      else
        memory_.push_back(&own_.emplace_back());
      if (buffer.kind == Buffer::Kind::Constant)
        own_.back() =
            buffer.splat ? std::vector<uint64_t>(buffer.elements, buffer.bits.at(0)) : buffer.bits;
      if (buffer.kind == Buffer::Kind::Scratch)
        own_.back().assign(buffer.elements, 0x5A5A5A5A5A5A5A5Au & mask(buffer.element));
    }
    for (const ScalarParam& scalar : kernel.scalars)
      regs_[scalar.reg.index][0] = arguments.at(scalar.argument).at(0);
  }

  void run() { block(kernel_.body); }

private:
  void block(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) {
      if (const Loop* loop = node.as<Loop>()) {
        if (loop->vectorizable && vector_loops_ == VectorLoops::SideBySide)
          vector_loop(*loop);
        else
          scalar_loop(*loop);
      } else if (const Alloc* alloc = node.as<Alloc>()) {
        // What a temp holds before it is written is anybody's guess: something unlikely here.
        memory_[alloc->buffer]->assign(kernel_.buffers[alloc->buffer].elements,
                                       0x5A5A5A5A5A5A5A5Au &
                                           mask(kernel_.buffers[alloc->buffer].element));
      } else if (const Free* free = node.as<Free>()) {
        memory_[free->buffer]->clear();
      } else {
        step(node, 0);
      }
    }
  }

  void step(const Node& node, size_t lane) {
    if (const Load* load = node.as<Load>())
      regs_[load->dst.index][lane] = element(load->from, lane);
    else if (const Store* store = node.as<Store>())
      element(store->to, lane) = read(store->value, lane);
    else if (const Compute* compute = node.as<Compute>())
      regs_[compute->dst.index][lane] = value(*compute, lane);
  }

  uint64_t read(Reg reg, size_t lane) const {
    return regs_[reg.index][per_lane_[reg.index] ? lane : 0];
  }

  uint64_t& element(const Access& access, size_t lane) {
    int64_t at = access.offset;
    for (size_t d = 0; d < access.strides.size(); ++d)
      if (counters_.at(d)[lane] != 0)
        at += access.strides[d] * counters_[d][lane];
    std::vector<uint64_t>& buffer = *memory_.at(access.buffer);
    if (at < 0 || at >= static_cast<int64_t>(buffer.size()))
      throw std::out_of_range("access outside of " + kernel_.buffers[access.buffer].name);
    return buffer[at];
  }

  uint64_t value(const Compute& compute, size_t lane) const {
    const ElementType result = type(compute.dst);
    if (compute.op == ScalarOp::Constant)
      return compute.immediate & mask(result);
    if (compute.op == ScalarOp::LoopIndex)
      return counters_.at(compute.immediate)[lane];
    uint64_t operands[3] = {};
    std::span<const Reg> regs = operands_of(compute);
    for (size_t k = 0; k < regs.size(); ++k)
      operands[k] = read(regs[k], lane);
    return eval_scalar(math_, compute.op, compute.predicate, type(regs.back()), result, operands);
  }

  void scalar_loop(const Loop& loop) {
    for (const Carried& carried : loop.carried)
      regs_[carried.current.index][0] = regs_[carried.init.index][0];
    counters_.emplace_back();
    for (int64_t i = 0; i < loop.extent; ++i) {
      counters_.back()[0] = i;
      block(loop.body);
      std::vector<uint64_t> next;
      for (const Carried& carried : loop.carried)
        next.push_back(regs_[carried.next.index][0]);
      for (size_t c = 0; c < next.size(); ++c)
        regs_[loop.carried[c].current.index][0] = next[c];
    }
    counters_.pop_back();
    for (const Carried& carried : loop.carried)
      regs_[carried.result.index][0] = regs_[carried.current.index][0];
  }

  void mark_per_lane(const Loop& loop, bool varies) {
    for (const Node& node : loop.body) {
      if (const Load* load = node.as<Load>())
        per_lane_[load->dst.index] = varies;
      else if (const Compute* compute = node.as<Compute>())
        per_lane_[compute->dst.index] = varies;
    }
    for (const Carried& carried : loop.carried)
      per_lane_[carried.current.index] = varies;
  }

  void vector_loop(const Loop& loop) {
    for (const Carried& carried : loop.carried) {
      auto& partial = regs_[carried.current.index];
      partial.fill(neutral(*carried.combine, type(carried.current)));
      partial[kLanes - 1] = read(carried.init, 0);
    }
    for (auto& outer : counters_)
      outer.fill(outer[0]);
    mark_per_lane(loop, true);
    counters_.emplace_back();
    const int64_t groups = (loop.extent + kLanes - 1) / kLanes;
    for (int64_t group = groups; group-- > 0;) {
      const int64_t first = group * kLanes;
      const size_t lanes = std::min<int64_t>(kLanes, loop.extent - first);
      for (size_t lane = 0; lane < kLanes; ++lane)
        counters_.back()[lane] = first + static_cast<int64_t>(lane);
      for (const Node& node : loop.body)
        for (size_t lane = 0; lane < lanes; ++lane)
          step(node, lane);
      for (const Carried& carried : loop.carried)
        for (size_t lane = 0; lane < lanes; ++lane)
          regs_[carried.current.index][lane] = read(carried.next, lane);
    }
    counters_.pop_back();
    mark_per_lane(loop, false);
    for (const Carried& carried : loop.carried)
      regs_[carried.result.index][0] = combine_lanes(carried);
  }

  uint64_t combine_lanes(const Carried& carried) const {
    const ElementType t = type(carried.current);
    const auto& partial = regs_[carried.current.index];
    uint64_t total = partial[0];
    for (size_t lane = 1; lane < kLanes; ++lane) {
      const uint64_t pair[2] = {partial[lane], total};
      total = eval_scalar(*carried.combine, 0, t, t, pair);
    }
    return total;
  }

  ElementType type(Reg reg) const { return kernel_.regs[reg.index].type; }

  const Kernel& kernel_;
  std::vector<std::array<uint64_t, kLanes>> regs_; // lane 0 alone outside of vector loops
  std::vector<bool> per_lane_;                     // defined in the vector loop that is running
  std::vector<std::array<int64_t, kLanes>> counters_;
  std::deque<std::vector<uint64_t>> own_; // temps and constants
  std::vector<std::vector<uint64_t>*> memory_;
  VectorLoops vector_loops_;
  CompiledMath* math_;
};

} // namespace

void evaluate(const Kernel& kernel, LoopArguments& arguments, VectorLoops vector_loops,
              CompiledMath* math) {
  Evaluator(kernel, arguments, vector_loops, math).run();
}

} // namespace mo::testing

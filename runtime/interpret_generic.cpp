// Loops mean: one point after the other, in row-major order, and at each point all reads, the body,
// all writes in the order of the inits. Running a whole block of points op by op is the same only
// if no point of the block reads what an earlier one wrote; `find_hazards` finds where that may not
// hold. There, either blocks are kept so small that it does hold (the inner loops of a column sum),
// or what depends on the earlier points, and only that, runs point by point (the `+` of a sum).
#include "runtime/interpret_generic.h"

#include <algorithm>
#include <cstring>

#include "ir/walk.h"
#include "runtime/interpret_body.h"
#include "runtime/point_space.h"
#include "runtime/strided_copy.h"

namespace mo {

namespace {

/// Inner loops with fewer points than this are not worth blocks of their own.
constexpr size_t kWorthwhileBlock = 32;

/// How points of this generic depend on earlier ones.
struct Hazards {
  /// Within the loops level, level+1, ... (the outer ones held fixed) there is no dependence.
  size_t level = 0;
  /// By block argument: may it see what an earlier point wrote?
  std::vector<bool> ordered;
};

class GenericRun {
public:
  GenericRun(const Function& function, const GenericOp& op,
             const std::vector<OperandMemory>& operands)
      : function_(function), op_(op), operands_(operands) {}

  void run(const std::function<uint64_t(ValueId)>& scalar_of, CompiledMath* math);

private:
  size_t num_inputs() const { return op_.inputs.size(); }
  size_t init_operand(size_t init) const { return num_inputs() + init; }

  void look_at_args();
  void build_space(const std::vector<int64_t>& extents);
  Hazards find_hazards() const;
  void gather_block(const BlockWalker& block);
  void gather_form(const BlockWalker& block, size_t operand);
  void count_loop(const BlockWalker& block, unsigned loop);
  void run_steps(size_t length);
  void scatter_block(const BlockWalker& block);
  void run_points_in_order(const BlockWalker& block);
  void run_point(const BlockWalker& block, size_t segment, size_t in_segment, size_t lane);
  std::byte* element_address(const BlockWalker& block, size_t segment, size_t in_segment,
                             size_t operand) const;

  const Function& function_;
  const GenericOp& op_;
  const std::vector<OperandMemory>& operands_;
  std::vector<unsigned> sizes_;         // by block argument: bytes of an element
  std::vector<bool> reads_;             // by block argument: does the body read it?
  PointSpace space_;                    // forms: by operand, then by loop in counted_loops_
  std::vector<unsigned> counted_loops_; // loops that some linalg.index names
  std::vector<bool> ordered_; // by block argument, see Hazards; empty: all is block by block
  BodyProgram program_;
};

void GenericRun::run(const std::function<uint64_t(ValueId)>& scalar_of, CompiledMath* math) {
  const std::vector<int64_t> extents = loop_extents(function_, op_);
  if (std::ranges::find(extents, 0) != extents.end())
    return;
  look_at_args();
  build_space(extents);
  Hazards hazards = find_hazards();
  const bool in_order =
      hazards.level > 0 && points_from_level(space_, hazards.level) < kWorthwhileBlock;
  const std::vector<bool> none(op_.body.args.size(), false);
  ordered_ = in_order ? hazards.ordered : none;
  std::vector<std::optional<uint64_t>> fixed;
  for (const OperandMemory& operand : operands_)
    fixed.push_back(operand.scalar);
  program_ = compile_body(function_, op_, ordered_, fixed, scalar_of,
                          points_from_level(space_, in_order ? 0 : hazards.level), math);

  BlockWalker block(space_, program_.block_length, in_order ? 0 : hazards.level);
  while (block.next()) {
    gather_block(block);
    run_steps(block.length());
    if (in_order)
      run_points_in_order(block);
    else
      scatter_block(block);
  }
}

void GenericRun::look_at_args() {
  std::vector<uint32_t> read;
  for (const ScalarInst& inst : op_.body.insts)
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      read.push_back(inst.operands[k].index);
  for (ValueId value : op_.body.yields)
    read.push_back(value.index);
  std::ranges::sort(read);
  for (ValueId arg : op_.body.args) {
    reads_.push_back(std::ranges::binary_search(read, arg.index));
    sizes_.push_back(byte_size(function_.type(arg).element));
  }
}

void GenericRun::build_space(const std::vector<int64_t>& extents) {
  space_.extents = extents;
  const auto num_loops = static_cast<unsigned>(extents.size());
  for (size_t k = 0; k < operands_.size(); ++k) {
    const ValueId value = k < num_inputs() ? op_.inputs[k] : op_.inits[k - num_inputs()];
    const bool touched = k >= num_inputs() || (reads_[k] && !operands_[k].scalar);
    // What nobody touches must not keep loops apart.
    space_.forms.push_back(touched ? element_position(op_.maps[k], function_.type(value).shape)
                                   : LinearForm{0, std::vector<int64_t>(num_loops, 0)});
  }
  for (const ScalarInst& inst : op_.body.insts)
    if (inst.op == ScalarOp::LoopIndex)
      counted_loops_.push_back(static_cast<unsigned>(inst.immediate));
  std::ranges::sort(counted_loops_);
  const auto repeated = std::ranges::unique(counted_loops_);
  counted_loops_.erase(repeated.begin(), repeated.end());
  for (unsigned loop : counted_loops_)
    space_.forms.push_back(loop_counter(loop, num_loops));
  simplify(space_);
}

Hazards GenericRun::find_hazards() const {
  Hazards hazards{0, std::vector<bool>(op_.body.args.size(), false)};
  for (size_t w = num_inputs(); w < operands_.size(); ++w) { // the operand that is written
    // Where points write different elements, reading the element that is written is harmless.
    const size_t distinct = distinct_from_level(space_, space_.forms[w]);
    for (size_t r = 0; r < operands_.size(); ++r) {
      if (operands_[r].data != operands_[w].data || operands_[r].scalar)
        continue;
      const bool only_written = !reads_[r] && (r < num_inputs() || r == w);
      if (only_written)
        continue;
      const bool same_element = space_.forms[r] == space_.forms[w];
      const size_t level = same_element ? distinct : space_.extents.size();
      hazards.level = std::max(hazards.level, level);
      hazards.ordered[r] = hazards.ordered[r] || (reads_[r] && level > 0);
    }
  }
  return hazards;
}

void GenericRun::gather_block(const BlockWalker& block) {
  for (size_t k = 0; k < operands_.size(); ++k)
    if (reads_[k] && !ordered_[k] && !operands_[k].scalar)
      gather_form(block, k);
  for (unsigned loop : counted_loops_)
    count_loop(block, loop);
}

void GenericRun::gather_form(const BlockWalker& block, size_t operand) {
  const unsigned size = sizes_[operand];
  std::byte* to = program_.args[operand];
  for (size_t segment = 0; segment < block.num_segments(); ++segment) {
    const size_t length = block.segment_length(segment);
    gather(to, element_address(block, segment, 0, operand), block.stride(operand), length, size);
    to += length * size;
  }
}

void GenericRun::count_loop(const BlockWalker& block, unsigned loop) {
  const auto found = std::ranges::lower_bound(counted_loops_, loop);
  const size_t form = operands_.size() + static_cast<size_t>(found - counted_loops_.begin());
  std::byte* to = program_.loop_counters[loop];
  for (size_t segment = 0; segment < block.num_segments(); ++segment) {
    int64_t counter = block.position(segment, form);
    for (size_t i = 0; i < block.segment_length(segment); ++i) {
      std::memcpy(to, &counter, sizeof counter);
      to += sizeof counter;
      counter += block.stride(form);
    }
  }
}

void GenericRun::run_steps(size_t length) {
  for (const BodyStep& step : program_.block_steps)
    step.kernel(step.result, step.operands, length);
}

void GenericRun::scatter_block(const BlockWalker& block) {
  for (size_t init = 0; init < op_.inits.size(); ++init) {
    const size_t operand = init_operand(init);
    const unsigned size = sizes_[operand];
    const std::byte* from = program_.yields[init];
    for (size_t segment = 0; segment < block.num_segments(); ++segment) {
      const size_t length = block.segment_length(segment);
      scatter(element_address(block, segment, 0, operand), from, block.stride(operand), length,
              size);
      from += length * size;
    }
  }
}

void GenericRun::run_points_in_order(const BlockWalker& block) {
  size_t lane = 0;
  for (size_t segment = 0; segment < block.num_segments(); ++segment)
    for (size_t i = 0; i < block.segment_length(segment); ++i)
      run_point(block, segment, i, lane++);
}

/// The ordered part of one point; `lane` is its place in the registers.
void GenericRun::run_point(const BlockWalker& block, size_t segment, size_t in_segment,
                           size_t lane) {
  // exercise: interpret-generic
  for (size_t k = 0; k < operands_.size(); ++k) {
    if (!ordered_[k])
      continue;
    const unsigned size = sizes_[k];
    gather(program_.args[k] + lane * size, element_address(block, segment, in_segment, k), 1, 1,
           size);
  }
  for (const BodyStep& step : program_.ordered_steps) {
    const std::byte* operands[3] = {};
    for (unsigned k = 0; k < step.arity; ++k)
      operands[k] = step.operands[k] + lane * step.operand_sizes[k];
    step.kernel(step.result + lane * step.result_size, operands, 1);
  }
  for (size_t init = 0; init < op_.inits.size(); ++init) {
    const size_t operand = init_operand(init);
    const unsigned size = sizes_[operand];
    scatter(element_address(block, segment, in_segment, operand),
            program_.yields[init] + lane * size, 1, 1, size);
  }
  // end of exercise
}

std::byte* GenericRun::element_address(const BlockWalker& block, size_t segment, size_t in_segment,
                                       size_t operand) const {
  const int64_t element =
      block.position(segment, operand) + static_cast<int64_t>(in_segment) * block.stride(operand);
  return operands_[operand].data + element * sizes_[operand];
}

} // namespace

void run_generic(const Function& function, const GenericOp& op,
                 const std::vector<OperandMemory>& operands,
                 const std::function<uint64_t(ValueId)>& scalar_of, CompiledMath* math) {
  GenericRun(function, op, operands).run(scalar_of, math);
}

} // namespace mo

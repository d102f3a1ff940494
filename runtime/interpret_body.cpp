// Reading order: BodyCompiler::compile is the story. Registers are numbered first and get memory
// last, when it is known how many there are and so how long a block may be.
#include "runtime/interpret_body.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "runtime/strided_copy.h"

namespace mo {

namespace {

constexpr size_t kLongestBlock =
    1024;                            // an f32 block is 4 KiB: a dozen of them stay in the L1 cache
constexpr size_t kShortestBlock = 8; // however many registers a body needs
constexpr size_t kAllElements = 1 << 20; // about as many elements in all registers together
constexpr uint32_t kNoRegister = UINT32_MAX;

/// An index is held as an i64 is.
ElementType held_as(ElementType type) {
  return type == ElementType::Index ? ElementType::I64 : type;
}

/// A step before its registers have memory.
struct PlannedStep {
  const ScalarInst* inst = nullptr;
  std::array<uint32_t, 3> operands{};
  uint32_t result = kNoRegister;
};

class BodyCompiler {
public:
  BodyCompiler(const Function& function, const GenericOp& op, const std::vector<bool>& ordered,
               const std::vector<std::optional<uint64_t>>& fixed,
               const std::function<uint64_t(ValueId)>& scalar_of, CompiledMath* math)
      : function_(function), op_(op), ordered_(ordered), fixed_(fixed), scalar_of_(scalar_of),
        math_(math) {}

  BodyProgram compile(size_t points);

private:
  static constexpr size_t kForever = SIZE_MAX;
  struct Register {
    ElementType type;
    std::optional<uint64_t> fixed; // filled once with these bits, and never anything else
  };

  void order_insts();
  void find_last_uses();
  void assign_args();
  void plan(size_t position);
  uint32_t operand_register(ValueId value);
  uint32_t new_register(ElementType type);
  uint32_t fixed_register(ElementType type, uint64_t bits);
  void release_if_dead(ValueId value, size_t position);
  BodyProgram with_memory(size_t points);
  BodyStep resolve(const PlannedStep& step, const std::vector<std::byte*>& memory) const;

  const Function& function_;
  const GenericOp& op_;
  const std::vector<bool>& ordered_;
  const std::vector<std::optional<uint64_t>>& fixed_;
  const std::function<uint64_t(ValueId)>& scalar_of_;
  CompiledMath* math_;

  std::vector<const ScalarInst*> insts_; // block steps, then ordered ones
  size_t num_block_insts_ = 0;
  std::unordered_map<uint32_t, size_t> last_use_;      // by value: position in insts_, or kForever
  std::unordered_map<uint32_t, uint32_t> register_of_; // by value
  std::vector<Register> registers_;
  std::unordered_map<int, std::vector<uint32_t>> free_; // by element type: registers to use again
  std::vector<uint32_t> arg_registers_, counter_registers_, yield_registers_;
  std::vector<PlannedStep> steps_;
  size_t num_block_steps_ = 0;
};

BodyProgram BodyCompiler::compile(size_t points) {
  order_insts();
  find_last_uses();
  assign_args();
  counter_registers_.assign(op_.iterators.size(), kNoRegister);
  for (size_t position = 0; position < insts_.size(); ++position) {
    plan(position);
    if (position + 1 == num_block_insts_)
      num_block_steps_ = steps_.size();
  }
  for (ValueId value : op_.body.yields)
    yield_registers_.push_back(operand_register(value));
  return with_memory(points);
}

/// An op is ordered if an operand of it comes from an ordered argument.
void BodyCompiler::order_insts() {
  std::unordered_map<uint32_t, bool> is_ordered;
  for (size_t k = 0; k < op_.body.args.size(); ++k)
    if (ordered_[k])
      is_ordered[op_.body.args[k].index] = true;
  std::vector<const ScalarInst*> later;
  for (const ScalarInst& inst : op_.body.insts) {
    bool in_order = false;
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      in_order |= is_ordered.contains(inst.operands[k].index);
    if (in_order)
      is_ordered[inst.result.index] = true;
    (in_order ? later : insts_).push_back(&inst);
  }
  num_block_insts_ = insts_.size();
  insts_.insert(insts_.end(), later.begin(), later.end());
}

void BodyCompiler::find_last_uses() {
  for (size_t position = 0; position < insts_.size(); ++position) {
    const ScalarInst& inst = *insts_[position];
    last_use_[inst.result.index] = position; // unless somebody reads it
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      last_use_[inst.operands[k].index] = position;
  }
  for (ValueId value : op_.body.yields)
    last_use_[value.index] = kForever;
}

void BodyCompiler::assign_args() {
  for (size_t k = 0; k < op_.body.args.size(); ++k) {
    const ValueId arg = op_.body.args[k];
    const ElementType type = function_.type(arg).element;
    uint32_t reg = kNoRegister;
    if (last_use_.contains(arg.index))
      reg = fixed_[k] ? fixed_register(type, *fixed_[k]) : new_register(type);
    register_of_[arg.index] = reg;
    arg_registers_.push_back(reg);
  }
}

void BodyCompiler::plan(size_t position) {
  const ScalarInst& inst = *insts_[position];
  const ElementType type = function_.type(inst.result).element;
  if (inst.op == ScalarOp::Constant) {
    register_of_[inst.result.index] = fixed_register(type, inst.immediate);
    return;
  }
  if (inst.op == ScalarOp::LoopIndex) { // one register per loop, for the whole body
    uint32_t& reg = counter_registers_[inst.immediate];
    if (reg == kNoRegister) {
      reg = static_cast<uint32_t>(registers_.size());
      registers_.push_back({ElementType::I64, std::nullopt});
    }
    register_of_[inst.result.index] = reg;
    last_use_[inst.result.index] = kForever;
    return;
  }
  PlannedStep step{&inst, {}, kNoRegister};
  for (unsigned k = 0; k < info(inst.op).arity; ++k)
    step.operands[k] = operand_register(inst.operands[k]);
  step.result = new_register(type);
  register_of_[inst.result.index] = step.result;
  steps_.push_back(step);
  for (unsigned k = 0; k < info(inst.op).arity; ++k)
    release_if_dead(inst.operands[k], position);
  release_if_dead(inst.result, position);
}

uint32_t BodyCompiler::operand_register(ValueId value) {
  auto found = register_of_.find(value.index);
  if (found != register_of_.end())
    return found->second;
  const uint32_t reg = fixed_register(function_.type(value).element, scalar_of_(value));
  register_of_[value.index] = reg;
  return reg;
}

uint32_t BodyCompiler::new_register(ElementType type) {
  std::vector<uint32_t>& free = free_[static_cast<int>(held_as(type))];
  if (!free.empty()) {
    const uint32_t reg = free.back();
    free.pop_back();
    return reg;
  }
  registers_.push_back({held_as(type), std::nullopt});
  return static_cast<uint32_t>(registers_.size() - 1);
}

uint32_t BodyCompiler::fixed_register(ElementType type, uint64_t bits) {
  registers_.push_back({held_as(type), bits});
  return static_cast<uint32_t>(registers_.size() - 1);
}

void BodyCompiler::release_if_dead(ValueId value, size_t position) {
  size_t& last_use = last_use_[value.index];
  const uint32_t reg = register_of_[value.index];
  if (last_use != position || registers_[reg].fixed)
    return;
  free_[static_cast<int>(registers_[reg].type)].push_back(reg);
  last_use = kForever; // an op may name one value twice; it is released once
}

BodyProgram BodyCompiler::with_memory(size_t points) {
  BodyProgram program;
  const size_t wanted = kAllElements / std::max<size_t>(registers_.size(), 1);
  program.block_length =
      std::min(std::clamp(wanted, kShortestBlock, kLongestBlock), std::max<size_t>(points, 1));
  const size_t register_bytes = (program.block_length * 8 + 63) / 64 * 64;
  // new[] for bytes starts at 16-byte boundaries, so every register is aligned to its elements.
  program.registers =
      std::make_unique_for_overwrite<std::byte[]>(register_bytes * registers_.size());
  std::vector<std::byte*> memory;
  for (size_t reg = 0; reg < registers_.size(); ++reg) {
    memory.push_back(program.registers.get() + reg * register_bytes);
    if (registers_[reg].fixed)
      fill_elements(memory[reg], *registers_[reg].fixed, program.block_length,
                    byte_size(registers_[reg].type));
  }
  auto address = [&](uint32_t reg) { return reg == kNoRegister ? nullptr : memory[reg]; };
  for (uint32_t reg : arg_registers_)
    program.args.push_back(address(reg));
  for (uint32_t reg : counter_registers_)
    program.loop_counters.push_back(address(reg));
  for (uint32_t reg : yield_registers_)
    program.yields.push_back(address(reg));
  for (size_t i = 0; i < steps_.size(); ++i)
    (i < num_block_steps_ ? program.block_steps : program.ordered_steps)
        .push_back(resolve(steps_[i], memory));
  return program;
}

BodyStep BodyCompiler::resolve(const PlannedStep& planned,
                               const std::vector<std::byte*>& memory) const {
  const ScalarInst& inst = *planned.inst;
  BodyStep step;
  step.arity = info(inst.op).arity;
  for (unsigned k = 0; k < step.arity; ++k) {
    step.operands[k] = memory[planned.operands[k]];
    step.operand_sizes[k] = byte_size(function_.type(inst.operands[k]).element);
  }
  const ElementType result_type = function_.type(inst.result).element;
  const unsigned typed = inst.op == ScalarOp::Select ? 1 : 0; // Select's first operand is its i1
  step.kernel = block_function(math_, inst.op, inst.predicate,
                               function_.type(inst.operands[typed]).element, result_type);
  step.result = memory[planned.result];
  step.result_size = byte_size(result_type);
  return step;
}

} // namespace

BodyProgram compile_body(const Function& function, const GenericOp& op,
                         const std::vector<bool>& ordered,
                         const std::vector<std::optional<uint64_t>>& fixed,
                         const std::function<uint64_t(ValueId)>& scalar_of, size_t points,
                         CompiledMath* math) {
  return BodyCompiler(function, op, ordered, fixed, scalar_of, math).compile(points);
}

} // namespace mo

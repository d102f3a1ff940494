#include "tests/codegen/kernel_builder.h"

#include <algorithm>
#include <bit>

namespace mo::testing {

KernelBuilder::KernelBuilder(std::string name) {
  kernel_.name = std::move(name);
  blocks_.emplace_back();
}

uint32_t KernelBuilder::argument(ElementType element, int64_t elements) {
  Buffer& buffer = kernel_.buffers.emplace_back();
  buffer.argument = kernel_.num_arguments++;
  buffer.name = "arg" + std::to_string(buffer.argument);
  buffer.element = element;
  buffer.elements = elements;
  return static_cast<uint32_t>(kernel_.buffers.size() - 1);
}

uint32_t KernelBuilder::temp(ElementType element, int64_t elements) {
  Buffer& buffer = kernel_.buffers.emplace_back();
  buffer.kind = Buffer::Kind::Temp;
  buffer.name = "temp" + std::to_string(kernel_.buffers.size());
  buffer.element = element;
  buffer.elements = elements;
  return static_cast<uint32_t>(kernel_.buffers.size() - 1);
}

uint32_t KernelBuilder::constant(ElementType element, std::vector<uint64_t> bits) {
  uint32_t index = temp(element, static_cast<int64_t>(bits.size()));
  kernel_.buffers[index].kind = Buffer::Kind::Constant;
  kernel_.buffers[index].bits = std::move(bits);
  return index;
}

uint32_t KernelBuilder::splat(ElementType element, int64_t elements, uint64_t bits) {
  uint32_t index = constant(element, {bits});
  kernel_.buffers[index].elements = elements;
  kernel_.buffers[index].splat = true;
  return index;
}

Reg KernelBuilder::scalar(ElementType type) {
  Reg reg = new_reg(type);
  kernel_.scalars.push_back({kernel_.num_arguments++, reg});
  return reg;
}

void KernelBuilder::alloc(uint32_t temp) {
  add(Node{Alloc{temp, {}}});
}
void KernelBuilder::free(uint32_t temp) {
  add(Node{Free{temp, {}}});
}

void KernelBuilder::begin_loop(int64_t extent, bool vectorizable) {
  Loop& loop = open_.emplace_back();
  loop.extent = extent;
  loop.name = "d" + std::to_string(open_.size() - 1);
  loop.vectorizable = vectorizable;
  blocks_.emplace_back();
}

Reg KernelBuilder::carry(Reg init) {
  ElementType type = kernel_.regs[init.index].type;
  Reg current = new_reg(type), result = new_reg(type);
  open_.back().carried.push_back({init, current, {}, result, std::nullopt});
  results_.emplace_back(current, result);
  return current;
}

void KernelBuilder::set_next(Reg current, Reg next, std::optional<ScalarOp> combine) {
  for (Carried& carried : open_.back().carried)
    if (carried.current == current) {
      carried.next = next;
      carried.combine = combine;
    }
}

Reg KernelBuilder::result_of(Reg current) const {
  for (auto [from, result] : results_)
    if (from == current)
      return result;
  return {};
}

void KernelBuilder::end_loop() {
  Loop loop = std::move(open_.back());
  open_.pop_back();
  loop.body = std::move(blocks_.back());
  blocks_.pop_back();
  add(Node{std::move(loop)});
}

Reg KernelBuilder::load(uint32_t buffer, std::vector<int64_t> strides, int64_t offset) {
  Reg dst = new_reg(kernel_.buffers[buffer].element);
  add(Node{Load{dst, {buffer, offset, std::move(strides)}, {}}});
  return dst;
}

void KernelBuilder::store(Reg value, uint32_t buffer, std::vector<int64_t> strides, int64_t offset,
                          bool streaming) {
  add(Node{Store{value, {buffer, offset, std::move(strides)}, streaming, {}}});
}

Reg KernelBuilder::compute(ScalarOp op, ElementType type, std::initializer_list<Reg> operands,
                           uint8_t predicate) {
  Compute compute;
  compute.op = op;
  compute.predicate = predicate;
  std::copy(operands.begin(), operands.end(), compute.operands.begin());
  compute.dst = new_reg(type);
  Reg dst = compute.dst;
  add(Node{compute});
  return dst;
}

Reg KernelBuilder::constant_value(ElementType type, uint64_t bits) {
  Compute compute;
  compute.op = ScalarOp::Constant;
  compute.immediate = bits;
  compute.dst = new_reg(type);
  add(Node{compute});
  return compute.dst;
}

Reg KernelBuilder::loop_index(unsigned depth) {
  Compute compute;
  compute.op = ScalarOp::LoopIndex;
  compute.immediate = depth;
  compute.dst = new_reg(ElementType::Index);
  add(Node{compute});
  return compute.dst;
}

Reg KernelBuilder::new_reg(ElementType type) {
  Reg reg{static_cast<uint32_t>(kernel_.regs.size())};
  kernel_.regs.push_back({"r" + std::to_string(reg.index), type});
  return reg;
}

void KernelBuilder::add(Node node) {
  blocks_.back().push_back(std::move(node));
}

Kernel KernelBuilder::finish() {
  kernel_.body = std::move(blocks_.back());
  return std::move(kernel_);
}

uint64_t f32_bits(float value) {
  return std::bit_cast<uint32_t>(value);
}
uint64_t f64_bits(double value) {
  return std::bit_cast<uint64_t>(value);
}

} // namespace mo::testing

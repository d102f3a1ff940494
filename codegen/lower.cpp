// Buffer-level IR to loops, one nest per op, nothing clever: each step stands where the point of
// the loop space is known, in the innermost block. Making it fast is left to simplify.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "codegen/loop_nest.h"
#include "codegen/loop_walk.h"
#include "ir/walk.h"
#include "ir/wrapping.h"

namespace mo {
namespace {

/// What is known while a function is lowered.
struct Lowering {
  const Function& function;
  Kernel& kernel;
  std::vector<Reg> regs;         // by ValueId::index: where a scalar or an element is
  std::vector<uint32_t> buffers; // by ValueId::index: which buffer a memref is

  Reg reg_of(ValueId value) const { return regs[value.index]; }

  Reg define(ValueId value) {
    const Value& v = function.value(value);
    return regs[value.index] = add_reg(kernel, v.name, v.type.element, v.loc);
  }

  Buffer& add_buffer(ValueId value, Buffer::Kind kind) {
    const Value& v = function.value(value);
    buffers[value.index] = static_cast<uint32_t>(kernel.buffers.size());
    Buffer& buffer = kernel.buffers.emplace_back();
    buffer.kind = kind;
    buffer.name = v.name;
    buffer.defined = v.loc;
    buffer.element = v.type.element;
    buffer.elements = element_count(v.type);
    return buffer;
  }
};

/// Loops -> index (the map), then index -> position in the buffer (row-major): both are affine, so
/// the strides are the product of the two matrices.
Access flatten(uint32_t buffer, const AffineMap& map, const Shape& shape) {
  Access access{buffer, 0, std::vector<int64_t>(map.num_dims(), 0)};
  int64_t row_stride = 1; // elements between neighbours along index `row`
  for (unsigned row = map.num_results(); row-- > 0;) {
    for (unsigned d = 0; d < map.num_dims(); ++d)
      access.strides[d] =
          wrapping_add(access.strides[d], wrapping_mul(map.coefficient(row, d), row_stride));
    access.offset = wrapping_add(access.offset, wrapping_mul(map.constant(row), row_stride));
    row_stride = wrapping_mul(row_stride, shape[row]);
  }
  return access;
}

Compute lower_inst(Lowering& l, const ScalarInst& inst) {
  Compute compute{};
  compute.op = inst.op;
  compute.predicate = inst.predicate;
  compute.immediate = inst.immediate;
  compute.loc = inst.loc;
  std::span<Reg> operands = operands_of(compute);
  for (size_t k = 0; k < operands.size(); ++k)
    operands[k] = l.reg_of(inst.operands[k]);
  compute.dst = l.define(inst.result);
  return compute;
}

/// Wraps `block` into the loops, the last one innermost; without loops it goes into the kernel's
/// outermost block as it is.
void add_nest(Kernel& kernel, const std::vector<int64_t>& extents, std::vector<Node> block,
              Loc loc) {
  for (size_t d = extents.size(); d-- > 0;) {
    Loop loop;
    loop.extent = extents[d];
    loop.name = fmt::format("d{}", d);
    loop.body = std::move(block);
    loop.loc = loc;
    block.clear();
    block.push_back(Node{std::move(loop)});
  }
  std::move(block.begin(), block.end(), std::back_inserter(kernel.body));
}

/// For each argument of the body, whether the body names it.
std::vector<bool> args_used(const Body& body) {
  std::vector<ValueId> named = body.yields;
  for (const ScalarInst& inst : body.insts)
    named.insert(named.end(), inst.operands.begin(), inst.operands.begin() + info(inst.op).arity);
  std::sort(named.begin(), named.end());
  std::vector<bool> used;
  used.reserve(body.args.size());
  for (ValueId arg : body.args)
    used.push_back(std::binary_search(named.begin(), named.end(), arg));
  return used;
}

/// Reads one element into `dst`. All elements of a splat are the same constant: no memory is read.
Node read_element(const Kernel& kernel, Reg dst, Access from, Loc loc) {
  const Buffer& buffer = kernel.buffers[from.buffer];
  if (!buffer.splat)
    return Node{Load{dst, std::move(from), loc}};
  Compute constant{};
  constant.op = ScalarOp::Constant;
  constant.immediate = buffer.bits[0];
  constant.dst = dst;
  constant.loc = loc;
  return Node{constant};
}

/// Names the element of one operand: a register that is there already where the operand is a
/// scalar.
void lower_element(Lowering& l, ValueId operand, ValueId arg, const AffineMap& map, Loc loc,
                   std::vector<Node>& block) {
  const Type& type = l.function.type(operand);
  if (type.is_scalar()) {
    l.regs[arg.index] = l.reg_of(operand);
    return;
  }
  Access from = flatten(l.buffers[operand.index], map, type.shape);
  block.push_back(read_element(l.kernel, l.define(arg), std::move(from), loc));
}

void lower_generic(Lowering& l, const GenericOp& generic, Loc loc) {
  const size_t num_inputs = generic.inputs.size();
  const std::vector<bool> used = args_used(generic.body);
  std::vector<Node> block;
  for (size_t k = 0; k < generic.maps.size(); ++k) {
    if (!used[k])
      continue;
    const ValueId operand = k < num_inputs ? generic.inputs[k] : generic.inits[k - num_inputs];
    lower_element(l, operand, generic.body.args[k], generic.maps[k], loc, block);
  }
  for (const ScalarInst& inst : generic.body.insts)
    block.push_back(Node{lower_inst(l, inst)});
  for (size_t j = 0; j < generic.inits.size(); ++j) {
    const ValueId init = generic.inits[j];
    block.push_back(Node{Store{
        l.reg_of(generic.body.yields[j]),
        flatten(l.buffers[init.index], generic.maps[num_inputs + j], l.function.type(init).shape),
        false, loc}});
  }
  add_nest(l.kernel, loop_extents(l.function, generic), std::move(block), loc);
}

/// The walk over all elements of a buffer in the order of memory: one loop, none at rank 0.
struct Walk {
  std::vector<int64_t> extents, strides;
};
Walk walk_of(const Type& type) {
  if (type.rank() == 0)
    return {};
  return {{element_count(type)}, {1}};
}

void lower_fill(Lowering& l, const FillOp& fill, Loc loc) {
  const Walk walk = walk_of(l.function.type(fill.init));
  const Access to{l.buffers[fill.init.index], 0, walk.strides};
  std::vector<Node> block;
  block.push_back(Node{Store{l.reg_of(fill.value), to, false, loc}});
  add_nest(l.kernel, walk.extents, std::move(block), loc);
}

void lower_copy(Lowering& l, const CopyOp& copy, Loc loc) {
  const Type& type = l.function.type(copy.source);
  const Walk walk = walk_of(type);
  const uint32_t source = l.buffers[copy.source.index];
  const Buffer& from = l.kernel.buffers[source];
  const Reg element = add_reg(l.kernel, from.name, type.element, from.defined);
  std::vector<Node> block;
  block.push_back(read_element(l.kernel, element, Access{source, 0, walk.strides}, loc));
  block.push_back(
      Node{Store{element, Access{l.buffers[copy.target.index], 0, walk.strides}, false, loc}});
  add_nest(l.kernel, walk.extents, std::move(block), loc);
}

void lower_arguments(Lowering& l) {
  l.kernel.num_arguments = static_cast<unsigned>(l.function.args.size());
  for (unsigned k = 0; k < l.function.args.size(); ++k) {
    const ValueId value = l.function.args[k].value;
    if (l.function.type(value).is_memref())
      l.add_buffer(value, Buffer::Kind::Argument).argument = k;
    else
      l.kernel.scalars.push_back({k, l.define(value)});
  }
}

void lower_alloc(Lowering& l, const AllocOp& alloc, ValueId result, Loc loc) {
  Buffer& buffer = l.add_buffer(result, Buffer::Kind::Temp);
  if (alloc.alignment)
    buffer.alignment = *alloc.alignment;
  l.kernel.body.push_back(Node{Alloc{l.buffers[result.index], loc}});
}

void lower_dense(Lowering& l, const DenseOp& dense, ValueId result) {
  Buffer& buffer = l.add_buffer(result, Buffer::Kind::Constant);
  buffer.bits = dense.bits;
  buffer.splat = dense.splat;
}

void lower_op(Lowering& l, const Op& op) {
  if (const GenericOp* generic = op.as<GenericOp>())
    lower_generic(l, *generic, op.loc);
  else if (const FillOp* fill = op.as<FillOp>())
    lower_fill(l, *fill, op.loc);
  else if (const CopyOp* copy = op.as<CopyOp>())
    lower_copy(l, *copy, op.loc);
  else if (const AllocOp* alloc = op.as<AllocOp>())
    lower_alloc(l, *alloc, op.results[0], op.loc);
  else if (const DeallocOp* dealloc = op.as<DeallocOp>())
    l.kernel.body.push_back(Node{Free{l.buffers[dealloc->memref.index], op.loc}});
  else if (const DenseOp* dense = op.as<DenseOp>())
    lower_dense(l, *dense, op.results[0]);
  else if (const ScalarInst* inst = op.as<ScalarInst>())
    l.kernel.body.push_back(Node{lower_inst(l, *inst)});
  else // the results of a function are arguments by now; tensors are gone
    assert(op.is<ReturnOp>() || op.is<ErasedOp>());
}

} // namespace

Kernel lower_to_loops(const Function& function) {
  Kernel kernel;
  kernel.name = function.name;
  kernel.loc = function.loc;
  Lowering l{function, kernel, std::vector<Reg>(function.values.size()),
             std::vector<uint32_t>(function.values.size(), UINT32_MAX)};
  lower_arguments(l);
  for (const Op& op : function.ops)
    lower_op(l, op);
  return kernel;
}

} // namespace mo

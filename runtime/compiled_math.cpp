#include "runtime/compiled_math.h"

#include <algorithm>
#include <cstring>

#include "ir/function.h"

namespace mo {
namespace {

constexpr int64_t kBlock = 64; // elements per call: four of the widest vectors of f32
constexpr size_t kWidest = 8;  // bytes of an element

/// out[i] = op(in0[i], ...) over kBlock elements, on buffers.
Function elementwise(ScalarOp op, ElementType type) {
  Function f;
  f.name = "math";
  GenericOp g;
  ScalarInst inst;
  inst.op = op;
  const unsigned arity = info(op).arity;
  for (unsigned k = 0; k <= arity; ++k) { // the operands, then the result
    const ValueId buffer = f.add_value("buffer", memref_type({kBlock}, type), {});
    const ValueId element = f.add_value("element", scalar_type(type), {});
    f.args.push_back({buffer, std::nullopt, false});
    (k < arity ? g.inputs : g.inits).push_back(buffer);
    g.maps.push_back(AffineMap::identity(1));
    g.body.args.push_back(element);
    if (k < arity)
      inst.operands[k] = element;
  }
  g.iterators = {IteratorType::Parallel};
  inst.result = f.add_value("result", scalar_type(type), {});
  g.body.insts = {inst};
  g.body.yields = {inst.result};
  f.ops.push_back({{}, {}, std::move(g)});
  f.ops.push_back({{}, {}, ReturnOp{}});
  return f;
}

/// Blocks go through buffers of the kernel's size: the last one may be shorter, and the result may
/// be one of the operands. What stands behind a short block is old, and its results are not used.
void run_in_blocks(const CompiledKernel& kernel, unsigned arity, size_t element_bytes,
                   std::byte* result, const std::byte* const* operands, size_t n) {
  alignas(64) std::byte memory[4][kBlock * kWidest] = {};
  void* arguments[4];
  for (unsigned k = 0; k <= arity; ++k)
    arguments[k] = memory[k];
  for (size_t begin = 0; begin < n; begin += kBlock) {
    const size_t bytes = std::min<size_t>(kBlock, n - begin) * element_bytes;
    const size_t offset = begin * element_bytes;
    for (unsigned k = 0; k < arity; ++k)
      std::memcpy(memory[k], operands[k] + offset, bytes);
    kernel.entry(arguments);
    std::memcpy(result + offset, memory[arity], bytes);
  }
}

} // namespace

BlockFunction CompiledMath::function(ScalarOp op, ElementType type) {
  if (allowed_ulps(op) == 0)
    return nullptr;
  auto [place, is_new] = kernels_.try_emplace({op, type});
  if (is_new) {
    Diagnostics diagnostics; // a failure: the program's own compilation reports it
    CompileOptions options;
    options.isa = isa_;
    options.nt_stores = NtStores::Never;
    if (auto kernel = compile(elementwise(op, type), options, diagnostics))
      place->second = std::make_unique<CompiledKernel>(std::move(*kernel));
  }
  const CompiledKernel* kernel = place->second.get();
  if (!kernel)
    return nullptr;
  return [kernel, arity = info(op).arity,
          bytes = byte_size(type)](std::byte* result, const std::byte* const* operands, size_t n) {
    run_in_blocks(*kernel, arity, bytes, result, operands, n);
  };
}

BlockFunction block_function(CompiledMath* math, ScalarOp op, uint8_t predicate,
                             ElementType operand_type, ElementType result_type) {
  if (math)
    if (BlockFunction compiled = math->function(op, operand_type))
      return compiled;
  return block_kernel(op, predicate, operand_type, result_type);
}

uint64_t eval_scalar(CompiledMath* math, ScalarOp op, uint8_t predicate, ElementType operand_type,
                     ElementType result_type, const uint64_t* operand_bits) {
  const BlockFunction compiled = math ? math->function(op, operand_type) : nullptr;
  if (!compiled)
    return eval_scalar(op, predicate, operand_type, result_type, operand_bits);
  alignas(kWidest) std::byte elements[3][kWidest];
  const std::byte* operands[3] = {elements[0], elements[1], elements[2]};
  for (unsigned k = 0; k < info(op).arity; ++k)
    std::memcpy(elements[k], &operand_bits[k], kWidest);
  uint64_t bits = 0;
  compiled(reinterpret_cast<std::byte*>(&bits), operands, 1);
  return bits;
}

} // namespace mo

// Function level: one op after the other. What a generic does is in interpret_generic.cpp.
#include "runtime/interpret.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "ir/walk.h"
#include "runtime/arguments.h"
#include "runtime/interpret_generic.h"
#include "runtime/interpret_values.h"
#include "runtime/strided_copy.h"

namespace mo {
namespace {

/// Every run_* returns false after leaving a message in error_.
class Interpreter {
public:
  Interpreter(const Function& function, const InterpretOptions& options);
  std::variant<std::vector<Array>, RunError> run(std::vector<RuntimeValue>& args);

private:
  void bind_arguments(std::vector<RuntimeValue>& args);
  bool run_op(uint32_t index);
  void free_after(uint32_t index);

  bool run(const Op& op, const GenericOp& generic);
  bool run(const Op& op, const FillOp& fill);
  bool run(const Op& op, const DenseOp& dense);
  bool run(const Op& op, const EmptyOp&);
  bool run(const Op& op, const ToTensorOp& to_tensor);
  bool run(const Op& op, const MaterializeOp& materialize);
  bool run(const Op& op, const AllocOp&);
  bool run(const Op&, const DeallocOp& dealloc);
  bool run(const Op&, const CopyOp& copy);
  bool run(const Op& op, const ScalarInst& inst);
  bool run(const Op&, const ReturnOp& ret);
  bool run(const Op&, const ErasedOp&) { return true; }

  InterpretedValue& slot(ValueId value) { return values_[value.index]; }
  uint64_t scalar(ValueId value) { return std::get<Scalar>(slot(value)).bits; }
  const Array& memory(ValueId memref) { return *std::get<BufferRef>(slot(memref))->array; }
  std::optional<Array> allocate(ValueId value);
  std::optional<Array> allocate_undefined(ValueId value);
  TensorRef tensor_with_memory(ValueId value);
  Array* buffer_to_write(ValueId value);
  const Array* array_to_read(ValueId value);
  TensorRef updated_init(ValueId init, bool keep_contents, bool only_mention);
  bool is_only_mention(const GenericOp& generic, ValueId init) const;
  std::optional<Array> returned(ValueId value, bool again_later);
  bool fail(std::string message);
  bool fail_allocation(ValueId value);
  std::string describe(ValueId value) const;

  const Function& function_;
  const InterpretOptions options_;
  std::vector<InterpretedValue> values_; // by ValueId::index
  std::vector<uint32_t> last_use_;       // by ValueId::index: of an op
  uint32_t current_ = 0;                 // index of the op that runs
  std::vector<Array> results_;
  std::optional<RunError> error_;
};

Interpreter::Interpreter(const Function& function, const InterpretOptions& options)
    : function_(function), options_(options), values_(function.values.size()),
      last_use_(function.values.size(), 0) {
  for (uint32_t i = 0; i < function.ops.size(); ++i)
    for_each_operand(function.ops[i],
                     [&](ValueId value, Role, unsigned) { last_use_[value.index] = i; });
}

std::variant<std::vector<Array>, RunError> Interpreter::run(std::vector<RuntimeValue>& args) {
  if (auto error = check_arguments(argument_types(function_), args))
    return *error;
  bind_arguments(args);
  for (uint32_t i = 0; i < function_.ops.size(); ++i) {
    if (!run_op(i))
      return *error_;
    free_after(i);
  }
  return std::move(results_);
}

void Interpreter::bind_arguments(std::vector<RuntimeValue>& args) {
  for (size_t k = 0; k < args.size(); ++k) {
    const ValueId value = function_.args[k].value;
    if (const auto* given = std::get_if<Scalar>(&args[k])) {
      slot(value) = *given;
      continue;
    }
    auto& array = std::get<Array>(args[k]);
    if (function_.type(value).is_tensor())
      slot(value) = std::make_shared<TensorContents>(TensorContents{std::nullopt, &array});
    else
      slot(value) = std::make_shared<BufferState>(BufferState{std::nullopt, &array, {}});
  }
}

bool Interpreter::run_op(uint32_t index) {
  current_ = index;
  const Op& op = function_.ops[index];
  return std::visit([&](const auto& kind) { return run(op, kind); }, op.kind);
}

/// Tensors nobody uses any more go. Buffers stay until their dealloc: a tensor may borrow them.
void Interpreter::free_after(uint32_t index) {
  auto free_if_dead = [&](ValueId value) {
    InterpretedValue& held = slot(value);
    if (last_use_[value.index] <= index && std::holds_alternative<TensorRef>(held))
      held = NoValue{};
  };
  const Op& op = function_.ops[index];
  for_each_operand(op, [&](ValueId value, Role, unsigned) { free_if_dead(value); });
  for (ValueId result : op.results)
    free_if_dead(result);
}

// --- Ops ---

bool Interpreter::run(const Op& op, const GenericOp& generic) {
  const std::vector<int64_t> extents = loop_extents(function_, generic);
  const bool has_points = std::ranges::find(extents, 0) == extents.end();
  std::vector<OperandMemory> operands;
  for (ValueId input : generic.inputs) {
    if (const auto* given = std::get_if<Scalar>(&slot(input))) {
      operands.push_back({nullptr, given->bits});
      continue;
    }
    const Array* array = array_to_read(input);
    if (!array)
      return false;
    // Shared with what is only read: run_generic writes to inits alone.
    operands.push_back({const_cast<std::byte*>(array->data()), std::nullopt});
  }
  std::vector<TensorRef> updated; // on tensors
  for (unsigned j = 0; j < generic.inits.size(); ++j) {
    const ValueId init = generic.inits[j];
    std::byte* data = nullptr;
    if (function_.type(init).is_memref()) {
      Array* array = buffer_to_write(init);
      if (!array)
        return false;
      data = array->data();
    } else {
      const AffineMap& map = generic.maps[generic.inputs.size() + j];
      const bool written_all_over = has_points && map.is_projected_permutation();
      const bool keep_contents = !written_all_over || body_reads_init(generic, j);
      TensorRef tensor = updated_init(init, keep_contents, is_only_mention(generic, init));
      if (!tensor)
        return false;
      data = tensor->owned->data();
      updated.push_back(std::move(tensor));
    }
    operands.push_back({data, std::nullopt});
  }
  run_generic(
      function_, generic, operands, [&](ValueId value) { return scalar(value); }, options_.math);
  for (size_t j = 0; j < updated.size(); ++j)
    slot(op.results[j]) = std::move(updated[j]);
  return true;
}

bool Interpreter::run(const Op& op, const FillOp& fill) {
  const Type& type = function_.type(fill.init);
  Array* target = nullptr;
  TensorRef tensor;
  if (type.is_memref()) {
    target = buffer_to_write(fill.init);
  } else {
    tensor = updated_init(fill.init, false, true);
    target = tensor ? &*tensor->owned : nullptr;
  }
  if (!target)
    return false;
  fill_elements(target->data(), scalar(fill.value), static_cast<size_t>(target->count()),
                byte_size(type.element));
  if (tensor)
    slot(op.results[0]) = std::move(tensor);
  return true;
}

bool Interpreter::run(const Op& op, const DenseOp& dense) {
  const ValueId result = op.results[0];
  std::optional<Array> array = allocate(result);
  if (!array)
    return false;
  if (dense.splat)
    fill_elements(array->data(), dense.bits[0], static_cast<size_t>(array->count()),
                  byte_size(array->element()));
  else
    for (int64_t i = 0; i < array->count(); ++i)
      array->set_bits(i, dense.bits[static_cast<size_t>(i)]);
  if (function_.type(result).is_tensor()) {
    slot(result) = std::make_shared<TensorContents>(TensorContents{std::move(array), nullptr});
  } else {
    auto buffer = std::make_shared<BufferState>();
    buffer->owned = std::move(array);
    buffer->array = &*buffer->owned;
    slot(result) = std::move(buffer);
  }
  return true;
}

bool Interpreter::run(const Op& op, const EmptyOp&) {
  slot(op.results[0]) = EmptyTensor{};
  return true;
}

bool Interpreter::run(const Op& op, const ToTensorOp& to_tensor) {
  BufferState& buffer = *std::get<BufferRef>(slot(to_tensor.memref));
  TensorRef snapshot = buffer.snapshot.lock();
  if (!snapshot) {
    snapshot = std::make_shared<TensorContents>(TensorContents{std::nullopt, buffer.array});
    buffer.snapshot = snapshot;
  }
  slot(op.results[0]) = std::move(snapshot);
  return true;
}

bool Interpreter::run(const Op& op, const MaterializeOp& materialize) {
  if (function_.type(materialize.dest).is_tensor()) {
    // All of `dest` is overwritten: the result has the contents of the source.
    slot(op.results[0]) = slot(materialize.source);
    return true;
  }
  TensorRef source = tensor_with_memory(materialize.source);
  if (!source)
    return false;
  if (&source->array() == &memory(materialize.dest)) // the buffer's own contents, unchanged since
    return true;
  Array* target = buffer_to_write(materialize.dest);
  if (!target)
    return false;
  std::memcpy(target->data(), source->array().data(), target->bytes());
  return true;
}

bool Interpreter::run(const Op& op, const AllocOp&) {
  auto buffer = std::make_shared<BufferState>();
  buffer->owned = allocate_undefined(op.results[0]);
  if (!buffer->owned)
    return false;
  buffer->array = &*buffer->owned;
  slot(op.results[0]) = std::move(buffer);
  return true;
}

bool Interpreter::run(const Op&, const DeallocOp& dealloc) {
  if (!buffer_to_write(dealloc.memref)) // a tensor that borrows the memory keeps its contents
    return false;
  slot(dealloc.memref) = NoValue{};
  return true;
}

bool Interpreter::run(const Op&, const CopyOp& copy) {
  Array* target = buffer_to_write(copy.target);
  if (!target)
    return false;
  std::memmove(target->data(), memory(copy.source).data(), target->bytes());
  return true;
}

bool Interpreter::run(const Op& op, const ScalarInst& inst) {
  const ElementType type = function_.type(inst.result).element;
  Scalar result{type, inst.immediate};
  if (inst.op != ScalarOp::Constant) {
    uint64_t operands[3] = {};
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      operands[k] = scalar(inst.operands[k]);
    const unsigned typed = inst.op == ScalarOp::Select ? 1 : 0;
    result.bits = eval_scalar(options_.math, inst.op, inst.predicate,
                              function_.type(inst.operands[typed]).element, type, operands);
  }
  slot(op.results[0]) = result;
  return true;
}

bool Interpreter::run(const Op&, const ReturnOp& ret) {
  for (auto value = ret.values.begin(); value != ret.values.end(); ++value) {
    const bool again_later = std::find(value + 1, ret.values.end(), *value) != ret.values.end();
    std::optional<Array> result = returned(*value, again_later);
    if (!result)
      return fail_allocation(*value);
    results_.push_back(std::move(*result));
  }
  return true;
}

// --- Values ---

std::optional<Array> Interpreter::allocate(ValueId value) {
  const Type& type = function_.type(value);
  std::optional<Array> array = Array::allocate(type.shape, type.element);
  if (!array)
    fail_allocation(value);
  return array;
}

/// The same with contents that nobody wrote.
std::optional<Array> Interpreter::allocate_undefined(ValueId value) {
  std::optional<Array> array = allocate(value);
  if (array && options_.undefined == UndefinedContents::Odd)
    make_odd(*array);
  return array;
}

/// The contents of a tensor value; a tensor.empty gets memory now. Null after an error.
TensorRef Interpreter::tensor_with_memory(ValueId value) {
  InterpretedValue& held = slot(value);
  if (std::holds_alternative<EmptyTensor>(held)) {
    std::optional<Array> fresh = allocate_undefined(value);
    if (!fresh)
      return nullptr;
    held = std::make_shared<TensorContents>(TensorContents{std::move(fresh), nullptr});
  }
  return std::get<TensorRef>(held);
}

/// The memory of a memref, about to be written. Null after an error.
Array* Interpreter::buffer_to_write(ValueId value) {
  BufferState& buffer = *std::get<BufferRef>(slot(value));
  if (detach_snapshot(buffer))
    return buffer.array;
  fail_allocation(value);
  return nullptr;
}

const Array* Interpreter::array_to_read(ValueId value) {
  if (std::holds_alternative<BufferRef>(slot(value)))
    return &memory(value);
  const TensorRef tensor = tensor_with_memory(value);
  return tensor ? &tensor->array() : nullptr;
}

/// Contents of its own for the result that updates `init`: the init's where nobody else needs them,
/// else new ones, a copy of the init's if `keep_contents`. Null after an error.
TensorRef Interpreter::updated_init(ValueId init, bool keep_contents, bool only_mention) {
  InterpretedValue& held = slot(init);
  if (auto* tensor = std::get_if<TensorRef>(&held)) {
    const bool dies_here = last_use_[init.index] == current_ && only_mention;
    if (dies_here && tensor->use_count() == 1 && (*tensor)->owned)
      return std::exchange(*tensor, nullptr);
    if (keep_contents) {
      std::optional<Array> copy = (*tensor)->array().clone();
      if (!copy) {
        fail_allocation(init);
        return nullptr;
      }
      return std::make_shared<TensorContents>(TensorContents{std::move(copy), nullptr});
    }
  }
  std::optional<Array> fresh = keep_contents ? allocate_undefined(init) : allocate(init);
  if (!fresh)
    return nullptr;
  return std::make_shared<TensorContents>(TensorContents{std::move(fresh), nullptr});
}

bool Interpreter::is_only_mention(const GenericOp& generic, ValueId init) const {
  return std::ranges::count(generic.inputs, init) + std::ranges::count(generic.inits, init) == 1;
}

std::optional<Array> Interpreter::returned(ValueId value, bool again_later) {
  if (const auto* given = std::get_if<Scalar>(&slot(value)))
    return array_of(*given);
  const TensorRef tensor = tensor_with_memory(value);
  if (!tensor)
    return std::nullopt;
  const long holders = tensor.use_count() - 1; // without this one
  if (!again_later && holders == 1 && tensor->owned)
    return std::move(tensor->owned);
  return tensor->array().clone();
}

bool Interpreter::fail(std::string message) {
  if (!error_) // the first one is the cause
    error_ = RunError{std::move(message)};
  return false;
}

bool Interpreter::fail_allocation(ValueId value) {
  return fail(fmt::format("no memory for {}: {} bytes", describe(value),
                          byte_count(function_.type(value))));
}

std::string Interpreter::describe(ValueId value) const {
  return fmt::format("%{} : {}", function_.value(value).name, to_string(function_.type(value)));
}

} // namespace

std::variant<std::vector<Array>, RunError> interpret(const Function& function,
                                                     std::vector<RuntimeValue>& args,
                                                     const InterpretOptions& options) {
  return Interpreter(function, options).run(args);
}

} // namespace mo

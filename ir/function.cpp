#include "ir/function.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "ir/walk.h"

namespace mo {

namespace {

// Calls f on every ValueId that the function stores, definitions and uses alike. The one list of
// the places where an id can stand.
template <class F> void for_each_id(Function& function, const F& f) {
  const auto each = [&](std::vector<ValueId>& ids) { std::for_each(ids.begin(), ids.end(), f); };
  const auto inst_ids = [&](ScalarInst& inst) {
    for (unsigned k = 0; k < info(inst.op).arity; ++k)
      f(inst.operands[k]);
    f(inst.result);
  };
  for (Argument& arg : function.args)
    f(arg.value);
  for (Op& op : function.ops) {
    each(op.results);
    if (auto* generic = op.as<GenericOp>()) {
      each(generic->inputs);
      each(generic->inits);
      each(generic->body.args);
      for (ScalarInst& inst : generic->body.insts)
        inst_ids(inst);
      each(generic->body.yields);
    } else if (auto* fill = op.as<FillOp>()) {
      f(fill->value);
      f(fill->init);
    } else if (auto* to_tensor = op.as<ToTensorOp>()) {
      f(to_tensor->memref);
    } else if (auto* materialize = op.as<MaterializeOp>()) {
      f(materialize->source);
      f(materialize->dest);
    } else if (auto* dealloc = op.as<DeallocOp>()) {
      f(dealloc->memref);
    } else if (auto* copy = op.as<CopyOp>()) {
      f(copy->source);
      f(copy->target);
    } else if (auto* inst = op.as<ScalarInst>()) {
      inst_ids(*inst);
    } else if (auto* ret = op.as<ReturnOp>()) {
      each(ret->values);
    }
  }
}

} // namespace

ValueId Function::add_value(std::string value_name, Type type, Loc value_loc) {
  assert(values.size() < UINT32_MAX);
  values.push_back({std::move(value_name), std::move(type), value_loc});
  return {static_cast<uint32_t>(values.size() - 1)};
}

const Function* Module::find(std::string_view name) const {
  for (const Function& function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

Level level_of(const Function& function) {
  const auto is_tensor = [&](ValueId id) {
    return id.index < function.values.size() && function.type(id).is_tensor();
  };
  if (!function.result_types.empty()) // on buffers, results are arguments
    return Level::Tensor;
  for (const Argument& arg : function.args)
    if (is_tensor(arg.value))
      return Level::Tensor;
  for (const Op& op : function.ops) {
    if (std::any_of(op.results.begin(), op.results.end(), is_tensor))
      return Level::Tensor;
    bool uses_tensor = false;
    for_each_operand(op, [&](ValueId id, Role, unsigned) { uses_tensor |= is_tensor(id); });
    if (uses_tensor)
      return Level::Tensor;
  }
  return Level::Buffer;
}

void compact(Function& function) {
  std::erase_if(function.ops, [](const Op& op) { return op.is<ErasedOp>(); });

  // Values move down to close the gaps, in the order they had.
  std::vector<bool> mentioned(function.values.size());
  for_each_id(function, [&](ValueId& id) {
    if (id.valid())
      mentioned[id.index] = true;
  });
  std::vector<uint32_t> new_index(function.values.size());
  uint32_t next = 0;
  for (uint32_t old = 0; old < function.values.size(); ++old) {
    if (!mentioned[old])
      continue;
    new_index[old] = next;
    if (next != old)
      function.values[next] = std::move(function.values[old]);
    ++next;
  }
  function.values.resize(next);
  for_each_id(function, [&](ValueId& id) {
    if (id.valid())
      id.index = new_index[id.index];
  });
}

} // namespace mo

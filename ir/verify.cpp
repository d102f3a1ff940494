#include "ir/verify.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

#include "ir/verify_context.h"

namespace mo {

VerifyContext::VerifyContext(const Function& f, Level l, Diagnostics& d)
    : function(f), level(l), diagnostics(d), definitions(DefUse(f).definitions),
      scope(f.values.size(), kNowhere), buffers(f.values.size()) {
  const Type::Kind kind = l == Level::Tensor ? Type::Kind::Tensor : Type::Kind::MemRef;
  for (uint32_t i = 0; i < f.values.size() && !witness.valid(); ++i)
    if (f.values[i].type.kind == kind && definitions[i].kind != Definition::Kind::None)
      witness = {i};
}

std::string VerifyContext::name(ValueId v) const {
  const std::string& name = function.value(v).name;
  if (name.empty())
    return fmt::format("value {}", v.index);
  const Definition& definition = definitions[v.index];
  const bool one_of_several =
      definition.kind == Definition::Kind::Result && function.op(definition.op).results.size() > 1;
  return one_of_several ? fmt::format("%{}#{}", name, definition.number) : "%" + name;
}

std::string VerifyContext::describe(ValueId v) const {
  return name(v) + " : " + to_string(type(v));
}

Note VerifyContext::defined_here(ValueId v) const {
  return {function.value(v).loc, describe(v) + " is defined here"};
}

void VerifyContext::define(ValueId v, uint64_t where, Loc loc) {
  if (scope[v.index] != kNowhere)
    error(DiagId::ValueRedefined, loc, name(v) + " has two definitions", {defined_here(v)});
  scope[v.index] = where;
}

void VerifyContext::check_use(ValueId v, Loc loc) {
  if (scope[v.index] == kFunction) {
    if (buffers[v.index].freed)
      error(DiagId::UseAfterDealloc, loc, name(v) + " is used after its dealloc",
            {{buffers[v.index].freed_at, name(v) + " is deallocated here"}, defined_here(v)});
    return;
  }
  const Definition::Kind kind = definitions[v.index].kind;
  if (kind == Definition::Kind::None)
    error(DiagId::UndefinedValue, loc, name(v) + " is used, but nothing defines it");
  else if (kind == Definition::Kind::InBody)
    error(DiagId::UndefinedValue, loc,
          name(v) + " is used here, but is a value inside the body of a generic",
          {defined_here(v)});
  else
    error(DiagId::UseBeforeDefinition, loc, name(v) + " is used before its definition",
          {defined_here(v)});
}

void VerifyContext::check_body_use(ValueId v, uint64_t body, Loc loc) {
  if (scope[v.index] == body)
    return;
  const Definition& definition = definitions[v.index];
  const bool own = definition.kind == Definition::Kind::InBody &&
                   kBody + definition.op.index == body && scope[v.index] == kNowhere;
  if (own) {
    error(DiagId::UseBeforeDefinition, loc, name(v) + " is used before its definition",
          {defined_here(v)});
    return;
  }
  check_use(v, loc);
  if (!type(v).is_scalar())
    error(DiagId::CaptureKind, loc,
          fmt::format("a body can name scalars from outside, but {} is no scalar", describe(v)),
          {defined_here(v)});
}

std::string plural(size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

void check_works_on(VerifyContext& context, const Op& op, Level needed) {
  if (context.level == needed)
    return;
  const bool buffers = needed == Level::Buffer;
  const Function& function = context.function;
  std::string other = fmt::format("the function works on {}", buffers ? "tensors" : "buffers");
  std::vector<Note> notes;
  if (context.witness.valid())
    notes.push_back(context.defined_here(context.witness));
  else if (buffers && !function.result_types.empty()) // a result alone makes it the tensor level
    other = fmt::format("@{} returns {}, and on buffers results are arguments", function.name,
                        to_string(function.result_types[0]));
  context.error(DiagId::MixedLevels, op.loc,
                fmt::format("{} works on {} here, but {}", spelling(op),
                            buffers ? "buffers" : "tensors", other),
                std::move(notes));
}

namespace {

void verify_argument(VerifyContext& context, const Argument& arg) {
  const Value& value = context.function.value(arg.value);
  context.define(arg.value, VerifyContext::kFunction, value.loc);
  if (context.level == Level::Buffer && value.type.is_tensor())
    context.error(DiagId::MixedLevels, value.loc,
                  fmt::format("argument {} is a tensor, and the function works on buffers",
                              context.describe(arg.value)));
  if (arg.writable && !value.type.is_tensor())
    context.error(DiagId::ArgumentAttribute, value.loc,
                  fmt::format("bufferization.writable is said of tensors, but {} is none",
                              context.describe(arg.value)));
  if (arg.is_result && !value.type.is_memref())
    context.error(DiagId::ArgumentAttribute, value.loc,
                  fmt::format("bufferize.result is said of memrefs, but {} is none",
                              context.describe(arg.value)));
}

void verify_result_types(VerifyContext& context) {
  const Function& function = context.function;
  for (size_t k = 0; k < function.result_types.size(); ++k) {
    const Type& type = function.result_types[k];
    if (type.is_memref())
      context.error(DiagId::BufferResult, function.loc,
                    fmt::format("result #{} of @{} is {}, but a function returns tensors and "
                                "scalars: a buffer is handed in as an argument",
                                k, function.name, to_string(type)));
    if (!type.is_memref() && context.level == Level::Buffer)
      context.error(DiagId::MixedLevels, function.loc,
                    fmt::format("result #{} of @{} is {}, and on buffers results are arguments", k,
                                function.name, to_string(type)));
  }
}

void verify_scalar_op(VerifyContext& context, const Op& op, const ScalarInst& inst) {
  if (inst.op == ScalarOp::LoopIndex) {
    context.error(DiagId::OpPlace, op.loc,
                  "linalg.index stands outside of a body, where there are no loops");
    return;
  }
  verify_scalar_types(context, inst);
}

void verify_op(VerifyContext& context, OpId id) {
  const Op& op = context.function.op(id);
  // A generic's captures are looked at with its body, which knows their places.
  for_each_operand(op, [&](ValueId v, Role role, unsigned) {
    const bool dealloc = op.is<DeallocOp>(); // says more itself
    if (role != Role::Capture && !dealloc)
      context.check_use(v, op.loc);
  });
  if (const auto* generic = op.as<GenericOp>())
    verify_generic(context, id, *generic);
  else if (const auto* fill = op.as<FillOp>())
    verify_fill(context, op, *fill);
  else if (const auto* dense = op.as<DenseOp>())
    verify_dense(context, op, *dense);
  else if (op.is<EmptyOp>())
    verify_empty(context, op);
  else if (const auto* to_tensor = op.as<ToTensorOp>())
    verify_to_tensor(context, op, *to_tensor);
  else if (const auto* materialize = op.as<MaterializeOp>())
    verify_materialize(context, op, *materialize);
  else if (const auto* alloc = op.as<AllocOp>())
    verify_alloc(context, op, *alloc);
  else if (const auto* dealloc = op.as<DeallocOp>())
    verify_dealloc(context, op, *dealloc);
  else if (const auto* copy = op.as<CopyOp>())
    verify_copy(context, op, *copy);
  else if (const auto* inst = op.as<ScalarInst>())
    verify_scalar_op(context, op, *inst);
  else if (const auto* ret = op.as<ReturnOp>())
    verify_return(context, op, *ret);
  for (ValueId result : op.results)
    context.define(result, VerifyContext::kFunction, op.loc);
}

} // namespace

void verify(const Function& function, Level level, Diagnostics& diagnostics) {
  if (!verify_structure(function, diagnostics))
    return;
  VerifyContext context(function, level, diagnostics);
  for (const Argument& arg : function.args)
    verify_argument(context, arg);
  verify_result_types(context);
  for (uint32_t i = 0; i < function.ops.size(); ++i)
    verify_op(context, OpId{i});
}

void verify(const Module& module, Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, const Function*> by_name;
  for (const Function& function : module.functions) {
    const auto [other, is_new] = by_name.emplace(function.name, &function);
    if (!is_new)
      diagnostics.error(DiagId::FunctionRedefined, function.loc,
                        fmt::format("there are two functions @{}", function.name),
                        {{other->second->loc, "the first one is here"}});
    verify(function, level_of(function), diagnostics);
  }
}

bool is_sound(const Diagnostics& of_verify) {
  // What is not kept could be anything.
  return of_verify.count() == of_verify.all().size() &&
         std::none_of(of_verify.all().begin(), of_verify.all().end(), [](const Diagnostic& d) {
           return d.id == DiagId::MalformedIr || d.id == DiagId::ElementCount;
         });
}

} // namespace mo

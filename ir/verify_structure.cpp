// Verifier: is the data sound at all? What this accepts can be indexed without a look.
#include <fmt/format.h>

#include "ir/verify_context.h"

namespace mo {

namespace {

/// Collects what is broken about one function; everything it reads may be wrong.
class StructureCheck {
public:
  StructureCheck(const Function& function, Diagnostics& diagnostics)
      : function_(function), diagnostics_(diagnostics) {}

  bool run();

private:
  void fail(Loc loc, std::string message) {
    sound_ = false;
    diagnostics_.error(DiagId::MalformedIr, loc, std::move(message));
  }
  void check_type(const Type& type, Loc loc);
  void check_id(ValueId v, Loc loc, std::string_view what);
  void check_ids(const std::vector<ValueId>& ids, Loc loc, std::string_view what);
  void check_inst(const ScalarInst& inst);
  void check_bits(uint64_t bits, ElementType type, Loc loc);
  void check_generic(const GenericOp& generic, Loc loc);
  void check_op(const Op& op);
  void check_result_count(const Op& op);

  const Function& function_;
  Diagnostics& diagnostics_;
  bool sound_ = true;
};

void StructureCheck::check_type(const Type& type, Loc loc) {
  if (type.element > ElementType::Index || type.kind > Type::Kind::MemRef) {
    fail(loc, "a type that does not exist");
    return;
  }
  if (type.is_scalar() && !type.shape.empty())
    fail(loc, "a scalar type with a shape");
  if (!checked_element_count(type.shape, type.element)) {
    sound_ = false;
    diagnostics_.error(
        DiagId::ElementCount, loc,
        fmt::format("{} has a negative extent or more bytes than 64 bits count", to_string(type)));
  }
}

void StructureCheck::check_id(ValueId v, Loc loc, std::string_view what) {
  if (v.index >= function_.values.size())
    fail(loc, fmt::format("{} is value {} of a function that has {}", what, v.index,
                          function_.values.size()));
}

void StructureCheck::check_ids(const std::vector<ValueId>& ids, Loc loc, std::string_view what) {
  for (ValueId v : ids)
    check_id(v, loc, what);
}

void StructureCheck::check_bits(uint64_t bits, ElementType type, Loc loc) {
  const unsigned width = bit_width(type);
  if (width < 64 && bits >> width != 0)
    fail(loc, fmt::format("constant bits {:#x} where {} has {}", bits, spelling(type), width));
}

void StructureCheck::check_inst(const ScalarInst& inst) {
  if (static_cast<unsigned>(inst.op) >= num_scalar_ops()) {
    fail(inst.loc, fmt::format("scalar op number {} where there are {}",
                               static_cast<unsigned>(inst.op), num_scalar_ops()));
    return;
  }
  for (unsigned k = 0; k < info(inst.op).arity; ++k)
    check_id(inst.operands[k], inst.loc, "an operand");
  check_id(inst.result, inst.loc, "a result");
  if (inst.op == ScalarOp::CmpF && inst.predicate > static_cast<unsigned>(CmpFPredicate::True))
    fail(inst.loc, fmt::format("arith.cmpf has no predicate {}", inst.predicate));
  if (inst.op == ScalarOp::CmpI && inst.predicate > static_cast<unsigned>(CmpIPredicate::UGE))
    fail(inst.loc, fmt::format("arith.cmpi has no predicate {}", inst.predicate));
  if (inst.op == ScalarOp::Constant && inst.result.index < function_.values.size())
    check_bits(inst.immediate, function_.type(inst.result).element, inst.loc);
}

void StructureCheck::check_generic(const GenericOp& generic, Loc loc) {
  check_ids(generic.inputs, loc, "an input");
  check_ids(generic.inits, loc, "an init");
  check_ids(generic.body.args, generic.body.loc, "a block argument");
  for (const ScalarInst& inst : generic.body.insts)
    check_inst(inst);
  check_ids(generic.body.yields, generic.body.loc, "a yielded value");
  for (IteratorType iterator : generic.iterators)
    if (iterator > IteratorType::Reduction)
      fail(loc, "an iterator type that does not exist");
  if (generic.inits.empty())
    fail(loc, "linalg.generic has no outs: it writes nothing");
}

void StructureCheck::check_result_count(const Op& op) {
  size_t least = 1, most = 1;
  if (op.is<GenericOp>())
    return; // as many as inits, which verify_generic compares
  if (op.is<FillOp>() || op.is<MaterializeOp>())
    least = 0;
  else if (op.is<DeallocOp>() || op.is<CopyOp>() || op.is<ReturnOp>() || op.is<ErasedOp>())
    least = most = 0;
  if (op.results.size() < least || op.results.size() > most)
    fail(op.loc,
         fmt::format("{} cannot have {}", spelling(op), plural(op.results.size(), "result")));
}

void StructureCheck::check_op(const Op& op) {
  if (const auto* inst = op.as<ScalarInst>()) {
    check_inst(*inst);
    if (op.results != std::vector{inst->result})
      fail(op.loc, "a scalar op whose result is not the op's");
  } else if (const auto* generic = op.as<GenericOp>()) {
    check_generic(*generic, op.loc);
  } else {
    for_each_operand(op, [&](ValueId v, Role, unsigned) { check_id(v, op.loc, "an operand"); });
  }
  if (sound_)
    check_result_count(op);
  check_ids(op.results, op.loc, "a result");
  if (const auto* dense = op.as<DenseOp>(); dense && sound_)
    for (uint64_t bits : dense->bits)
      check_bits(bits, function_.type(op.results[0]).element, op.loc);
}

bool StructureCheck::run() {
  for (const Value& value : function_.values)
    check_type(value.type, value.loc);
  for (const Type& type : function_.result_types)
    check_type(type, function_.loc);
  for (const Argument& arg : function_.args)
    check_id(arg.value, function_.loc, "an argument");
  for (const Op& op : function_.ops)
    check_op(op);
  if (function_.ops.empty() || !function_.ops.back().is<ReturnOp>()) {
    sound_ = false;
    diagnostics_.error(DiagId::MissingTerminator, function_.loc,
                       fmt::format("@{} does not end in a return", function_.name));
  }
  for (size_t i = 0; i + 1 < function_.ops.size(); ++i)
    if (function_.ops[i].is<ReturnOp>())
      fail(function_.ops[i].loc, "a return in the middle of the function");
  return sound_;
}

} // namespace

bool verify_structure(const Function& function, Diagnostics& diagnostics) {
  return StructureCheck(function, diagnostics).run();
}

} // namespace mo

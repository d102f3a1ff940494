// How each op looks.
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "ir/print.h"
#include "ir/printer.h"
#include "ir/walk.h"

namespace mo {

void Printer::print_op(const Op& op) {
  from(op.loc);
  print_results(op);
  std::visit([&](const auto& kind) { print_kind(op, kind); }, op.kind);
}

// "%x = ", "%r:2 = ", "%a, %b = "
void Printer::print_results(const Op& op) {
  for (size_t i = 0; i < op.results.size(); ++i) {
    const ValueId first = op.results[i];
    std::string shown = name(first);
    if (const size_t mark = shown.find('#'); mark != shown.npos) {
      size_t end = i + 1;
      while (end < op.results.size() && !name(op.results[end]).ends_with("#0") &&
             name(op.results[end]).starts_with(shown.substr(0, mark + 1)))
        ++end;
      shown = fmt::format("{}:{}", shown.substr(0, mark), end - i);
      i = end - 1;
    }
    puts_.push_back({out_.size(), shown.size(), first});
    out_ += shown;
    out_ += i + 1 == op.results.size() ? " = " : ", ";
  }
}

void Printer::print_kind(const Op& op, const GenericOp& generic) {
  out_ += "linalg.generic {indexing_maps = [";
  for (size_t i = 0; i < generic.maps.size(); ++i) {
    out_ += i > 0 ? ", " : "";
    out_ += aliases_.name(generic.maps[i]);
  }
  out_ += "], iterator_types = [";
  for (size_t i = 0; i < generic.iterators.size(); ++i) {
    out_ += i > 0 ? ", " : "";
    out_ += generic.iterators[i] == IteratorType::Parallel ? "\"parallel\"" : "\"reduction\"";
  }
  out_ += "]}";
  if (!generic.inputs.empty()) {
    out_ += " ins(";
    print_typed(generic.inputs);
    out_ += ')';
  }
  if (!generic.inits.empty()) {
    out_ += " outs(";
    print_typed(generic.inits);
    out_ += ')';
  }
  print_body(op, generic.body);
  print_arrow(op.results);
}

// Its instructions have places of their own, the rest is there for the op.
void Printer::print_body(const Op& op, const Body& body) {
  out_ += " {";
  if (!body.args.empty()) {
    line();
    out_ += "^bb0(";
    for (size_t i = 0; i < body.args.size(); ++i) {
      out_ += i > 0 ? ", " : "";
      put(body.args[i]);
      out_ += ": " + type(body.args[i]);
    }
    out_ += "):";
  }
  indent_ += 2;
  for (const ScalarInst& inst : body.insts) {
    line();
    from(inst.loc);
    put(inst.result);
    out_ += " = ";
    print_inst(inst);
  }
  line();
  from(op.loc);
  out_ += "linalg.yield";
  if (!body.yields.empty()) {
    out_ += ' ';
    print_typed(body.yields);
  }
  indent_ -= 2;
  line();
  out_ += '}';
}

void Printer::print_kind(const Op&, const ScalarInst& inst) {
  print_inst(inst);
}

void Printer::print_inst(const ScalarInst& inst) {
  const ScalarOpInfo& row = info(inst.op);
  const ElementType result = function_.type(inst.result).element;
  out_ += row.spelling;
  out_ += ' ';
  if (row.rule == TypeRule::Constant) {
    out_ += print_constant(inst.immediate, result);
    return;
  }
  if (row.rule == TypeRule::LoopIndex) {
    out_ += fmt::format("{} : index", inst.immediate);
    return;
  }
  if (row.rule == TypeRule::CompareFloat)
    fmt::format_to(std::back_inserter(out_), "{}, ",
                   spelling(static_cast<CmpFPredicate>(inst.predicate)));
  if (row.rule == TypeRule::CompareInt)
    fmt::format_to(std::back_inserter(out_), "{}, ",
                   spelling(static_cast<CmpIPredicate>(inst.predicate)));
  for (unsigned i = 0; i < row.arity; ++i) {
    out_ += i > 0 ? ", " : "";
    put(inst.operands[i]);
  }
  const bool select = row.rule == TypeRule::Select;
  out_ += " : " + type(inst.operands[select ? 1 : 0]);
  if (is_cast(row.rule))
    out_ += fmt::format(" to {}", spelling(result));
}

void Printer::print_kind(const Op& op, const FillOp& fill) {
  out_ += "linalg.fill ins(";
  print_typed({fill.value});
  out_ += ") outs(";
  print_typed({fill.init});
  out_ += ')';
  print_arrow(op.results);
}

// A constant buffer is a global of the module, since MLIR has no other.
void Printer::print_kind(const Op& op, const DenseOp& dense) {
  const Type& t = function_.type(op.results[0]);
  out_ += t.is_memref() ? "memref.get_global " + constants_.name(dense, t)
                        : "arith.constant " + dense_text(dense, t);
  out_ += " : " + to_string(t);
}

void Printer::print_kind(const Op& op, const EmptyOp&) {
  out_ += "tensor.empty() : ";
  print_types(op.results);
}

void Printer::print_kind(const Op& op, const ToTensorOp& to_tensor) {
  out_ += "bufferization.to_tensor ";
  put(to_tensor.memref);
  out_ += fmt::format("{}{} : {} to ", to_tensor.restrict ? " restrict" : "",
                      to_tensor.writable ? " writable" : "", type(to_tensor.memref));
  print_types(op.results);
}

void Printer::print_kind(const Op& op, const MaterializeOp& m) {
  out_ += "bufferization.materialize_in_destination ";
  put(m.source);
  out_ += fmt::format(" in {}{}", m.restrict ? "restrict " : "", m.writable ? "writable " : "");
  put(m.dest);
  out_ += fmt::format(" : ({}, {}) -> ", type(m.source), type(m.dest));
  if (op.results.empty())
    out_ += "()";
  print_types(op.results);
}

void Printer::print_kind(const Op& op, const AllocOp& alloc) {
  out_ += "memref.alloc()";
  if (alloc.alignment)
    fmt::format_to(std::back_inserter(out_), " {{alignment = {} : i64}}", *alloc.alignment);
  out_ += " : ";
  print_types(op.results);
}

void Printer::print_kind(const Op&, const DeallocOp& dealloc) {
  out_ += "memref.dealloc ";
  print_typed({dealloc.memref});
}

void Printer::print_kind(const Op&, const CopyOp& copy) {
  out_ += "memref.copy ";
  print_names({copy.source, copy.target});
  out_ += fmt::format(" : {} to {}", type(copy.source), type(copy.target));
}

void Printer::print_kind(const Op&, const ReturnOp& op) {
  out_ += "return";
  if (!op.values.empty()) {
    out_ += ' ';
    print_typed(op.values);
  }
}

void Printer::print_kind(const Op&, const ErasedOp&) {
  out_ += "// erased";
}

} // namespace mo

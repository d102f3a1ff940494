// What the parts of the verifier share. Private to verify*.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/diagnostic.h"
#include "ir/function.h"
#include "ir/walk.h"

namespace mo {

/// One function being verified, walked once in program order.
struct VerifyContext {
  const Function& function;
  const Level level;
  Diagnostics& diagnostics;
  std::vector<Definition> definitions; // by ValueId::index

  /// Where each value has been defined so far: nowhere, at function level, or in the body of op i
  /// (kBody + i). By ValueId::index. A body's values stay marked afterwards, but as of that body.
  std::vector<uint64_t> scope;
  static constexpr uint64_t kNowhere = 0, kFunction = 1, kBody = 2;

  /// By ValueId::index: did memref.alloc give it, and where was it deallocated?
  struct BufferState {
    bool allocated = false, freed = false;
    Loc freed_at;
  };
  std::vector<BufferState> buffers;

  VerifyContext(const Function& f, Level l, Diagnostics& d);

  const Type& type(ValueId v) const { return function.type(v); }
  void error(DiagId id, Loc loc, std::string message, std::vector<Note> notes = {}) {
    diagnostics.error(id, loc, std::move(message), std::move(notes));
  }

  /// The first tensor (on Level::Tensor) or memref (on Level::Buffer) of the function, if any: what
  /// makes the level what it is.
  ValueId witness;

  /// Counts an error whose message would not be kept; false where it has to be written after all.
  /// For checks that may fail many times per op, whose messages would cost more than the input.
  bool count_only(DiagId id, Loc loc) {
    if (diagnostics.count() < Diagnostics::kMaxErrors)
      return false;
    diagnostics.error(id, loc, {});
    return true;
  }

  /// "%x", "%r#1"; "value 7" for a value without a name.
  std::string name(ValueId v) const;
  /// "%x : tensor<4xf32>"
  std::string describe(ValueId v) const;
  /// "%x : tensor<4xf32> is defined here"
  Note defined_here(ValueId v) const;

  /// Marks a definition; reports a second one.
  void define(ValueId v, uint64_t where, Loc loc);
  /// Reports a use of a value that is not defined above at function level, or was deallocated.
  void check_use(ValueId v, Loc loc);
  /// The same for a body, which sees its own values and scalars of the function.
  void check_body_use(ValueId v, uint64_t body, Loc loc);
};

/// "1 map", "2 maps"
std::string plural(size_t n, std::string_view noun);

/// Is the data sound at all: ids and enumerators inside their tables, counts as the op's kind fixes
/// them, a return at the end? Everything else indexes freely once this holds. Text never fails it.
bool verify_structure(const Function& function, Diagnostics& diagnostics);

/// Map, operand, result and body rules of a generic. Defines the body's values.
void verify_generic(VerifyContext& context, OpId id, const GenericOp& generic);

/// Operand and result types of a scalar op; its operands' definitions are not looked at.
void verify_scalar_types(VerifyContext& context, const ScalarInst& inst);

/// The other ops of the function level, each with its results.
void verify_fill(VerifyContext& context, const Op& op, const FillOp& fill);
void verify_dense(VerifyContext& context, const Op& op, const DenseOp& dense);
void verify_empty(VerifyContext& context, const Op& op);
void verify_to_tensor(VerifyContext& context, const Op& op, const ToTensorOp& to_tensor);
void verify_materialize(VerifyContext& context, const Op& op, const MaterializeOp& materialize);
void verify_alloc(VerifyContext& context, const Op& op, const AllocOp& alloc);
void verify_dealloc(VerifyContext& context, const Op& op, const DeallocOp& dealloc);
void verify_copy(VerifyContext& context, const Op& op, const CopyOp& copy);
void verify_return(VerifyContext& context, const Op& op, const ReturnOp& ret);

/// An op on tensors in a function on buffers, or the other way.
void check_works_on(VerifyContext& context, const Op& op, Level needed);

/// A buffer that an op writes must not be a constant.
void check_not_constant(VerifyContext& context, const Op& op, ValueId written);

/// One result per init, of the init's type, on tensors; none on memrefs.
void check_results_match(VerifyContext& context, const Op& op, const std::vector<ValueId>& inits);

} // namespace mo

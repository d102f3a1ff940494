// What a program is: values, ops, functions. Plain data: a function owns everything in it,
// references are small typed ids into its tables, and copying a function takes a snapshot.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/affine_map.h"
#include "ir/location.h"
#include "ir/scalar_op.h"
#include "ir/type.h"

namespace mo {

/// Index into Function::values. Arguments, op results, block arguments and the results of scalar
/// ops inside bodies share the one table; so a body names a captured value as it names its own.
struct ValueId {
  uint32_t index = UINT32_MAX;
  bool valid() const { return index != UINT32_MAX; }
  auto operator<=>(const ValueId&) const = default;
};

/// Index into Function::ops.
struct OpId {
  uint32_t index = UINT32_MAX;
  bool valid() const { return index != UINT32_MAX; }
  auto operator<=>(const OpId&) const = default;
};

struct Value {
  /// Without the %. The name of an op with several results is shared by them; `%name#k` is k's.
  /// A hint: printing adds a suffix where two values of one scope would meet (print.h).
  std::string name;
  Type type;
  Loc loc;
};

/// One scalar op. Stands in a body, or between the ops of a function (constants, and arithmetic on
/// scalar arguments). Its result type is the type of `result`.
struct ScalarInst {
  ScalarOp op = ScalarOp::Constant;
  uint8_t predicate = 0;             // CmpF, CmpI: the enumerator's number
  std::array<ValueId, 3> operands{}; // the first info(op).arity count
  uint64_t immediate = 0;            // Constant: the bits, cut to bit_width; LoopIndex: which loop
  ValueId result;
  Loc loc;
};

/// The block of a generic: runs once per point of the loops.
struct Body {
  std::vector<ValueId> args;     // elements: one per input, then one per init
  std::vector<ScalarInst> insts; // in order; may name args, earlier results, and captured scalars
  std::vector<ValueId> yields;   // one per init: its new element
  Loc loc;                       // of ^bb0
  Loc yield_loc;                 // of linalg.yield; {0, 0} where it is not known
};

enum class IteratorType : uint8_t {
  Parallel,  // iterations touch different elements of every init
  Reduction, // iterations may update the same element, in an order that is not defined for float
             // sums
};

/// linalg.generic. For every point of the loop space: read each operand at maps[k](point), run the
/// body, write yield j to init j at its map. On tensors result j is init j so updated (inits.size()
/// results); on memrefs the write is in place and there are no results.
struct GenericOp {
  std::vector<ValueId> inputs; // tensors or memrefs; scalars too, through a map with no results
  std::vector<ValueId> inits;
  std::vector<AffineMap> maps; // inputs', then inits'; each from the loops to the operand's index
  std::vector<IteratorType> iterators;
  Body body;
};

/// linalg.fill: every element of the init becomes `value`. One result on a tensor, none on a
/// memref.
struct FillOp {
  ValueId value, init;
};

/// A dense constant tensor: one element per position in row-major order, or one for all (a splat).
struct DenseOp {
  bool splat = false;
  std::vector<uint64_t> bits; // each cut to bit_width
};

/// tensor.empty: a tensor whose elements are not defined. A shape to compute into.
struct EmptyOp {};

/// bufferization.to_tensor: the contents of a buffer as a tensor. `restrict` promises that no other
/// to_tensor or materialize aliases it; `writable` permits updating the buffer in place.
struct ToTensorOp {
  ValueId memref;
  bool restrict = false, writable = false;
};

/// bufferization.materialize_in_destination: a write of the tensor into `dest`, a memref (no
/// results) or a tensor (one result: `dest` so updated).
struct MaterializeOp {
  ValueId source, dest;
  bool restrict = false, writable = false;
};

struct AllocOp {                    // memref.alloc: contents not defined
  std::optional<int64_t> alignment; // bytes
};
struct DeallocOp { // memref.dealloc
  ValueId memref;
};
struct CopyOp { // memref.copy: the same shape; source and target are equal or disjoint
  ValueId source, target;
};
struct ReturnOp {
  std::vector<ValueId> values;
};
/// Left behind by a rewrite until `compact` runs; has no operands and no results.
struct ErasedOp {};

/// Function-level op; a closed set. Results live in Function::values.
struct Op {
  using Kind = std::variant<GenericOp, FillOp, DenseOp, EmptyOp, ToTensorOp, MaterializeOp, AllocOp,
                            DeallocOp, CopyOp, ScalarInst, ReturnOp, ErasedOp>;
  Loc loc;
  std::vector<ValueId> results; // a ScalarInst repeats its result here
  Kind kind;

  template <class T> T* as() { return std::get_if<T>(&kind); }
  template <class T> const T* as() const { return std::get_if<T>(&kind); }
  template <class T> bool is() const { return std::holds_alternative<T>(kind); }
};

struct Argument {
  ValueId value;
  /// {bufferization.writable = ...}, tensors only; absent means writable.
  std::optional<bool> writable;
  /// {bufferize.result}: a buffer that stands for a result of the function before bufferization.
  bool is_result = false;
};

enum class Visibility : uint8_t { Unstated, Public, Private };

struct Function {
  std::string name; // without the @
  Visibility visibility = Visibility::Unstated;
  std::vector<Value> values; // rows that nothing defines any more may remain
  std::vector<Argument> args;
  std::vector<Type> result_types;
  std::vector<Op> ops; // program order; the last one is the ReturnOp
  Loc loc;

  const Value& value(ValueId id) const { return values[id.index]; }
  Value& value(ValueId id) { return values[id.index]; }
  const Type& type(ValueId id) const { return values[id.index].type; }
  const Op& op(OpId id) const { return ops[id.index]; }
  Op& op(OpId id) { return ops[id.index]; }

  ValueId add_value(std::string value_name, Type type, Loc value_loc);
};

struct Module {
  bool explicit_module = false; // written as `module { }`
  std::vector<Function> functions;
  const Function* find(std::string_view name) const;
};

/// What a function works on. Tensor: values are tensors, memrefs only enter and leave through
/// to_tensor and materialize. Buffer: no tensor anywhere, everything is a memref, results are
/// arguments.
enum class Level : uint8_t { Tensor, Buffer };
/// Buffer iff no value that is in use is a tensor and nothing is returned.
Level level_of(const Function& function);

/// Drops ErasedOps and the values that nothing defines; ids change.
void compact(Function& function);

} // namespace mo

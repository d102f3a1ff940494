// The approximated math functions, evaluated by the code that the compiler emits for them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "codegen/compile.h"
#include "codegen/isa.h"
#include "ir/scalar_op.h"
#include "runtime/scalar_eval.h"

namespace mo {

/// What a BlockKernel does, with state.
using BlockFunction =
    std::function<void(std::byte* result, const std::byte* const* operands, size_t n)>;

/// exp, tanh, powf, ... are approximated by codegen, to a few units in the last place
/// (allowed_ulps), so a compiled program cannot be compared with libm to the bit. But the bits of
/// an element depend on its operands and the instruction set alone. With this in the interpreter's
/// hands the two agree to the bit again, and an op's distance from libm is tested on its own.
class CompiledMath {
public:
  /// An instruction set that this CPU has.
  explicit CompiledMath(Isa isa) : isa_(isa) {}

  /// result[i] = op(operands...[i]) by machine code, compiled at the first request. Null where the
  /// op is not approximated or does not compile; then libm is right, or as good as anything. Valid
  /// as long as this object.
  BlockFunction function(ScalarOp op, ElementType type);

  Isa isa() const { return isa_; }

private:
  Isa isa_;
  std::map<std::pair<ScalarOp, ElementType>, std::unique_ptr<CompiledKernel>> kernels_;
};

/// The op as `math` evaluates it; as the table's expression where `math` is null or has nothing of
/// its own. Types as for block_kernel.
BlockFunction block_function(CompiledMath* math, ScalarOp op, uint8_t predicate,
                             ElementType operand_type, ElementType result_type);
/// One element, the same way; bits as for eval_scalar.
uint64_t eval_scalar(CompiledMath* math, ScalarOp op, uint8_t predicate, ElementType operand_type,
                     ElementType result_type, const uint64_t* operand_bits);

} // namespace mo

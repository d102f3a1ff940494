// A math function as a kernel over arrays, compiled as a program would be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codegen/compile.h"
#include "tests/math/math_op.h"

namespace mo::testing {

/// out[i] = op(a[i]) or op(a[i], b[i]) for `elements` contiguous elements. run may be called by
/// several threads at once.
class MathKernel {
public:
  /// Nothing, and why, if it does not compile.
  static std::optional<MathKernel> build(const MathOp& op, ElementType type, Isa isa,
                                         int64_t elements, std::string& why_not);

  void run(const void* a, const void* b, void* out) const;
  int64_t elements() const { return elements_; }
  Isa isa() const { return isa_; }

private:
  MathKernel(CompiledKernel code, unsigned num_inputs, Isa isa, int64_t elements)
      : code_(std::move(code)), num_inputs_(num_inputs), isa_(isa), elements_(elements) {}

  CompiledKernel code_;
  unsigned num_inputs_;
  Isa isa_;
  int64_t elements_;
};

} // namespace mo::testing

// One call of a kernel on guarded memory.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "codegen/loop_nest.h"
#include "runtime/array.h"
#include "tests/codegen/evaluate_loops.h"

namespace mo::testing {

struct GuardedCall {
  /// Each buffer `misalign` bytes (different ones if `spread`: the k-th k * misalign more) after a
  /// 64-byte boundary, between guards.
  GuardedCall(const Kernel& kernel, const LoopArguments& arguments, size_t misalign, bool spread);

  /// What CompiledKernel::Entry takes.
  std::vector<void*> pointers;
  /// Compares every element of every argument. Empty if all is as expected. NaNs are equal to each
  /// other.
  std::string mismatch(const Kernel& kernel, const LoopArguments& expected) const;

private:
  std::deque<Array> arrays_; // buffers, by buffer index among the arguments
  std::deque<uint64_t> scalars_;
};

} // namespace mo::testing

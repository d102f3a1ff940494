// Runs machine code on guarded memory and compares it with evaluate_loops.h.
#pragma once

#include <string>
#include <vector>

#include "codegen/compile.h"
#include "tests/codegen/evaluate_loops.h"
#include "tests/codegen/host_isas.h"

namespace mo::testing {

/// Compiles the kernel and runs it on the arguments, each buffer `misalign` bytes (different ones
/// if `spread`: the k-th k * misalign more) after a 64-byte boundary, between guards; compares
/// every element of every argument with what the kernel means. Empty if all is as it should be,
/// else what is not. NaNs are equal to each other.
std::string jit_mismatch(const Kernel& kernel, const LoopArguments& arguments, Isa isa,
                         size_t misalign = 0, bool spread = false);

/// jit_mismatch on every ISA; the first complaint.
std::string jit_mismatch(const Kernel& kernel, const LoopArguments& arguments);

/// Small whole numbers of any sign, so that sums are exact in every order; 0 and 1 for i1.
std::vector<uint64_t> small_numbers(ElementType type, int64_t count, uint64_t seed = 1);

/// For every argument of the kernel, in order: small numbers.
LoopArguments small_arguments(const Kernel& kernel, uint64_t seed = 1);

} // namespace mo::testing

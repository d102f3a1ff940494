// The clean-ups that mlir-opt runs along with fusion, each a rewrite of its own. All of them keep
// every result to the bit.
#pragma once

#include <cstdint>
#include <string_view>

#include "ir/function.h"
#include "passes/observer.h"

namespace mo {

/// What a clean-up did, or why it did not: the reason ids of the pass's remarks.
enum class CleanupReason : uint8_t {
  // Passed.
  /// A filled tensor read as an input: the body names the fill's scalar instead.
  FillInlined, // fill-inlined
  /// A constant read as an input (a splat tensor, or a scalar): the body names it instead.
  SplatInlined, // splat-inlined
  /// A constant inside a body moved out to the function, and equal ones became one.
  ConstantHoisted, // constant-hoisted
  /// Inputs that read the same value through the same map became one.
  DuplicateInputMerged, // duplicate-input-merged
  /// A generic that yields its operands as they are was replaced by them.
  IdentityCopyErased, // identity-copy-erased
  /// An init that is wholly overwritten and not read became a tensor.empty.
  UnreadInitForgotten, // unread-init-forgotten
  /// An op without effects whose results nobody uses was erased.
  DeadOpErased, // dead-op-erased
  /// A result that nobody uses went, with its init.
  DeadResultDropped, // dead-result-dropped
  /// A result equal to another (same init, map and yield) was replaced by it.
  DuplicateResultMerged, // duplicate-result-merged
  /// Scalar ops in a body whose values nobody uses went.
  DeadScalarDropped, // dead-scalar-dropped
  /// An input that the body does not read went.
  DeadInputDropped, // dead-input-dropped
  // Missed.
  /// A constant or unread input stays: without it a loop would have no extent.
  InputGivesExtent, // input-gives-extent
  /// A result that nobody uses stays: without its init a loop would have no extent.
  ResultGivesExtent, // result-gives-extent
  /// An init that is not read stays: some of its elements are not overwritten.
  PartialWrite, // partial-write
  /// The observer said no.
  LeftOut, // left-out
  // Analysis.
  /// No clean-up applied.
  NothingToClean, // nothing-to-clean
};
inline constexpr unsigned kNumCleanupReasons = 16;
std::string_view spelling(CleanupReason reason);

/// The pass, to a fixed point. Requires tensor-level IR.
void canonicalize(Function& function, Observer& observer);

} // namespace mo

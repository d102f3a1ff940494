// Elementwise fusion: a producer's body moves into its consumer, and the tensor between them is
// gone.
//
// First decide, then rewrite: plan_fusion looks at one edge (a generic that reads another generic's
// result) and returns a plan, or a refusal with the facts; apply_fusion carries a plan out and
// cannot fail; fuse_elementwise does so for every edge of a function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/function.h"
#include "passes/observer.h"
#include "passes/uses.h"

namespace mo {

enum class FusionMode : uint8_t {
  Strict, // only where the loops of producer and consumer line up, and the result is never slower
  Mlir,   // what mlir-opt 22's --linalg-fuse-elementwise-ops fuses: any read map, no cost model
};

/// Why an edge does not fuse, in the order in which plan_fusion asks. Where a condition differs
/// between the modes it says so; the others hold in both.
enum class FusionReason : uint8_t {
  /// The value is not a linalg.generic's result: an argument, a fill, a constant, ...
  ProducerNotGeneric, // producer-not-generic
  /// The producer sums something up, and a sum is finished only after its last iteration.
  ProducerHasReduction, // producer-has-reduction
  /// The producer's body reads the old element of its init. Mlir: refused only where the fused
  /// loops
  /// would come by that element more than once.
  ProducerReadsInit, // producer-reads-init
  /// The consumer updates the value (it is an init), rather than reading it as an input.
  InitOperand, // init-operand
  /// Somebody else, or the consumer through another operand, uses a result of the producer.
  OtherUse, // other-use
  /// The producer's write map is not a permutation of its loops: it writes some elements only.
  WriteNotPermutation, // write-not-permutation
  /// Strict: an index of the read is not one plain loop of the consumer but a constant or a sum.
  NonPlainRead, // non-plain-read
  /// Strict: one loop of the consumer would drive two of the producer's, as in (d0) -> (d0, d0).
  DiagonalRead, // diagonal-read
  /// Strict: the consumer's loops would run the producer's in another order.
  TransposedRead, // transposed-read
  /// The edge is the only operand that gives some loop of the consumer its extent.
  LoopLosesExtent, // loop-loses-extent
  /// Strict, legal but not profitable: a broadcast would compute an expensive body several times.
  ExpensiveRecompute, // expensive-recompute
};
inline constexpr unsigned kNumFusionReasons = 11;
std::string_view spelling(FusionReason reason); // "transposed-read"

/// Ids of the other remarks of the pass.
namespace fusion_remark {
inline constexpr std::string_view kFused = "fused";             // Passed: an edge was fused
inline constexpr std::string_view kMerged = "duplicate-merged"; // Passed: equal reads became one
inline constexpr std::string_view kLeftOut = "left-out";        // Missed: the observer said no
inline constexpr std::string_view kNothing = "nothing-to-fuse"; // Analysis: and why
} // namespace fusion_remark

/// An edge that fuses.
struct FusionPlan {
  OpId producer, consumer;
  unsigned operand = 0; // of the consumer: an input
  unsigned result = 0;  // of the producer: what the operand reads
  AffineMap write;      // producer loops -> index of the element written
  AffineMap read;       // consumer loops -> index of the element read (or, of an init, updated)
  AffineMap loops;      // consumer loops -> producer loops: inverse(write) after read
  /// Results of the producer that the fused op must go on computing (Mlir only), ascending.
  std::vector<unsigned> kept_results;
};

/// An edge that does not, and the facts that say so.
struct FusionRefusal {
  FusionReason reason = FusionReason::ProducerNotGeneric;
  OpId consumer;
  unsigned operand = 0;
  OpId producer;                // not valid where the value is an argument
  AffineMap write, read, loops; // as in FusionPlan; no write where the producer is no generic, and
                                // loops only after WriteNotPermutation
  OpId other_user;              // OtherUse; the consumer itself where it reads twice
  unsigned other_operand = 0;   // OtherUse by the consumer: which operand
  unsigned number = 0; // ProducerHasReduction: the loop of the producer; ProducerReadsInit: the
                       // init; NonPlainRead, DiagonalRead, TransposedRead: the row of `loops`;
                       // LoopLosesExtent: the loop of the consumer
  int64_t times = 0;   // ExpensiveRecompute: how often each element would be computed
};

using FusionVerdict = std::variant<FusionPlan, FusionRefusal>;

/// Is it legal to fuse the producer of the consumer's operand (inputs, then inits) into it?
/// Requires tensor-level IR, a GenericOp and a tensor operand.
FusionVerdict plan_fusion(const Function& function, const Uses& uses, OpId consumer,
                          unsigned operand, FusionMode mode);

/// How often the fused loops compute each element of the producer: the product of the extents of
/// the consumer's loops that `loops` leaves out. Saturates at INT64_MAX; loops of extent 0 count as
/// 1, so that fusing further can only make it larger.
int64_t recompute_factor(const Function& function, const FusionPlan& plan);
/// Does the body hold an op that is costly to repeat (ir/scalar_op.def: Cost)?
bool is_expensive(const Body& body);
/// Is a legal plan worth it? Yes, unless an expensive body would be computed several times.
bool is_profitable(const Function& function, const FusionPlan& plan);

/// The consumer becomes the fused op: inputs are the consumer's before the operand, the producer's,
/// the consumer's after; inits the kept ones of the producer, the consumer's; iterators the
/// consumer's; the producer's body comes first. The producer is erased (ErasedOp). Takes over the
/// producer's vectors, so the cost is in proportion to the consumer, and to both only where `loops`
/// is not the identity or operands come before the fused one.
void apply_fusion(Function& function, const FusionPlan& plan);

/// Texts for remarks. `uses` must be of this function.
Remark describe(const Function& function, const Uses& uses, const FusionPlan& plan);
Remark describe(const Function& function, const Uses& uses, const FusionRefusal& refusal);
/// A legal, profitable plan that the observer did not allow.
Remark left_out_remark(const Function& function, const Uses& uses, const FusionPlan& plan);
/// The refusal of a legal plan that is_profitable denies.
FusionRefusal unprofitable(const Function& function, const FusionPlan& plan);

/// The pass: fuses until nothing more fuses. Consumers in program order; of a consumer's candidates
/// the one with the smallest body first, so that always the smaller body is appended to the larger
/// one and a chain takes linear time. Reads of one value through one map are merged first. What is
/// made dead goes too. Missed remarks come last, one per edge that is left.
void fuse_elementwise(Function& function, FusionMode mode, Observer& observer);

} // namespace mo

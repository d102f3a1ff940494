// Where each result of a program goes, in a line each.
#pragma once

#include <string>

#include "ir/function.h"
#include "passes/bufferize.h"
#include "tests/passes/bufferize_programs.h"

namespace mo::exercise {

inline std::string name_of(const Function& function, const InitDecision& decision) {
  const Op& op = function.op(decision.op);
  const std::string name = "%" + function.value(op.results[decision.init]).name;
  return op.results.size() == 1 ? name : name + "#" + std::to_string(decision.init);
}

/// "%a: read-after-write, copies the old contents" per result, "%a -> %o: already-there" per
/// transfer.
inline std::string decisions_of(const std::string& text, BufferizeMode mode,
                                const SharingListener& listener = {}) {
  const Function function = testing::function_of(text);
  const BufferPlan plan = plan_bufferization(function, mode, listener);
  std::string lines;
  for (const InitDecision& decision : plan.inits)
    lines += name_of(function, decision) + ": " + std::string(spelling(decision.reason)) +
             (decision.destination.empty() ? "" : ", " + decision.destination) +
             (decision.copies_old_contents ? ", copies the old contents" : "") + "\n";
  for (const TransferDecision& transfer : plan.transfers) {
    lines += "%" + function.value(transfer.source).name + " -> %" +
             plan.buffers[transfer.target.index].name + ": " +
             std::string(spelling(transfer.reason));
    if (transfer.refusal)
      lines += " (" + std::string(spelling(transfer.refusal->reason)) + ")";
    lines += "\n";
  }
  return lines.empty() ? lines : lines.substr(0, lines.size() - 1);
}

/// A function on two tensors and two buffers.
inline std::string on_tensors_and_memrefs(const std::string& body) {
  return "func.func @f(%x: tensor<4x4xf32>, %d: tensor<4x4xf32>, %o: memref<4x4xf32>, %p: "
         "memref<4x4xf32>) {\n" +
         body + "return\n}";
}

} // namespace mo::exercise

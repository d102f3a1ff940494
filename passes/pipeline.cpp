#include "passes/pipeline.h"

#include "ir/verify.h"
#include "passes/bufferize.h"
#include "passes/canonicalize.h"
#include "passes/canonicalize_rules.h"
#include "passes/fuse.h"
#include "passes/fuse_driver.h"

namespace mo {

std::string_view spelling(PassKind pass) {
  switch (pass) {
  case PassKind::Fuse: return "fuse";
  case PassKind::FuseMlir: return "fuse=mlir";
  case PassKind::Canonicalize: return "canonicalize";
  case PassKind::Bufferize: return "bufferize";
  case PassKind::Elim: return "elim";
  }
  return {};
}

namespace {

// Each enables the other: a fill that is inlined removes an operand, a fusion makes results dead.
// Dead ops first, since a dead user counts as one; then fusion before the other clean-ups, which is
// the order in which mlir-opt comes by them.
void fuse_as_mlir_does(Function& function, Observer& observer) {
  RewriteLog log(observer);
  erase_dead_ops(function, log);
  bool changed;
  do {
    changed = fuse_sweeps(function, FusionMode::Mlir, log);
    changed |= canonicalize_sweeps(function, log);
  } while (changed);
  report_missed_fusions(function, FusionMode::Mlir, log);
  report_missed_cleanups(function, log);
  compact(function);
}

void run_pass(Function& function, PassKind pass, Observer& observer) {
  switch (pass) {
  case PassKind::Fuse: return fuse_elementwise(function, FusionMode::Strict, observer);
  case PassKind::FuseMlir: return fuse_as_mlir_does(function, observer);
  case PassKind::Canonicalize: return canonicalize(function, observer);
  case PassKind::Bufferize: return bufferize(function, BufferizeMode::Copying, observer);
  case PassKind::Elim: return bufferize(function, BufferizeMode::DestinationPassing, observer);
  }
}

Remark not_tensor_level(const PassRun& run, const Function& function) {
  return {Remark::Kind::Analysis,
          run.pass,
          kNotTensorLevel,
          function.name,
          function.loc,
          "@" + function.name + " has no tensors, and the pass works on tensors",
          {}};
}

bool leaves_buffers(PassKind pass) {
  return pass == PassKind::Bufferize || pass == PassKind::Elim;
}

} // namespace

bool run_pipeline(Module& module, const std::vector<PassKind>& passes, Observer& observer,
                  Diagnostics& diagnostics) {
  for (unsigned i = 0; i < passes.size(); ++i) {
    const PassRun run{spelling(passes[i]), i + 1};
    observer.pass_begins(run, module);
    std::vector<const Function*> rewritten;
    for (Function& function : module.functions) {
      if (level_of(function) == Level::Buffer) {
        observer.remark(not_tensor_level(run, function));
        continue;
      }
      run_pass(function, passes[i], observer);
      rewritten.push_back(&function);
    }
    observer.verification_begins(run);
    for (const Function* function : rewritten)
      verify(*function, leaves_buffers(passes[i]) ? Level::Buffer : Level::Tensor, diagnostics);
    if (diagnostics.has_errors()) {
      observer.pass_failed(run, module, diagnostics);
      return false;
    }
    observer.pass_ends(run, module);
  }
  return true;
}

Counts count(const Function& function) {
  Counts counts;
  for (const Op& op : function.ops) {
    counts.generics += op.is<GenericOp>();
    counts.fills += op.is<FillOp>();
    counts.empties += op.is<EmptyOp>();
    counts.allocs += op.is<AllocOp>();
    counts.copies += op.is<CopyOp>();
  }
  return counts;
}

} // namespace mo

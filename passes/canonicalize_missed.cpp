// What canonicalize left as it is, and why.
#include <algorithm>

#include <fmt/format.h>

#include "passes/canonicalize_rules.h"
#include "passes/loop_cover.h"

namespace mo {

namespace {

class Reporter {
public:
  Reporter(const Function& function, Observer& observer)
      : function_(function), observer_(observer), uses_(function) {}

  void run() {
    for (uint32_t i = 0; i < function_.ops.size(); ++i)
      if (function_.ops[i].is<GenericOp>())
        visit(OpId{i});
  }

private:
  void visit(OpId id) {
    const GenericOp& op = *function_.op(id).as<GenericOp>();
    std::optional<LoopCover> cover;
    auto needed_loop = [&](size_t k) {
      if (!cover)
        cover.emplace(op);
      return cover->loop_needing(op.maps[k]);
    };
    for (size_t k = 0; k < op.inputs.size(); ++k)
      if (const char* what = why_superfluous(op, k))
        if (std::optional<unsigned> loop = needed_loop(k))
          missed(CleanupReason::InputGivesExtent, id,
                 fmt::format("operand {} of {}, {}, {}, but no other operand gives loop d{} its "
                             "extent",
                             k, display_name(function_, id), name(op.inputs[k]), what, *loop));
    report_results(id, op, needed_loop);
    report_inits(id, op);
  }

  const char* why_superfluous(const GenericOp& op, size_t k) const {
    if (uses_.count(op.body.args[k]) == 0)
      return "is not read";
    OpId def = uses_.def(op.inputs[k]);
    const DenseOp* dense = def.valid() ? function_.op(def).as<DenseOp>() : nullptr;
    return dense && dense->splat ? "is one constant throughout" : nullptr;
  }

  template <class F> void report_results(OpId id, const GenericOp& op, F needed_loop) {
    const Op& o = function_.op(id);
    if (o.results.size() < 2)
      return;
    std::vector<bool> dead = dead_results(uses_, o);
    for (size_t j = 0; j < dead.size(); ++j)
      if (dead[j])
        if (std::optional<unsigned> loop = needed_loop(op.inputs.size() + j))
          missed(CleanupReason::ResultGivesExtent, id,
                 fmt::format("nobody uses result #{} of {}, but only its init, {}, gives loop d{} "
                             "its extent",
                             j, display_name(function_, id), name(op.inits[j]), *loop));
  }

  void report_inits(OpId id, const GenericOp& op) {
    for (unsigned j = 0; j < op.inits.size(); ++j) {
      OpId def = uses_.def(op.inits[j]);
      bool is_empty = def.valid() && function_.op(def).is<EmptyOp>();
      if (!is_empty && uses_.count(op.body.args[op.inputs.size() + j]) == 0 &&
          !writes_all_elements(function_, op, j))
        missed(CleanupReason::PartialWrite, id,
               fmt::format("{} does not read its init {}, but writes it through {} only, so some "
                           "elements may keep their values",
                           display_name(function_, id), name(op.inits[j]),
                           to_string(op.maps[op.inputs.size() + j])));
    }
  }

  std::string name(ValueId v) const { return display_name(function_, uses_, v); }

  void missed(CleanupReason reason, OpId op, std::string message) {
    observer_.remark({Remark::Kind::Missed,
                      "canonicalize",
                      spelling(reason),
                      function_.name,
                      function_.op(op).loc,
                      std::move(message),
                      {}});
  }

  const Function& function_;
  Observer& observer_;
  const Uses uses_;
};

} // namespace

void report_missed_cleanups(const Function& function, RewriteLog& log) {
  Reporter(function, log.observer()).run();
  for (const Proposal& p : log.all_left_out())
    if (p.because.pass == "canonicalize")
      log.observer().remark({Remark::Kind::Missed, "canonicalize", spelling(CleanupReason::LeftOut),
                             function.name, p.because.loc,
                             fmt::format("{}: left out on request", p.what), p.because.notes});
  if (log.num_rewrites() == 0)
    log.observer().remark({Remark::Kind::Analysis,
                           "canonicalize",
                           spelling(CleanupReason::NothingToClean),
                           function.name,
                           function.loc,
                           "no clean-up applies: nothing is dead, equal, constant or a copy",
                           {}});
}

} // namespace mo

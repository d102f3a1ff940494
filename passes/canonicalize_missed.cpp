// What canonicalize left as it is, and why.
#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "passes/canonicalize_rules.h"
#include "passes/loop_cover.h"

namespace mo {

namespace {

/// Finds what would be cleaned up if something did not stand in the way.
class Reporter {
public:
  /// Takes a Missed remark, the op's first result, and which operand or result it is about.
  using Tell = std::function<void(const Remark&, ValueId, ValueId)>;
  Reporter(const Function& function, Tell tell)
      : function_(function), tell_(std::move(tell)), uses_(function) {}

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
          missed(CleanupReason::InputGivesExtent, id, op.body.args[k],
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
          missed(CleanupReason::ResultGivesExtent, id, o.results[j],
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
        missed(CleanupReason::PartialWrite, id, op.inits[j],
               fmt::format("{} does not read its init {}, but writes it through {} only, so some "
                           "elements may keep their values",
                           display_name(function_, id), name(op.inits[j]),
                           to_string(op.maps[op.inputs.size() + j])));
    }
  }

  std::string name(ValueId v) const { return display_name(function_, uses_, v); }

  void missed(CleanupReason reason, OpId op, ValueId detail, std::string message) {
    const Op& o = function_.op(op);
    tell_({Remark::Kind::Missed,
           "canonicalize",
           spelling(reason),
           function_.name,
           o.loc,
           std::move(message),
           {},
           {{"Op", display_name(function_, op), o.loc}}},
          o.results[0], detail);
  }

  const Function& function_;
  const Tell tell_;
  const Uses uses_;
};

} // namespace

void announce_missed_cleanups(const Function& function, RewriteLog& log) {
  Reporter(function, [&](const Remark& r, ValueId subject, ValueId detail) {
    log.refused(r, subject, detail);
  }).run();
}

void report_missed_cleanups(const Function& function, RewriteLog& log) {
  const auto tell = [&](const Remark& r, ValueId, ValueId) { log.observer().remark(r); };
  Reporter(function, tell).run();
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

// What a pass tells the world. Passes announce decisions and rewrites here and print nothing;
// remarks, dumps, stepping, bisecting, statistics and the gdb hook are all observers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/diagnostic.h"
#include "ir/function.h"

namespace mo {

/// A value that a remark names, for programs that read it; LLVM calls it an argument of the remark.
struct Fact {
  std::string_view key; // "WriteMap"; the same key means the same in every remark
  std::string value;    // "(d0) -> (d0)"
  Loc loc = {};         // of the op that the value names, where it names one
};

/// A decision, for people: taken, refused, or a fact worth knowing. Named as LLVM's remarks.
struct Remark {
  enum class Kind : uint8_t { Passed, Missed, Analysis };
  Kind kind = Kind::Analysis;
  std::string_view pass;   // "fuse", "bufferize", "elim", "canonicalize"
  std::string_view reason; // stable id, kebab-case: "transposed-read"; listed in the pass's header
  std::string function;    // whose function it is
  Loc loc;                 // of the op that the decision is about
  std::string message;     // both facts that disagree, or what was done and why it is legal
  std::vector<Note> notes; // the other parties: the producer, the other user, the conflicting read
  std::vector<Fact> facts = {};
  std::vector<std::string> grounds = {}; // Passed: each condition that had to hold, and how it does
};

/// One rewrite about to happen or just done.
struct Rewrite {
  std::string_view pass;
  OpId op;               // the op that changes, in the function as handed to the observer; the next
                         // one where that function has nothing left of it
  std::string what;      // "fuse %0 into %1 at operand 0"
  const Remark* because; // the decision behind it; never null
};

/// One pass of a pipeline.
struct PassRun {
  std::string_view pass;
  unsigned number = 1; // 1 for the first pass of the pipeline
};

class Observer {
public:
  virtual ~Observer() = default;
  virtual void pass_begins(const PassRun&, const Module&) {}
  /// The pass has done its work; what it left is verified next.
  virtual void verification_begins(const PassRun&) {}
  virtual void pass_ends(const PassRun&, const Module&) {}
  /// Instead of pass_ends, where the pass left IR that does not verify, and why it does not. The
  /// module may be too broken to be printed (is_sound in ir/verify.h).
  virtual void pass_failed(const PassRun&, const Module&, const Diagnostics&) {}
  /// A final decision.
  virtual void remark(const Remark&) {}
  /// A refusal (Missed) seen on the way: a later rewrite may have made it untrue, and what stays
  /// refused comes again as a remark. Told only if wants_attempts, as it takes time to put in
  /// words.
  virtual void attempt(const Remark&) {}
  virtual bool wants_attempts() const { return false; }
  /// Asked before each rewrite; false leaves it out, and the result is still valid IR. For the same
  /// answers a pass asks the same questions.
  virtual bool may_rewrite(const Rewrite&, const Function& /*before*/) { return true; }
  virtual void rewrote(const Rewrite&, const Function& /*after*/) {}
  /// Will the next may_rewrite or its rewrote look at the function? Bufferization decides
  /// everything before it rewrites, and makes the function before and after a decision only if so
  /// (bufferize.h); if not, it hands out the function as it found it.
  virtual bool looks_at_functions() const { return false; }
};

/// Hands everything on to several observers; a rewrite happens if all of them agree.
class Observers final : public Observer {
public:
  void add(Observer& o) { list_.push_back(&o); }
  void pass_begins(const PassRun& r, const Module& m) override;
  void verification_begins(const PassRun& r) override;
  void pass_ends(const PassRun& r, const Module& m) override;
  void pass_failed(const PassRun& r, const Module& m, const Diagnostics& d) override;
  void remark(const Remark& r) override;
  void attempt(const Remark& r) override; // to those that want them
  bool wants_attempts() const override;   // does any?
  bool may_rewrite(const Rewrite& r, const Function& f) override;
  void rewrote(const Rewrite& r, const Function& f) override;
  bool looks_at_functions() const override; // does any?

private:
  std::vector<Observer*> list_;
};

} // namespace mo

// What the tests of the passes share: from text through passes to text, and the interpreter as
// oracle.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "passes/canonicalize.h"
#include "passes/fuse.h"
#include "passes/pipeline.h"
#include "passes/remarks.h"
#include "tests/ir/from_text.h"

namespace mo {

/// One function after some passes, and what was said about it.
struct Passed {
  Function function;
  std::vector<Remark> remarks;

  std::string text() const; // print(function), maps in place
  std::string
  messages(std::string_view reason) const; // of the remarks with this reason, a line each
  unsigned count_remarks(Remark::Kind kind) const;
  bool has(std::string_view reason) const { return !messages(reason).empty(); }
};

/// Verifies the text's first function, runs the passes, and fails the test if the IR is then
/// invalid.
Passed run_passes(const std::string& text, std::vector<PassKind> passes);

/// Leaves out every rewrite whose number (from 0) is not below the limit.
class Limit final : public Observer {
public:
  explicit Limit(unsigned limit) : limit_(limit) {}
  bool may_rewrite(const Rewrite&, const Function&) override { return asked_++ < limit_; }
  void rewrote(const Rewrite& r, const Function& f) override;
  void remark(const Remark& r) override { remarks.push_back(r); }

  unsigned asked() const { return asked_; }
  unsigned rewrites = 0;
  std::vector<Remark> remarks;

private:
  unsigned limit_, asked_ = 0;
};

/// Runs both functions (of the same signature) on the same arguments, special values among them,
/// and describes the first element whose bits differ, NaN for NaN aside; "" where none does.
std::string difference(const Function& before, const Function& after, unsigned seed);

/// "affine_map<...>" lists for generics written in tests: maps({"(d0) -> (d0)", ...}).
std::string maps(std::initializer_list<const char*> list);

/// A linalg.generic as text. `iterators`: "p" and "r", one letter per loop. `ins` and `outs`:
/// values and types, "%a, %b : tensor<8xf32>, tensor<8xf32>"; `ins` may be empty. The result types
/// are those of outs.
std::string generic(const std::string& result, std::initializer_list<const char*> maps,
                    const std::string& iterators, const std::string& ins, const std::string& outs,
                    const std::string& body);

} // namespace mo

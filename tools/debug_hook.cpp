#include "tools/debug_hook.h"

#include <fmt/format.h>

#include <string>

#include "ir/print.h"
#include "ir/value_names.h"
#include "passes/remarks.h"

// ---- hooks -------------------------------------------------------------------------------------

// Not inlined, not merged, not dropped, in no build; and what they are given is in memory by then.
#define HOOK [[gnu::noinline, gnu::used]]
#define STOP_HERE(...) asm volatile("" : : __VA_ARGS__ : "memory")

extern "C" {

HOOK void mo_hook_pass_begins(const mo::PassRun& run, const mo::Module& module) {
  STOP_HERE("r"(&run), "r"(&module), "i"(1));
}
HOOK void mo_hook_pass_ends(const mo::PassRun& run, const mo::Module& module) {
  STOP_HERE("r"(&run), "r"(&module), "i"(2));
}
HOOK void mo_hook_pass_failed(const mo::PassRun& run, const mo::Module& module,
                              const mo::Diagnostics& diagnostics) {
  STOP_HERE("r"(&run), "r"(&module), "r"(&diagnostics), "i"(8));
}
HOOK void mo_hook_passes_done(const mo::Module& module) {
  STOP_HERE("r"(&module), "i"(3));
}
HOOK void mo_hook_remark(const mo::Remark& remark) {
  STOP_HERE("r"(&remark), "i"(4));
}
HOOK void mo_hook_rewrite(const mo::Rewrite& rewrite, const mo::Function& before, unsigned number,
                          bool& skip) {
  STOP_HERE("r"(&rewrite), "r"(&before), "r"(number), "r"(&skip), "i"(5));
}
HOOK void mo_hook_rewrote(const mo::Rewrite& rewrite, const mo::Function& after) {
  STOP_HERE("r"(&rewrite), "r"(&after), "i"(6));
}
HOOK void mo_hook_looks(bool& looks) {
  STOP_HERE("r"(&looks), "i"(7));
}

[[gnu::used]] const char mo_debug_reasons[] =
    // fuse.h
    "producer-not-generic\nproducer-has-reduction\nproducer-reads-init\ninit-operand\nother-use\n"
    "write-not-permutation\nnon-plain-read\ndiagonal-read\ntransposed-read\nloop-loses-extent\n"
    "expensive-recompute\nfused\nduplicate-merged\nleft-out\nnothing-to-fuse\n"
    // canonicalize.h
    "fill-inlined\nsplat-inlined\nconstant-hoisted\nduplicate-input-merged\nidentity-copy-erased\n"
    "unread-init-forgotten\ndead-op-erased\ndead-result-dropped\nduplicate-result-merged\n"
    "dead-scalar-dropped\ndead-input-dropped\ninput-gives-extent\nresult-gives-extent\n"
    "partial-write\nnothing-to-clean\n"
// bufferize.h
#define REASON(Name, Id, Sentence) Id "\n"
#include "passes/bufferize_reasons.def"
    // pipeline.h
    "not-tensor-level\n";
}

// ---- text --------------------------------------------------------------------------------------

namespace {

const char* kept(std::string text) {
  static std::string last;
  last = std::move(text);
  return last.c_str();
}

} // namespace

[[gnu::used]] const char* mo_debug_string(const mo::Module& module) {
  return kept(print(module));
}
[[gnu::used]] const char* mo_debug_string(const mo::Function& function) {
  mo::Module module; // so that maps are short: #map
  module.functions.push_back(function);
  return kept(print(module));
}
[[gnu::used]] const char* mo_debug_string(const mo::Function& function, mo::OpId op) {
  if (op.index >= function.ops.size())
    return kept(fmt::format("<there is no op {}>", op.index));
  return kept(print(function, op));
}
[[gnu::used]] const char* mo_debug_string(const mo::Function& function, mo::ValueId value) {
  if (value.index >= function.values.size())
    return kept(fmt::format("<there is no value {}>", value.index));
  const std::string name = mo::value_names(function)[value.index];
  return kept(fmt::format("%{} : {}", name.empty() ? "<undefined>" : name,
                          to_string(function.type(value))));
}
[[gnu::used]] const char* mo_debug_string(const mo::AffineMap& map) {
  return kept(to_string(map));
}
[[gnu::used]] const char* mo_debug_string(const mo::Type& type) {
  return kept(to_string(type));
}
[[gnu::used]] const char* mo_debug_string(const mo::Remark& remark) {
  std::string text = fmt::format("{}:{}: {} {} [{}]: {}", remark.loc.line, remark.loc.col,
                                 remark.pass, spelling(remark.kind), remark.reason, remark.message);
  for (const mo::Note& note : remark.notes)
    text += fmt::format("\n{}:{}: note: {}", note.loc.line, note.loc.col, note.message);
  return kept(std::move(text));
}

// ---- the observer ------------------------------------------------------------------------------

namespace mo {

std::optional<FileError> DebugHook::end(const Module& output) {
  mo_hook_passes_done(output);
  return std::nullopt;
}

void DebugHook::pass_begins(const PassRun& run, const Module& module) {
  mo_hook_pass_begins(run, module);
}

void DebugHook::pass_ends(const PassRun& run, const Module& module) {
  mo_hook_pass_ends(run, module);
}

void DebugHook::pass_failed(const PassRun& run, const Module& module,
                            const Diagnostics& diagnostics) {
  mo_hook_pass_failed(run, module, diagnostics);
}

void DebugHook::remark(const Remark& remark) {
  mo_hook_remark(remark);
}

bool DebugHook::may_rewrite(const Rewrite& rewrite, const Function& before) {
  bool skip = false;
  mo_hook_rewrite(rewrite, before, ++proposed_, skip);
  return !skip;
}

void DebugHook::rewrote(const Rewrite& rewrite, const Function& after) {
  mo_hook_rewrote(rewrite, after);
}

bool DebugHook::looks_at_functions() const {
  bool looks = false;
  mo_hook_looks(looks);
  return looks;
}

} // namespace mo
